import { lstat } from 'node:fs/promises';
import { extname } from 'node:path';

/**
 * Types that the system's program only displays and never runs. Excluded on purpose: web pages and SVG (browsers run their
 * scripts), old and macro-enabled Office formats, archives, disk images, and whatever some system runs by its extension.
 */
const DISPLAYED_TYPES = new Set(
  [
    'pdf epub',
    'txt text md markdown rst tex log csv tsv',
    'json jsonl yaml yml toml',
    'c h cc cpp hpp rs go kt swift ts tsx css scss less sql',
    'docx xlsx pptx odt ods odp',
    'png jpg jpeg gif webp bmp tif tiff avif heic ico',
    'mp3 wav flac ogg oga opus m4a aac',
    'mp4 m4v mov webm mkv avi',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Whether the system may open a file with its default program. `host`: its path for the system. Links, folders and
 * executable files are never safe, whatever their names.
 */
export async function isSafeToOpen(host: string): Promise<boolean> {
  if (!DISPLAYED_TYPES.has(extname(host).slice(1).toLowerCase())) return false;
  const found = await lstat(host);
  return found.isFile() && (process.platform === 'win32' || (found.mode & 0o111) === 0);
}
