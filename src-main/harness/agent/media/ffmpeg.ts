import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Video } from './video';

/** Milliseconds for one frame. */
const DEADLINE = 10_000;
/** Maximum bytes of the image that ffmpeg prints. */
const MAX_PRINTED = 16 * 1024 * 1024;
/** Maximum width of the image in pixels. */
const MAX_WIDTH = 1_024;

/** The demuxer for each type of video, fixed by that type. Guessing could pick a playlist, which names other files. */
const DEMUXERS: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/3gpp': 'mov',
  'video/webm': 'matroska',
  'video/x-msvideo': 'avi',
  'video/x-flv': 'flv',
  'video/x-ms-wmv': 'asf',
  'video/mpeg': 'mpeg',
};

let program: Promise<string | null> | undefined;

/** The first one on the PATH. Relative entries are skipped, because they may point into a project folder. */
async function find(): Promise<string | null> {
  const name = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/** For tests: replaces the ffmpeg on the PATH. Null means none; undefined searches the PATH again. */
export const setFfmpeg = (file: string | null | undefined): void => {
  program = file === undefined ? undefined : Promise.resolve(file);
};

/**
 * Renders one frame of a video as PNG with ffmpeg. ffmpeg reads only the copy it is given, and has no network and none of
 * our environment. Null without ffmpeg, or if it fails to read the video within ten seconds. Cancel: rejects with the
 * signal's reason.
 */
export async function ffmpegFrame(
  { bytes, mimeType, at }: Video,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const demuxer = DEMUXERS[mimeType];
  program ??= find();
  const file = await program;
  if (file === null || demuxer === undefined) return null;
  const folder = await mkdtemp(join(tmpdir(), 'deepdesk-video-'));
  try {
    // Read from a file: videos often have their index at the end, and a pipe cannot seek.
    const video = join(folder, 'video');
    await writeFile(video, bytes, { mode: 0o600 });
    const args = [
      ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file'],
      ...['-ss', at.toFixed(3), '-f', demuxer, '-i', video, '-map', '0:v:0', '-frames:v', '1'],
      ...['-vf', `scale='min(${MAX_WIDTH},iw)':-2`, '-f', 'image2pipe', '-c:v', 'png', '-'],
    ];
    return await run(file, args, folder, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(file: string, args: string[], cwd: string, signal: AbortSignal): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const { SystemRoot } = process.env;
    execFile(
      file,
      args,
      {
        cwd,
        env: SystemRoot === undefined ? {} : { SystemRoot },
        encoding: 'buffer',
        timeout: DEADLINE,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_PRINTED,
        windowsHide: true,
        signal,
      },
      (error, printed) => {
        if (signal.aborted) reject(signal.reason);
        else resolve(error === null && printed.byteLength > 0 ? new Uint8Array(printed) : null);
      },
    );
  });
}
