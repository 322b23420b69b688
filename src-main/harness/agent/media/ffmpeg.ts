import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Video } from './video';

/** Milliseconds for one frame. */
const DEADLINE = 10_000;
/** Bytes of the picture that ffmpeg prints. */
const MAX_PRINTED = 16 * 1024 * 1024;
/** Pixels of the picture's width. */
const MAX_WIDTH = 1_024;

/** The reader for each kind of video, by what it is: one that is guessed may be a playlist, which names other files. */
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

/** The first of its name on the PATH; relative entries, which may be a project's folder, are left out. */
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

/** For tests: another ffmpeg than the one of the PATH; null is none, undefined looks again. */
export const setFfmpeg = (file: string | null | undefined): void => {
  program = file === undefined ? undefined : Promise.resolve(file);
};

/**
 * One frame of a video as PNG with ffmpeg, which reads nothing but the copy that it is given, has no network and none of our
 * environment. Null without ffmpeg, and for what it cannot read within ten seconds. Cancel: rejects with the signal's reason.
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
    // From a file: videos often have their index at the end, which a pipe cannot go to.
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
