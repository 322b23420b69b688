import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from './failure';
import { asBytes, IGNORE_FILES, type IgnoreRules, parseIgnoreFile } from './ignore-rules';
import { byCodeUnit } from './paths';
import { SENT_COLUMNS } from './search-records';

/** What is looked for: lines (a text, or a regular expression as `translateRegex` made it), or names of files. */
export type ScanTarget =
  | { kind: 'literal'; text: string }
  | { kind: 'regex'; source: string; ignoreCase: boolean; literal: string }
  | { kind: 'names' };

export type ScanPlace =
  /** A directory's host path. `outerRules`: an ignore file for it, whose rules come after those inside. */
  | { kind: 'folder'; path: string; outerRules: string; hidden: HiddenNames }
  /** A regular file that is open for reading. */
  | { kind: 'file'; fd: number }
  /** Not looked through for NUL. */
  | { kind: 'text'; text: string };

/** Names with a leading dot that are looked at though no ignore file brings them back. */
export type HiddenNames = 'none' | 'files' | 'all';

export interface ScanOutput {
  /** Bytes as ripgrep prints them (`search-records.ts`); the array is the receiver's. False: no more is wanted. */
  write(bytes: Uint8Array): boolean;
  /** Asked often; true ends the scan. */
  stopped(): boolean;
}

/** `incomplete`: a part lies deeper than the system can name. */
export interface ScanEnd {
  incomplete: boolean;
}

const BLOCK = 64 * 1024;
/** Bytes that are read at a time. */
const READ_SIZE = 1024 * 1024;
/** Bytes of one line; beyond, the line's begin is all that is looked at. */
const MAX_LINE = 256 * 1024 * 1024;
const OPEN_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OPEN_FOLDER = OPEN_FILE | (constants.O_DIRECTORY ?? 0);
const HANDLES_HAVE_PATHS = existsSync('/proc/self/fd');
const NEWLINE = 10;

/**
 * What ripgrep does with the arguments that we give it, in this thread, synchronously: for a worker. Folders are read
 * one after the other; what cannot be opened is left out, links are not followed, binary files have no matches.
 */
export function scan(target: ScanTarget, place: ScanPlace, output: ScanOutput): ScanEnd {
  const records = new Records(output);
  const search = target.kind === 'names' ? null : new LineSearch(finderOf(target), records);
  let incomplete = false;
  if (place.kind === 'text') search?.search('', textSource(place.text), false);
  else if (place.kind === 'file') search?.search('', fileSource(place.fd), true);
  else incomplete = new Walk(place, output, search, records).run();
  records.flush();
  return { incomplete };
}

/** Collects output into blocks. */
class Records {
  private block = Buffer.allocUnsafeSlow(BLOCK);
  private used = 0;
  done = false;

  constructor(private readonly output: ScanOutput) {}

  name(path: string): void {
    const bytes = Buffer.from(path);
    const at = this.room(bytes.length + 1);
    bytes.copy(this.block, at);
    this.block[at + bytes.length] = 0;
  }

  /** `text` without its line end. */
  line(path: Buffer, number: number, text: Uint8Array): void {
    const shown = text.length > SENT_COLUMNS ? text.subarray(0, SENT_COLUMNS) : text;
    const count = `${number}:`;
    let at = this.room(path.length + 1 + count.length + shown.length + 1);
    at += path.copy(this.block, at);
    this.block[at] = 0;
    at += 1 + this.block.write(count, at + 1, 'latin1');
    this.block.set(shown, at);
    this.block[at + shown.length] = NEWLINE;
  }

  flush(): void {
    if (this.used === 0 || this.done) return;
    this.done = !this.output.write(this.block.subarray(0, this.used));
    this.block = Buffer.allocUnsafeSlow(BLOCK);
    this.used = 0;
  }

  private room(bytes: number): number {
    if (this.used + bytes > this.block.length) this.flush();
    if (bytes > this.block.length) this.block = Buffer.allocUnsafeSlow(bytes);
    const at = this.used;
    this.used += bytes;
    return at;
  }
}

interface RulesOf {
  parent: RulesOf | null;
  /** Characters (bytes of UTF-8) of its folder's path, final `/` included. */
  from: number;
  /** By kind of ignore file, the winning kind first. */
  rules: (IgnoreRules | null)[];
}

interface Folder {
  /** Relative, '' for the first. */
  path: string;
  rules: RulesOf | null;
}

class Walk {
  private readonly pending: Folder[] = [{ path: '', rules: null }];
  private readonly outer: IgnoreRules | null;
  private readonly root: string;
  private incomplete = false;

  constructor(
    private readonly place: Extract<ScanPlace, { kind: 'folder' }>,
    private readonly output: ScanOutput,
    private readonly search: LineSearch | null,
    private readonly records: Records,
  ) {
    this.outer = parseIgnoreFile(place.outerRules);
    this.root = HANDLES_HAVE_PATHS ? readlinkOf(place.path) : place.path;
  }

  /** Whether something was left out because its path is too long. */
  run(): boolean {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      if (this.output.stopped() || this.records.done) break;
      this.folder(next);
    }
    return this.incomplete;
  }

  private folder({ path, rules: outerRules }: Folder): void {
    const host = path === '' ? this.place.path : join(this.place.path, path);
    let held: number | null = null;
    try {
      if (HANDLES_HAVE_PATHS) {
        held = openSync(path === '' ? `${host}/.` : host, OPEN_FOLDER);
        // A link that was put in its place after its parent was read leads elsewhere.
        const place = readlinkSync(`/proc/self/fd/${held}`);
        if (place !== (path === '' ? this.root : join(this.root, path))) return;
      }
      this.entries(path, held === null ? host : `/proc/self/fd/${held}`, outerRules);
    } catch (thrown) {
      if (systemCode(thrown) === 'ENAMETOOLONG') this.incomplete = true;
      else if (systemCode(thrown) === '') throw thrown;
    } finally {
      if (held !== null) closeSync(held);
    }
  }

  private entries(path: string, host: string, outerRules: RulesOf | null): void {
    const entries = readdirSync(host, { withFileTypes: true });
    const names = new Set<string>();
    for (const { name } of entries) if (name.startsWith('.')) names.add(name);
    const rules = this.rulesOf(path, host, names, outerRules);
    const prefix = path === '' ? '' : `${path}/`;
    const folders: Folder[] = [];
    entries.sort((a, b) => byCodeUnit(a.name, b.name));
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      const inner = prefix + entry.name;
      if (!this.wanted(inner, entry.name, isFolder, rules)) continue;
      if (isFolder) folders.push({ path: inner, rules });
      else if (this.search === null) this.records.name(inner);
      else this.file(inner, `${host}/${entry.name}`, this.search);
      if (this.records.done || this.output.stopped()) return;
    }
    for (const folder of folders.reverse()) this.pending.push(folder);
  }

  private wanted(path: string, name: string, isFolder: boolean, rules: RulesOf | null): boolean {
    const verdict =
      rules === null && this.outer === null ? null : this.verdict(asBytes(path), isFolder, rules);
    if (verdict !== null) return verdict === 'kept';
    if (!name.startsWith('.') || this.place.hidden === 'all') return true;
    return !isFolder && this.place.hidden === 'files';
  }

  /** The kinds of ignore files in their order; of one kind, the file nearest to the path. */
  private verdict(path: string, isFolder: boolean, rules: RulesOf | null): 'ignored' | 'kept' | null {
    for (let kind = 0; kind < IGNORE_FILES.length; kind += 1)
      for (let at = rules; at !== null; at = at.parent) {
        const verdict = at.rules[kind]?.(path.slice(at.from), isFolder) ?? null;
        if (verdict !== null) return verdict;
      }
    return this.outer?.(path, isFolder) ?? null;
  }

  private rulesOf(path: string, host: string, names: Set<string>, outer: RulesOf | null): RulesOf | null {
    const rules = IGNORE_FILES.map((file) => {
      const [first = ''] = file.split('/');
      const text = names.has(first) ? readRules(`${host}/${file}`) : null;
      return text === null ? null : parseIgnoreFile(text);
    });
    if (rules.every((one) => one === null)) return outer;
    return { parent: outer, from: path === '' ? 0 : asBytes(path).length + 1, rules };
  }

  private file(path: string, host: string, search: LineSearch): void {
    let fd: number;
    try {
      fd = openSync(host, OPEN_FILE);
    } catch (thrown) {
      if (systemCode(thrown) === '') throw thrown;
      if (systemCode(thrown) === 'ENAMETOOLONG') this.incomplete = true;
      return;
    }
    try {
      // Something else may have been put in its place since the folder was read.
      if (HANDLES_HAVE_PATHS || fstatSync(fd).isFile()) search.search(path, fileSource(fd), true);
    } catch (thrown) {
      if (systemCode(thrown) === '') throw thrown;
    } finally {
      closeSync(fd);
    }
  }
}

function readlinkOf(path: string): string {
  return path.startsWith('/proc/self/fd/') ? readlinkSync(path) : path;
}

/** An ignore file's text up to its first line that is not UTF-8; null where there is none. */
function readRules(host: string): string | null {
  let fd: number;
  try {
    // Links are followed here, as ripgrep does; a pipe would be waited for.
    fd = openSync(host, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    if (systemCode(thrown) === '') throw thrown;
    return null;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return null;
    const bytes = Buffer.alloc(Math.min(stat.size, MAX_RULES));
    const text = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
    if (isUtf8(text)) return text.toString('utf8');
    const lines: string[] = [];
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf(NEWLINE, from);
      const line = text.subarray(from, end < 0 ? text.length : end);
      if (!isUtf8(line)) break;
      lines.push(line.toString('utf8'));
      from += line.length + 1;
    }
    return lines.join('\n');
  } catch (thrown) {
    if (systemCode(thrown) === '') throw thrown;
    return null;
  } finally {
    closeSync(fd);
  }
}

/** Bytes of an ignore file that are looked at. */
const MAX_RULES = 4 * 1024 * 1024;

/** Gives the next bytes into `buffer` from `at` on; 0 at the end. */
type Source = (buffer: Buffer, at: number, position: number) => number;

const fileSource =
  (fd: number): Source =>
  (buffer, at, position) =>
    readSync(fd, buffer, at, buffer.length - at, position);

function textSource(text: string): Source {
  const bytes = Buffer.from(text);
  return (buffer, at, position) => bytes.copy(buffer, at, position);
}

/** Where the first line at or after `from` that matches begins and ends; null for none. Whole lines are given. */
type Finder = {
  /** Cheap and certain: none of these bytes can match. */
  excludes: (bytes: Buffer) => boolean;
  lines: (bytes: Buffer, onLine: (from: number, to: number) => boolean) => void;
};

function finderOf(target: Exclude<ScanTarget, { kind: 'names' }>): Finder {
  return target.kind === 'literal' ? literalFinder(target.text) : regexFinder(target);
}

function literalFinder(text: string): Finder {
  const wanted = Buffer.from(text);
  return {
    excludes: (bytes) => !bytes.includes(wanted),
    lines: (bytes, onLine) => {
      for (let hit = bytes.indexOf(wanted); hit >= 0; ) {
        const end = bytes.indexOf(NEWLINE, hit);
        const to = end < 0 ? bytes.length : end;
        if (onLine(hit === 0 ? 0 : bytes.lastIndexOf(NEWLINE, hit) + 1, to) || end < 0) return;
        hit = bytes.indexOf(wanted, end + 1);
      }
    },
  };
}

function regexFinder(target: { source: string; ignoreCase: boolean; literal: string }): Finder {
  const regex = new RegExp(target.source, target.ignoreCase ? 'giu' : 'gu');
  const literal = Buffer.from(target.literal);
  return {
    excludes: (bytes) => literal.length > 0 && !bytes.includes(literal),
    lines: (bytes, onLine) => {
      if (isUtf8(bytes)) linesOfText(bytes, regex, onLine);
      else linesOfBytes(bytes, regex, onLine);
    },
  };
}

function linesOfText(bytes: Buffer, regex: RegExp, onLine: (from: number, to: number) => boolean): void {
  const text = bytes.toString('utf8');
  const plain = text.length === bytes.length;
  // Bytes and characters of what was passed, where the two differ.
  let [chars, passed] = [0, 0];
  const offset = (at: number): number => {
    if (plain) return at;
    passed += Buffer.byteLength(text.slice(chars, at));
    chars = at;
    return passed;
  };
  regex.lastIndex = 0;
  for (let found = regex.exec(text); found !== null; found = regex.exec(text)) {
    const from = found.index === 0 ? 0 : text.lastIndexOf('\n', found.index - 1) + 1;
    const end = text.indexOf('\n', found.index);
    const to = end < 0 ? text.length : end;
    // After the last line end there is no further line.
    if (from === text.length && text.length > 0) return;
    if (onLine(offset(from), offset(to)) || end < 0) return;
    regex.lastIndex = end + 1;
  }
}

/** Line by line, with a half of a pair for each byte that is no UTF-8: nothing but itself matches it. */
function linesOfBytes(bytes: Buffer, regex: RegExp, onLine: (from: number, to: number) => boolean): void {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const to = end < 0 ? bytes.length : end;
    const line = bytes.subarray(from, to);
    regex.lastIndex = 0;
    if (regex.test(isUtf8(line) ? line.toString('utf8') : escapedText(line)) && onLine(from, to)) return;
    from = to + 1;
  }
}

function escapedText(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const char = bytes.subarray(at, at + length);
    if (isUtf8(char)) {
      text += char.toString('utf8');
      at += length;
    } else {
      text += String.fromCharCode(0xdc00 + first);
      at += 1;
    }
  }
  return text;
}

/** Searches one file after the other, through one buffer. */
class LineSearch {
  private buffer = Buffer.allocUnsafeSlow(READ_SIZE);

  constructor(
    private readonly finder: Finder,
    private readonly records: Records,
  ) {}

  /** `sniff`: a byte order mark says how the text is encoded and is no part of it; a NUL makes the file binary. */
  search(path: string, source: Source, sniff: boolean): void {
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
        if (this.buffer.length >= MAX_LINE) return;
        this.grow();
        used = more;
        continue;
      }
      const block = bytes.subarray(0, whole);
      const excluded = block.length === 0 || this.finder.excludes(block);
      // In a file with matches no NUL may be, before or after them.
      if (sniff && (!excluded || !atEnd || found.length > 0) && block.includes(0)) return;
      if (!excluded) lines = this.collect(block, lines, found, !atEnd);
      else if (!atEnd) lines += countLines(block, 0, block.length);
      if (atEnd) break;
      this.buffer.copyWithin(0, whole, more);
      used = more - whole;
    }
    if (found.length === 0) return;
    const name = Buffer.from(path);
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

/** Matches of one file; a search takes fewer in all. */
const MAX_FOUND = 500_000;

function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1) if (bytes[at] === NEWLINE) lines += 1;
  return lines;
}

function wideEncoding(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** The same text in UTF-8. */
function decodedSource(source: Source, encoding: string): Source {
  const decoder = new TextDecoder(encoding);
  const raw = Buffer.alloc(BLOCK);
  let consumed = 0;
  let ready = Buffer.alloc(0);
  let ended = false;
  return (buffer, at) => {
    while (ready.length === 0 && !ended) {
      const got = source(raw, 0, consumed);
      consumed += got;
      ended = got === 0;
      ready = Buffer.from(decoder.decode(raw.subarray(0, got), { stream: !ended }));
    }
    const taken = ready.copy(buffer, at);
    ready = ready.subarray(taken);
    return taken;
  };
}
