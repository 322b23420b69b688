import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { textOfLatin1, textOfPath } from '../../../base/path-names';
import { byCodeUnit } from '../paths';
import type { GrepMatch } from '../protocol';

/** Maximum bytes kept of a matching line. */
const MAX_COLUMNS = 5_000;
/** Maximum bytes sent of a line, so that this code can see whether there were more (line endings count). */
export const SENT_COLUMNS = MAX_COLUMNS + 8;
const OMITTED = ' [... omitted end of long line]';

/** ripgrep prints this between matches when a file turns out to be binary. */
const BINARY_NOTE =
  /^([^\0]*?): (?:WARNING: stopped searching binary file after match|binary file matches) \(found [^\n]*\)\n/;

export interface LineReceiver {
  /** Returns true once it has enough. `path` has `/` on every system. */
  onMatch(path: string, line: number, text: string): boolean;
  /** A file with matches contains a NUL. */
  onBinary(path: string): void;
}

/** Bytes of output that are parsed as they arrive, so that a search can stop early. */
const EAGER = 256 * 1024;
/**
 * Bytes collected per parse after that. Texts are parts of a block's string, and the garbage collector does not move a
 * string of this size, which avoids visible pauses.
 */
const BATCH = 160 * 1024;

/**
 * Parses `path NUL number : text LF` as it arrives. Names may contain newlines and colons. Text may contain anything but a
 * newline. `take` returns true once the receiver has enough. `end` comes after the last chunk.
 */
export class LineRecords {
  /** Bytes that were read but not used: a name with a newline, cut at the end of a block. */
  private carry = Buffer.alloc(0);
  /** How the current block was decoded: as UTF-8, or byte by byte if names or lines are not UTF-8. */
  private decoded: 'utf8' | 'latin1' = 'utf8';
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private block = Buffer.alloc(0);
  private taken = 0;
  /** A file's matches come together, so its name is compared instead of recreated. */
  private lastRaw = '';
  private lastPath = '';

  constructor(private readonly receiver: LineReceiver) {}

  take(chunk: Buffer): boolean {
    this.pending.push(chunk);
    this.pendingBytes += chunk.length;
    this.taken += chunk.length;
    return this.pendingBytes < (this.taken < EAGER ? 1 : BATCH) ? false : this.parsePending();
  }

  private parsePending(): boolean {
    const data = this.together();
    const end = data.lastIndexOf(10) + 1;
    this.pending = end === data.length ? [] : [Buffer.from(data.subarray(end))];
    this.pendingBytes = data.length - end;
    // Whole lines can be decoded in one go, whatever characters they contain.
    return this.parse(this.withCarry(data.subarray(0, end)));
  }

  /**
   * The pending bytes in one buffer, valid until the next call. The buffer is reused: a new one per block would make the
   * garbage collector scan the whole heap, with all results in it.
   */
  private together(): Buffer {
    const [first] = this.pending;
    if (this.pending.length === 1 && first !== undefined) return first;
    if (this.block.length < this.pendingBytes)
      this.block = Buffer.allocUnsafeSlow(Math.max(this.pendingBytes, 2 * BATCH));
    let at = 0;
    for (const part of this.pending) at += part.copy(this.block, at);
    return this.block.subarray(0, at);
  }

  end(): void {
    if (this.parsePending()) return;
    const rest = this.decode(this.withCarry(Buffer.concat(this.pending)));
    this.withoutNotes(rest.endsWith('\n') ? rest : `${rest}\n`);
  }

  private withCarry(data: Buffer): Buffer {
    return this.carry.length === 0 ? data : Buffer.concat([this.carry, data]);
  }

  private decode(bytes: Buffer): string {
    const how = isUtf8(bytes) ? 'utf8' : 'latin1';
    // The last name was decoded differently.
    if (how !== this.decoded) this.lastRaw = '';
    this.decoded = how;
    return bytes.toString(how);
  }

  private parse(bytes: Buffer): boolean {
    const text = this.decode(bytes);
    let at = 0;
    while (at < text.length) {
      const nul = this.endOfName(text, at);
      const end = nul < 0 ? -1 : text.indexOf('\n', nul);
      if (end < 0) break;
      let line = 0;
      let digit = nul + 1;
      for (
        let code = text.charCodeAt(digit);
        code !== COLON && digit < end;
        digit += 1, code = text.charCodeAt(digit)
      )
        line = line * 10 + code - ZERO;
      if (this.receiver.onMatch(this.lastPath, line, this.lineOf(text, digit + 1, end))) return true;
      at = end + 1;
    }
    this.carry = Buffer.from(text.slice(at), this.decoded);
    return false;
  }

  private lineOf(text: string, from: number, to: number): string {
    if (this.decoded === 'utf8') return shownLine(text, from, to);
    return shownLine(Buffer.from(text.slice(from, to), 'latin1').toString('utf8'));
  }

  private pathOf(raw: string): string {
    return toPath(this.decoded === 'utf8' ? textOfPath(raw) : textOfLatin1(raw));
  }

  private endOfName(text: string, at: number): number {
    const { length } = this.lastRaw;
    if (length > 0 && text.charCodeAt(at + length) === 0 && text.startsWith(this.lastRaw, at))
      return at + length;
    const nul = text.indexOf('\0', at);
    if (nul >= 0) {
      this.lastRaw = text.slice(at, nul);
      this.lastPath = this.pathOf(this.withoutNotes(this.lastRaw));
    }
    return nul;
  }

  private withoutNotes(name: string): string {
    let rest = name;
    while (rest.includes('\n')) {
      const note = BINARY_NOTE.exec(rest);
      if (note === null) break;
      this.receiver.onBinary(this.pathOf(note[1] ?? ''));
      rest = rest.slice(note[0].length);
    }
    return rest;
  }
}

const COLON = 58;
const ZERO = 48;
const CR = 13;
const DOT = 46;
const SLASH = 47;

const toPath = (raw: string): string => {
  const path = process.platform === 'win32' ? raw.replaceAll('\\', '/') : raw;
  return path.startsWith('./') ? path.slice(2) : path;
};

/**
 * A matching line as shown in results: without its line ending, and cut if it is too long. Removes all CRs at its end:
 * ripgrep adds one to a last line that ends with CR alone.
 */
export function shownLine(text: string, from = 0, to = text.length): string {
  let end = to;
  while (end > from && text.charCodeAt(end - 1) === CR) end -= 1;
  const line = text.slice(from, end);
  if (line.length * 3 <= MAX_COLUMNS) return line;
  const bytes = Buffer.from(line);
  if (bytes.length <= MAX_COLUMNS) return line;
  let kept = MAX_COLUMNS;
  // Never cut within a character.
  while (((bytes[kept] ?? 0) & 0xc0) === 0x80) kept -= 1;
  return bytes.toString('utf8', 0, kept) + OMITTED;
}

/** Parses names that each end with NUL. */
export class NameRecords {
  private tail: Buffer[] = [];

  constructor(private readonly onNames: (paths: string[]) => boolean) {}

  take(chunk: Buffer): boolean {
    const end = chunk.lastIndexOf(0);
    if (end < 0) {
      this.tail.push(chunk);
      return false;
    }
    const head = chunk.subarray(0, end);
    const data = this.tail.length === 0 ? head : Buffer.concat([...this.tail, head]);
    this.tail = end + 1 === chunk.length ? [] : [chunk.subarray(end + 1)];
    const [encoding, pathOf] = isUtf8(data)
      ? (['utf8', textOfPath] as const)
      : (['latin1', textOfLatin1] as const);
    const paths: string[] = [];
    // Decoded one by one, from behind the `./`: parts of a longer text take twice as long to sort.
    for (let from = 0; from <= data.length; ) {
      const nul = data.indexOf(0, from);
      const to = nul === -1 ? data.length : nul;
      const at = data[from] === DOT && data[from + 1] === SLASH ? from + 2 : from;
      paths.push(toPath(pathOf(data.toString(encoding, at, to))));
      from = to + 1;
    }
    return this.onNames(paths);
  }
}

/** Milliseconds for which a part of long work may block the thread. */
const SLICE = 3;
/** Items sorted or copied between two checks of the clock. */
const RUN = 512;

/**
 * Sorts without blocking the thread for long: sorts runs first, then merges them in pairs. `sortRun` sorts a run of `size`
 * items in place.
 */
async function sortInSlices<T>(
  items: T[],
  compare: (a: T, b: T) => number,
  size = RUN,
  sortRun = (run: T[]): T[] => run.sort(compare),
): Promise<T[]> {
  const clock = new Slices();
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += size) {
    runs.push(sortRun(items.slice(from, from + size)));
    await clock.yieldWhenDue();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, clock));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(left: T[], right: T[], compare: (a: T, b: T) => number, clock: Slices): Promise<T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length && r < right.length) {
    const [a, b] = [left[l] as T, right[r] as T];
    if (compare(a, b) <= 0) {
      merged.push(a);
      l += 1;
    } else {
      merged.push(b);
      r += 1;
    }
    if (merged.length % RUN === 0) await clock.yieldWhenDue();
  }
  for (; l < left.length; l += 1) merged.push(left[l] as T);
  for (; r < right.length; r += 1) merged.push(right[r] as T);
  return merged;
}

class Slices {
  private since = performance.now();

  /** Yields the thread when a slice is over. */
  async yieldWhenDue(): Promise<void> {
    if (performance.now() - this.since < SLICE) return;
    await nextTurn();
    this.since = performance.now();
  }
}

/** Paths that are sorted at once, which takes about 5 ms. */
const PATH_RUN = 8_192;

/** Sorts paths by code units. That is also the engine's own order, which is faster than a function. */
export const sortPaths = (paths: string[]): Promise<string[]> =>
  sortInSlices(paths, byCodeUnit, PATH_RUN, (run) => run.sort());

/** Maps the items in order without blocking the thread for long. */
export async function mapInSlices<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const clock = new Slices();
  const made: R[] = [];
  for (const item of items) {
    made.push(make(item));
    if (made.length % RUN === 0) await clock.yieldWhenDue();
  }
  return made;
}

interface FileMatches {
  path: string;
  /** Start and end of its matches among all matches. */
  from: number;
  to: number;
  /** Its matches do not count. */
  isDropped: boolean;
}

/** Matches in the order of arrival, with a file's matches together. */
export class Matches {
  private readonly all: GrepMatch[] = [];
  private readonly files: FileMatches[] = [];
  private last: FileMatches | null = null;
  /** Matches that do not count. */
  private dropped = 0;

  get count(): number {
    return this.all.length - this.dropped;
  }

  add(match: GrepMatch): void {
    if (this.last?.path !== match.path) {
      this.last = { path: match.path, from: this.all.length, to: 0, isDropped: false };
      this.files.push(this.last);
    }
    this.all.push(match);
    this.last.to = this.all.length;
  }

  /** Binary files have no matches: drops the ones found before that was known. */
  dropFile(path: string): void {
    const file = this.files.findLast((one) => one.path === path);
    if (file !== undefined && !file.isDropped) this.drop(file);
  }

  /** The files with matches, each once. */
  paths(): string[] {
    return this.files.filter((file) => !file.isDropped).map((file) => file.path);
  }

  /** Drops all matches of some files. Matches added later count. */
  discard(isDoubtful: (path: string) => boolean): void {
    for (const file of this.files) if (!file.isDropped && isDoubtful(file.path)) this.drop(file);
    this.last = null;
  }

  private drop(file: FileMatches): void {
    file.isDropped = true;
    this.dropped += file.to - file.from;
  }

  /** In the order of paths, and of lines in each path. */
  async sorted(): Promise<GrepMatch[]> {
    const clock = new Slices();
    const kept = this.dropped > 0 ? this.files.filter((file) => !file.isDropped) : this.files;
    const sorted: GrepMatch[] = [];
    for (const { from, to } of await sortInSlices(kept, (a, b) => byCodeUnit(a.path, b.path))) {
      for (let at = from; at < to; at += 1) sorted.push(this.all[at] as GrepMatch);
      await clock.yieldWhenDue();
    }
    return sorted;
  }
}
