import { SENT_COLUMNS } from '../search-records';
import type { Finder } from './finders';
import type { Records } from './output';
import { decodedSource, type Source, wideEncoding } from './source';

/** Bytes per read. */
const READ_SIZE = 1024 * 1024;
/** Maximum bytes of one line. A file with a longer one is skipped. */
const MAX_LINE = 256 * 1024 * 1024;
const NEWLINE = 10;

/** Searches files one after another through one buffer. */
export class LineSearch {
  /** A line was too long to search. */
  incomplete = false;
  private buffer = Buffer.allocUnsafeSlow(READ_SIZE);

  constructor(
    private readonly finder: Finder,
    private readonly records: Records,
  ) {}

  /** `sniff`: a byte order mark gives the encoding and is not part of the text. A NUL makes the file binary. */
  search(path: string, source: Source, sniff: boolean): void {
    this.searchThrough(path, source, sniff);
    if (this.buffer.length > READ_SIZE) this.buffer = Buffer.allocUnsafeSlow(READ_SIZE);
  }

  private searchThrough(path: string, source: Source, sniff: boolean): void {
    let used = source(this.buffer, 0, 0);
    let position = used;
    let bytes = this.buffer.subarray(0, used);
    let read = source;
    if (sniff && used >= 2) {
      const wide = wideEncoding(bytes);
      if (wide !== null) {
        read = decodedSource(source, wide);
        used = read(this.buffer, 0, 0);
        position = used;
      } else if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
        this.buffer.copyWithin(0, 3, used);
        used -= 3;
      }
    }
    const found: { line: number; text: Buffer }[] = [];
    let lines = 0;
    for (;;) {
      const more = this.fill(read, used, position);
      position += more - used;
      const atEnd = more < this.buffer.length;
      bytes = this.buffer.subarray(0, more);
      const whole = atEnd ? more : bytes.lastIndexOf(NEWLINE) + 1;
      if (whole === 0 && !atEnd) {
        if (this.buffer.length >= MAX_LINE) {
          this.incomplete = true;
          return;
        }
        this.grow();
        used = more;
        continue;
      }
      const block = bytes.subarray(0, whole);
      const excluded = block.length === 0 || this.finder.excludes(block);
      // A file with matches must have no NUL, before or after them.
      if (sniff && (!excluded || !atEnd || found.length > 0) && block.includes(0)) return;
      if (!excluded) lines = this.collect(block, lines, found, !atEnd);
      else if (!atEnd) lines += countLines(block, 0, block.length);
      if (atEnd) break;
      this.buffer.copyWithin(0, whole, more);
      used = more - whole;
    }
    if (found.length === 0) return;
    const name = Buffer.from(path, 'latin1');
    for (const { line, text } of found) {
      this.records.line(name, line, text);
      if (this.records.done) return;
    }
  }

  private collect(
    block: Buffer,
    before: number,
    found: { line: number; text: Buffer }[],
    reused: boolean,
  ): number {
    let counted = 0;
    let line = before;
    this.finder.lines(block, (from, to) => {
      line += countLines(block, counted, from);
      counted = from;
      const text = block.subarray(from, Math.min(to, from + SENT_COLUMNS));
      found.push({ line: line + 1, text: reused ? Buffer.from(text) : text });
      return found.length > MAX_FOUND;
    });
    return reused ? line + countLines(block, counted, block.length) : line;
  }

  private fill(source: Source, used: number, position: number): number {
    let end = used;
    let at = position;
    while (end < this.buffer.length) {
      const got = source(this.buffer, end, at);
      if (got === 0) break;
      end += got;
      at += got;
    }
    return end;
  }

  private grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.buffer.length * 4);
    this.buffer.copy(larger);
    this.buffer = larger;
  }
}

/** Maximum matches of one file. A search keeps fewer in total. */
const MAX_FOUND = 500_000;

function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1) if (bytes[at] === NEWLINE) lines += 1;
  return lines;
}
