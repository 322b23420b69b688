import { ffmpegFrame } from './ffmpeg';
import { imageFacts } from './image';
import { sniff } from './sniff';
import type { DrawFrame } from './video';

/** Bytes of an image that goes into a request. */
const MAX_POSTER = 4 * 1024 * 1024;
/** Seconds into a video; the first frame is often black. */
const LATEST = 2;

export interface Poster {
  png: Uint8Array;
  /** Seconds from the start of the video. */
  at: number;
}

/**
 * Draws one frame of a video for a model that supports images but not videos. Uses ffmpeg if installed, else `draw`. Null if
 * neither works: the video is damaged or of an unknown type, or there is nothing to draw it with.
 */
export async function posterOf(
  video: { bytes: Uint8Array; mimeType: string; seconds: number | null },
  signal: AbortSignal,
  draw: DrawFrame | undefined,
): Promise<Poster | null> {
  const at = video.seconds === null ? 0 : Math.min(LATEST, video.seconds / 3);
  for (const one of draw === undefined ? [ffmpegFrame] : [ffmpegFrame, draw]) {
    signal.throwIfAborted();
    const png = await one({ bytes: video.bytes, mimeType: video.mimeType, at }, signal);
    if (png !== null && isPicture(png)) return { png, at };
  }
  return null;
}

/** The renderer handled an untrusted file, so check its output. */
const isPicture = (png: Uint8Array): boolean =>
  png.byteLength <= MAX_POSTER &&
  sniff(png)?.mimeType === 'image/png' &&
  !('broken' in imageFacts(png, 'image/png'));
