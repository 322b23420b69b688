/** Scheme for a video and the page that draws a frame of it, in their own session. */
export const VIDEO_SCHEME = 'video';

/** Policy for the page of one video: only its own script and the video. */
export const VIDEO_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export const VIDEO_PAGE =
  '<!doctype html><meta charset="utf-8"><title>Video</title><script src="draw.js"></script>';

/** Defines `frameOf`: returns a PNG as a data URL, or null if the video shows nothing. Runs in the page. */
export const VIDEO_SCRIPT = `
const happened = (target, name) =>
  new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true });
    target.addEventListener('error', () => reject(new Error('damaged')), { once: true });
  });
async function draw(at, maxWidth) {
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  video.src = 'content';
  await happened(video, 'loadeddata');
  if (at > 0) {
    const sought = happened(video, 'seeked');
    video.currentTime = at;
    await sought;
  }
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0 || videoHeight === 0) return null;
  const scale = Math.min(1, maxWidth / Math.max(videoWidth, videoHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(videoWidth * scale));
  canvas.height = Math.max(1, Math.round(videoHeight * scale));
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  // A frame is decoded before it can be drawn: until then nothing is drawn, which leaves every pixel transparent.
  for (let tries = 0; tries < 100; tries += 1) {
    pen.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { data } = pen.getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1);
    if (data[3] > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return canvas.toDataURL('image/png');
}
globalThis.frameOf = (at, maxWidth) => draw(at, maxWidth).catch(() => null);
`;

/** Parses a requested range: `bytes=a-b`, `bytes=a-` or `bytes=-n`; null if there is no such range. */
export function rangeOf(header: string | null, size: number): { from: number; to: number } | null {
  const found = /^bytes=(\d*)-(\d*)$/u.exec(header ?? '');
  if (found === null || size === 0) return null;
  const [, first = '', last = ''] = found;
  if (first === '')
    return last === '' || Number(last) === 0
      ? null
      : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from <= to ? { from, to } : null;
}
