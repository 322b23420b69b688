/** Only what a model can take as an image, sound, video or document; all else is text until its bytes say otherwise. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  aiff: 'audio/aiff',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  flv: 'video/x-flv',
  wmv: 'video/x-ms-wmv',
  '3gpp': 'video/3gpp',
  pdf: 'application/pdf',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** By extension, `text/plain` when unknown: svg, json and source code are text. */
export function mimeTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const known = dot < 0 ? undefined : BY_EXTENSION[name.slice(dot + 1).toLowerCase()];
  return known ?? 'text/plain';
}

/** What the published package calls the types of some text files that it stored. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/javascript',
  'image/svg+xml',
]);

export const isTextMime = (mimeType: string): boolean =>
  mimeType.startsWith('text/') || TEXT_TYPES.has(mimeType);

/** For bytes that are not text though their name does not say so. */
export const UNKNOWN_BINARY = 'application/octet-stream';
