/**
 * The types of the published package: what a model accepts as an image, sound, video or document, and texts with a type of
 * their own. Everything else is plain text until its bytes say otherwise.
 */
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
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  xml: 'text/xml',
  svg: 'image/svg+xml',
  json: 'application/json',
  js: 'application/javascript',
  mjs: 'application/javascript',
  cjs: 'application/javascript',
};

/** By extension, or `text/plain` if it is unknown. `isTextMime` is true for svg, json and source code. */
export function mimeTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const known = dot < 0 ? undefined : BY_EXTENSION[name.slice(dot + 1).toLowerCase()];
  return known ?? 'text/plain';
}

/** Types of text that do not say so. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/javascript',
  'image/svg+xml',
]);

export const isTextMime = (mimeType: string): boolean =>
  mimeType.startsWith('text/') || TEXT_TYPES.has(mimeType);

/** For bytes that are not text though the name suggests it. */
export const UNKNOWN_BINARY = 'application/octet-stream';
