import type { FileHandle } from 'node:fs/promises';
import { type Failure, failure } from './failure';
import { decodeText, pastEnd } from './text';

/** Bytes read at once: large enough for the disk, small enough not to matter in memory. */
const BLOCK = 256 * 1024;
/** Bytes of one line; what is longer is cut and ends the page, since a page is for reading. */
const MAX_LINE = 64 * 1024;
/** Bytes of a page; a page of many long lines ends early and says where to go on. */
const MAX_PAGE = 2 * 1024 * 1024;
/** Bytes after the page that are read only to count the lines. */
const COUNT_AHEAD = 1024 * 1024;

const LF = 10;

export interface LinePage {
  content: string;
  totalLines?: number;
  nextOffset?: number;
}

/**
 * Lines `offset`.. (0-based, at most `limit`) of an open file, in memory no more than the page. A line over 64 KiB is
 * cut with a note and ends its page. `totalLines` is there when the end of the file was near.
 * Errors: `invalid` past the end, `binary` where the page is no UTF-8. Cancel: rejects with the signal's reason.
 */
export async function readLines(
  handle: FileHandle,
  options: { offset: number; limit: number; signal: AbortSignal | undefined },
): Promise<LinePage | Failure> {
  const from = Math.max(0, Math.trunc(options.offset));
  const limit = Math.max(0, Math.trunc(options.limit));
  const page = new PageCollector(from, limit);
  const block = Buffer.allocUnsafe(BLOCK);
  let position = 0;
  let countedAhead = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    const { bytesRead } = await handle.read(block, 0, BLOCK, position);
    if (bytesRead === 0) return page.finish(true);
    position += bytesRead;
    const full = page.isFull;
    page.take(block.subarray(0, bytesRead));
    if (page.wasCut) return page.finish(false);
    if (full) countedAhead += bytesRead;
    if (countedAhead >= COUNT_AHEAD) return page.finish(false);
  }
}

/** Takes blocks in order; knows which line it is in. */
class PageCollector {
  /** Line ends seen. */
  private ends = 0;
  /** Whether bytes came after the last line end. */
  private inLine = false;
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  /** Bytes of the line that is being collected. */
  private lineBytes = 0;
  private lines = 0;
  private full = false;
  wasCut = false;

  constructor(
    private readonly from: number,
    private readonly limit: number,
  ) {
    this.full = limit === 0;
  }

  get isFull(): boolean {
    return this.full;
  }

  take(block: Buffer): void {
    let at = 0;
    while (at < block.length && !this.wasCut) {
      const end = block.indexOf(LF, at);
      const stop = end < 0 ? block.length : end + 1;
      if (!this.full && this.ends >= this.from) this.collect(block.subarray(at, stop), end >= 0);
      this.inLine = end < 0;
      if (end >= 0) this.ends += 1;
      at = stop;
    }
  }

  private collect(bytes: Buffer, ended: boolean): void {
    const room = MAX_LINE - this.lineBytes;
    if (bytes.length > room + (ended ? 1 : 0)) {
      this.wasCut = true;
      bytes = wholeCharacters(bytes.subarray(0, room));
    }
    // The block is reused for the next read.
    this.chunks.push(Buffer.from(bytes));
    this.bytes += bytes.length;
    this.lineBytes = ended ? 0 : this.lineBytes + bytes.length;
    if (ended || this.wasCut) this.lines += 1;
    this.full = this.lines >= this.limit || (ended && this.bytes >= MAX_PAGE);
  }

  finish(atEnd: boolean): LinePage | Failure {
    const total = this.ends + (this.inLine ? 1 : 0);
    if (atEnd && this.from > 0 && this.from >= total) return pastEnd(this.from, total);
    const text = decodeText(Buffer.concat(this.chunks));
    if (text === null) return failure('binary', 'This part of the file is not UTF-8 text.');
    const page: LinePage = { content: clean(text, this.from === 0) };
    if (this.wasCut) {
      page.content += `… [line ${this.from + this.lines} is longer than ${MAX_LINE} bytes and is cut here]`;
      page.nextOffset = this.from + this.lines;
      return page;
    }
    const shown = Math.min(total, this.from + (this.full ? this.lines : total));
    if (atEnd) page.totalLines = total;
    if (shown < total || (!atEnd && this.full)) page.nextOffset = shown;
    return page;
  }
}

/** Without the byte order mark, carriage returns of line ends and the last line end. */
function clean(text: string, isStart: boolean): string {
  let cleaned = isStart && text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (cleaned.endsWith('\n')) cleaned = cleaned.slice(0, -1);
  return cleaned.includes('\r') ? cleaned.replace(/\r(?=\n|$)/g, '') : cleaned;
}

/** Cuts back to the last whole character of UTF-8. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  // At most three continuation bytes precede the first byte of the character that was cut.
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
