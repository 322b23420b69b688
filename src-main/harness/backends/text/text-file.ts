import { statMark } from '../disk/atomic-write';
import type { OpenFile } from '../disk/guard';
import { type Failure, failure } from '../failure';
import type { ReadOptions, ReadResult } from '../protocol';
import { LineIndex, type LineIndexes } from '../search/line-index';
import { binaryRead } from './content';
import { bomLength, decode, detectEncoding, type Encoding, utf8OfUtf16 } from './encoding';
import { isTextMime, mimeTypeOf } from './mime';
import { type ByteSource, readLines, sourceOf } from './page-reader';
import { SNIFF_BYTES, versionOf } from './text';

/**
 * Maximum bytes of a file that is read in one go and whose version is the hash of its content. In larger files each page is
 * read separately, and the version comes from the file's inode, size and times.
 */
export const WHOLE_LIMIT = 1024 * 1024;

const LF = 10;

/** Reads until there are `size` bytes or the file ends. */
export async function readUpTo(handle: ByteSource, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** The version of a file: by content if it is small, else by its stat. */
export const versionBy = (stat: OpenFile['stat'], content: Uint8Array | readonly Uint8Array[]): string =>
  stat.size <= WHOLE_LIMIT ? versionOf(content) : statMark(stat);

/** The encoding of a whole file, by its bytes and its name. Null: it is not text. */
export const encodingOf = (path: string, bytes: Uint8Array): Encoding | null =>
  isTextMime(mimeTypeOf(path)) ? detectEncoding(bytes, true) : null;

/** The text of a whole file, with its byte order mark. Null if it is not text. */
export function textOf(path: string, bytes: Uint8Array): string | null {
  const encoding = encodingOf(path, bytes);
  return encoding === null ? null : decode(bytes, encoding);
}

/**
 * A page of a text file, or null if it is not text. Small files are read whole. Of large ones only the page and what leads
 * to it are read, except for UTF-16, which is also read whole, with the lines and columns of its UTF-8. Errors: the same as
 * `readLines`, and `too_large` for UTF-16 of more than `maxBytes`.
 */
export async function readText(
  file: OpenFile,
  path: string,
  page: Page & { maxBytes: number; indexes: LineIndexes },
): Promise<ReadResult | { binary: Buffer | null }> {
  const size = Number(file.stat.size);
  if (size <= WHOLE_LIMIT) {
    const whole = await readUpTo(file.handle, size);
    return (await readWholeText(path, whole, page)) ?? { binary: whole };
  }
  const mimeType = mimeTypeOf(path);
  const head = isTextMime(mimeType) ? await readUpTo(file.handle, SNIFF_BYTES) : null;
  const encoding = head === null ? null : detectEncoding(head, false);
  if (encoding === null) return { binary: null };
  const version = statMark(file.stat);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') {
    if (size > page.maxBytes) return tooLarge(path, size, page.maxBytes, ', being UTF-16');
    const bytes = await readUpTo(file.handle, size);
    const utf8 = await utf8OfUtf16(bytes, encoding, page.signal);
    if (utf8 === null) return { binary: null };
    const found = await readMemory(utf8, 'utf-8', page);
    return 'error' in found ? found : { ...found, mimeType, size, version };
  }
  const found = await readBytes(file, encoding, page);
  return 'error' in found ? found : { ...found, mimeType, size, version };
}

type Page = ReadOptions & { offset: number; limit: number };

/** A page of a file whose bytes are all there; null if it is not text. Lines and columns of UTF-16 are those of its UTF-8. */
async function readWholeText(path: string, bytes: Buffer, page: Page): Promise<ReadResult | null> {
  const encoding = encodingOf(path, bytes);
  if (encoding === null) return null;
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const text = isWide ? await utf8OfUtf16(bytes, encoding, page.signal) : bytes;
  if (text === null) return null;
  const found = await readMemory(text, isWide ? 'utf-8' : encoding, page);
  if ('error' in found) return found;
  return { ...found, mimeType: mimeTypeOf(path), size: bytes.length, version: versionOf(bytes) };
}

/** A page of such a file, or all bytes of anything else. */
export const readWhole = async (path: string, bytes: Buffer, page: Page): Promise<ReadResult> =>
  (await readWholeText(path, bytes, page)) ?? binaryRead(path, bytes);

async function readBytes(
  { handle, stat }: OpenFile,
  encoding: 'utf-8' | 'windows-1252',
  { offset, limit, column, signal, indexes }: Page & { indexes: LineIndexes },
): Promise<ReadResult> {
  const index = indexes.of(stat);
  const size = Number(stat.size);
  const found = await readLines(handle, { offset, limit, column, index, size, encoding, signal });
  // If somebody was writing to the file, the recorded lines may fit neither state.
  if (statMark(await handle.stat()) !== statMark(stat)) indexes.forget(stat);
  return found;
}

function readMemory(bytes: Buffer, encoding: 'utf-8' | 'windows-1252', page: Page): Promise<ReadResult> {
  const { offset, limit, column, signal } = page;
  const source: ByteSource = sourceOf(bytes);
  const index = new LineIndex(bytes.length);
  index.total = countLines(bytes);
  return readLines(source, { offset, limit, column, index, size: bytes.length, encoding, signal });
}

/** A final line ending starts no further line. Neither does a byte order mark alone. */
function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, end + 1)) lines += 1;
  const tail = bytes.length > 0 && bytes[bytes.length - 1] !== LF;
  return tail && bytes.length > bomLength(bytes, 'utf-8') ? lines + 1 : lines;
}

/** A file over the size limit for whole files. `why` continues "is too large to be handled whole". */
export function tooLarge(path: string, size: number, most: number, why = ''): Failure {
  const mb = (bytes: number) => Math.ceil(bytes / (1024 * 1024));
  return failure(
    'too_large',
    `'${path}' is too large to be handled whole${why} (${mb(size)} MB, at most ${mb(most)} MB).`,
  );
}
