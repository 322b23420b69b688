import { type Failure, failure } from '../failure';
import { LineIndex, STRIDE } from '../search/line-index';
import { decode, detectEncoding } from './encoding';
import { numbered, pastEnd } from './text';

/** Bytes read at once for a page. */
const BLOCK = 256 * 1024;
/** Maximum bytes of one line. A longer line is cut and ends the page, since a page is for reading. */
const MAX_LINE = 64 * 1024;
/** Maximum bytes of a page. A page of many long lines ends early and says where to continue. */
const MAX_PAGE = 2 * 1024 * 1024;
/** Bytes read after the page only to count lines. */
const COUNT_AHEAD = 1024 * 1024;

const LF = 10;

/** A source of bytes: an open file, or data read from it. */
export interface ByteSource {
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

/** A source for bytes in memory. */
export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  read: async (buffer, offset, length, position) => {
    const part = bytes.subarray(position, position + length);
    buffer.set(part, offset);
    return { bytesRead: part.length };
  },
});

export interface LinePage {
  content: string;
  totalLines?: number;
  nextOffset?: number;
  nextColumn?: number;
  startLine?: number;
  endLine?: number;
}

export interface PageRequest {
  /** 0-based. */
  offset: number;
  limit: number;
  /** Bytes of the first line to skip. With it, `content` has no note about a cut line. */
  column?: number | undefined;
  /** The known lines of the file. Reading adds to it. */
  index?: LineIndex;
  /** Size of the source in bytes. */
  size: number;
  /** Default UTF-8. A page that is not UTF-8 is always read as Windows-1252, provided that it is text at all. */
  encoding?: 'utf-8' | 'windows-1252';
  signal: AbortSignal | undefined;
}

/**
 * Lines `offset`.. (0-based, at most `limit`) of a source. Keeps no more than the page in memory, and starts where the index
 * knows the line. A line over 64 KiB is cut and ends its page, and `nextColumn` says where it continues. `totalLines` is set
 * if the end of the file was near or is known. Errors: `invalid` past the end, `binary` if the page is not text. Cancel:
 * rejects with the signal's reason.
 */
export async function readLines(handle: ByteSource, request: PageRequest): Promise<LinePage | Failure> {
  const { size, signal, index = new LineIndex(size) } = request;
  const from = Math.max(0, Math.trunc(request.offset));
  const limit = Math.max(0, Math.trunc(request.limit));
  const column = Math.max(0, Math.trunc(request.column ?? 0));
  const start = await lineStart(handle, index, from, signal);
  if (start === null) return pastEnd(from, index.total ?? 0);
  if (column > 0 && !(await isWithinLine(handle, index, { start, line: from, column, signal })))
    return failure('invalid', `Column ${column} is past the end of line ${from + 1}.`);
  const page = await collect(handle, start + column, limit, size, signal);
  if (page.atEnd && page.lines === 0 && from > 0 && column === 0) return pastEnd(from, from);
  const text = textOf(page.bytes, request.encoding ?? 'utf-8', column > 0);
  if (text === null) return failure('binary', 'This part of the file is not text.');
  const answer = numbered<LinePage>(
    { content: clean(text, from === 0 && column === 0) },
    from,
    Math.max(page.lines, column > 0 ? 1 : 0),
  );
  const shown = from + page.lines;
  if (page.cut !== null) {
    if (request.column === undefined)
      answer.content += `… [line ${shown} is longer than ${MAX_LINE} bytes and is cut here]`;
    answer.nextOffset = shown;
    answer.nextColumn = page.cut + (page.lines === 1 ? column : 0);
    return answer;
  }
  if (page.atEnd) {
    index.total = Math.max(shown, from + (column > 0 ? 1 : 0));
    answer.totalLines = index.total;
    return answer;
  }
  if (index.total === undefined && size - page.end <= COUNT_AHEAD) await countLines(handle, index, signal);
  if (index.total !== undefined) answer.totalLines = index.total;
  if (index.total === undefined || shown < index.total) answer.nextOffset = shown;
  return answer;
}

/** The byte at which a line starts, possibly the end of the file. Null if there are fewer lines. */
async function lineStart(
  handle: ByteSource,
  index: LineIndex,
  line: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  if (line === 0) return 0;
  if (index.total !== undefined && line >= index.total) return null;
  let { position, ends } = index.before(line);
  let found: number | null = null;
  let last = LF;
  const atEnd = await scan(handle, position, signal, (block) => {
    for (let end = block.indexOf(LF); end >= 0; end = block.indexOf(LF, end + 1)) {
      ends += 1;
      if (ends < line) continue;
      found = position + end + 1;
      return true;
    }
    position += block.length;
    last = block[block.length - 1] ?? LF;
    index.note(position, ends);
    return false;
  });
  if (atEnd && found === null) index.total = ends + (last === LF ? 0 : 1);
  return found;
}

const countLines = (handle: ByteSource, index: LineIndex, signal: AbortSignal | undefined) =>
  lineStart(handle, index, Number.POSITIVE_INFINITY, signal);

/** Whether the line at `start` reaches a column. */
async function isWithinLine(
  handle: ByteSource,
  index: LineIndex,
  at: { start: number; line: number; column: number; signal: AbortSignal | undefined },
): Promise<boolean> {
  const target = at.start + at.column;
  // Known to be on the same line: no need to read anything before it.
  const known = index.upTo(target);
  const inLine = known.position > at.start;
  if (inLine && known.ends !== at.line) return false;
  // Aligned with the index, so that it learns on the way. Line endings before the line's start are counted, not judged.
  const started = inLine ? known : index.upTo(at.start);
  let { position, ends } = started;
  let within = true;
  const atEnd = await scan(handle, position, at.signal, (block) => {
    const stop = Math.min(block.length, target - position);
    for (let end = block.indexOf(LF); end >= 0 && end < stop; end = block.indexOf(LF, end + 1)) {
      ends += 1;
      within = position + end < at.start;
      if (!within) return true;
    }
    position += stop;
    if (stop < block.length || position === target) return true;
    index.note(position, ends);
    return false;
  });
  return within && !atEnd;
}

/**
 * Passes on the bytes from `position` in order, one block ahead, until `take` has enough (false) or the file ends (true).
 * Each block but the last has `STRIDE` bytes.
 */
async function scan(
  handle: ByteSource,
  from: number,
  signal: AbortSignal | undefined,
  take: (block: Buffer) => boolean,
): Promise<boolean> {
  let position = from;
  let [current, other] = [Buffer.allocUnsafe(STRIDE), Buffer.allocUnsafe(STRIDE)];
  let pending = fill(handle, current, position);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const block = current.subarray(0, await pending);
      position += block.length;
      if (block.length === STRIDE) pending = fill(handle, other, position);
      if (block.length > 0 && take(block)) return false;
      if (block.length < STRIDE) return true;
      [current, other] = [other, current];
    }
  } finally {
    // No read may use a handle that the caller is about to close.
    await pending;
  }
}

/** Reads until the buffer is full or the file ends. Network file systems return less per read. */
async function fill(handle: ByteSource, buffer: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

interface Collected {
  bytes: Buffer;
  lines: number;
  /** Bytes taken of the last line, if it was cut. */
  cut: number | null;
  /** The byte after the page. */
  end: number;
  /** Nothing follows the page. */
  atEnd: boolean;
}

/** Takes whole lines from a byte on, until there are `limit` lines or enough bytes, or a line is too long. */
async function collect(
  handle: ByteSource,
  start: number,
  limit: number,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Collected> {
  const chunks: Buffer[] = [];
  let [bytes, lineBytes, lines] = [0, 0, 0];
  const answer = (atEnd: boolean, cut: number | null = null): Collected => ({
    bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
    lines: lines + (atEnd && lineBytes > 0 ? 1 : 0),
    cut,
    end: start + bytes,
    atEnd,
  });
  const block = Buffer.allocUnsafe(Math.min(BLOCK, Math.max(1, size - start)));
  /** The block is reused, so the taken bytes are copied, for all of its lines at once. */
  const take = (length: number) => {
    if (length > 0) chunks.push(Buffer.from(block.subarray(0, length)));
  };
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(block, 0, block.length, start + bytes);
    if (bytesRead === 0) return answer(true);
    const read = block.subarray(0, bytesRead);
    let at = 0;
    while (at < bytesRead) {
      if (lines >= limit || (bytes >= MAX_PAGE && lineBytes === 0)) {
        take(at);
        return answer(false);
      }
      const lf = read.indexOf(LF, at);
      const stop = lf < 0 ? bytesRead : lf + 1;
      const room = MAX_LINE - lineBytes;
      if (stop - at > room + (lf < 0 ? 0 : 1)) {
        const kept = wholeCharacters(read.subarray(at, at + room)).length;
        take(at + kept);
        lines += 1;
        bytes += kept;
        return answer(false, lineBytes + kept);
      }
      bytes += stop - at;
      lineBytes = lf < 0 ? lineBytes + stop - at : 0;
      lines += lf < 0 ? 0 : 1;
      at = stop;
    }
    take(at);
  }
}

/** Null if the bytes are not text. `isCut`: they may start within a character. */
function textOf(bytes: Buffer, encoding: 'utf-8' | 'windows-1252', isCut: boolean): string | null {
  if (bytes.includes(0)) return null;
  const text = encoding === 'utf-8' ? decode(isCut ? fromWholeCharacter(bytes) : bytes, 'utf-8') : null;
  if (text !== null) return text;
  return detectEncoding(bytes, true) === null ? null : decode(bytes, 'windows-1252');
}

/** Removes the byte order mark, the carriage returns of line endings, and the last line ending. */
function clean(text: string, isStart: boolean): string {
  let cleaned = isStart && text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (cleaned.endsWith('\n')) cleaned = cleaned.slice(0, -1);
  return cleaned.includes('\r') ? cleaned.replace(/\r(?=\n|$)/g, '') : cleaned;
}

/** Drops the rest of a character whose start was skipped. */
function fromWholeCharacter(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}

/** Cuts back to the last whole UTF-8 character. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  // At most three continuation bytes precede the first byte of the cut character.
  for (let back = 1; back <= 4 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      if (size > back) end = bytes.length - back;
      break;
    }
  }
  return bytes.subarray(0, end);
}
