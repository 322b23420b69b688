import { isUtf8 } from 'node:buffer';
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { asBytes, type IgnoreRules, parseIgnoreFile } from '../../../../base/globs/ignore-rules';
import { IGNORE_NAMES, MAX_IGNORE_FILE } from '../../../../base/ignore-files';
import { readRegularBytesSync } from '../../../../base/open-regular-sync';
import { isRefused } from '../../../../base/regular-file';
import { systemCode } from '../../failure';
import { byCodeUnit } from '../../paths';
import type { ScanOutput, ScanPlace } from './job';
import type { LineSearch } from './line-search';
import type { Records } from './output';
import { fileSource } from './source';

const OPEN_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OPEN_FOLDER = OPEN_FILE | (constants.O_DIRECTORY ?? 0);
/** Linux can name the file of a handle, which closes every race. */
const HANDLES_HAVE_PATHS = existsSync('/proc/self/fd');
const NEWLINE = 10;
/** Like ripgrep, skips what is gone, replaced by a link or not permitted. Other errors mean that there may be more. */
const PASSED_OVER = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EMLINK',
  'EACCES',
  'EPERM',
  'ENXIO',
  'EISDIR',
  'EAGAIN',
]);

interface RulesOf {
  parent: RulesOf | null;
  /** Bytes of its folder's path, including the trailing `/`. */
  from: number;
  /** By kind of ignore file, the strongest kind first. */
  rules: (IgnoreRules | null)[];
}

interface Folder {
  /** Relative, '' for the first. Paths hold bytes, one per character: names need not be UTF-8. */
  path: string;
  rules: RulesOf | null;
}

/** Walks a folder and everything below it, without links, following ignore files and the rule about leading dots. */
export class Walk {
  private readonly pending: Folder[] = [{ path: '', rules: null }];
  private readonly outer: IgnoreRules | null;
  private readonly start: string;
  /** The location of `start` if that names a handle. */
  private readonly root: string;
  private incomplete = false;

  constructor(
    private readonly place: Extract<ScanPlace, { kind: 'folder' }>,
    private readonly output: ScanOutput,
    private readonly search: LineSearch | null,
    private readonly records: Records,
  ) {
    this.outer = parseIgnoreFile(place.outerRules);
    this.start = asBytes(place.path);
    this.root = HANDLES_HAVE_PATHS ? placeOf(this.start) : this.start;
  }

  /** Returns whether something was skipped for another reason than being gone or not permitted. */
  run(): boolean {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      if (this.output.stopped() || this.records.done) break;
      this.folder(next);
    }
    return this.incomplete;
  }

  private folder({ path, rules: outerRules }: Folder): void {
    const host = path === '' ? this.start : `${this.start}/${path}`;
    let held: number | null = null;
    try {
      if (HANDLES_HAVE_PATHS) {
        held = openSync(toHost(path === '' ? `${host}/.` : host), OPEN_FOLDER);
        // If a parent was replaced by a link after it was read, the path leads elsewhere.
        const expected = path === '' ? this.root : `${this.root === '/' ? '' : this.root}/${path}`;
        if (placeOf(`/proc/self/fd/${held}`) !== expected) {
          this.incomplete = true;
          return;
        }
      }
      this.entries(path, held === null ? host : `/proc/self/fd/${held}`, outerRules);
    } catch (thrown) {
      this.leaveOut(thrown);
    } finally {
      if (held !== null) closeSync(held);
    }
  }

  private entries(path: string, host: string, outerRules: RulesOf | null): void {
    const entries = readdirSync(toHost(host), { withFileTypes: true, encoding: 'latin1' });
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
    const verdict = this.verdict(path, isFolder, rules);
    if (this.place.hidden === 'not-git' && isFolder && name === '.git') return false;
    if (verdict !== null) return verdict === 'kept';
    if (this.place.hidden === 'not-git') return true;
    if (!name.startsWith('.') || this.place.hidden === 'all') return true;
    return !isFolder && this.place.hidden === 'files';
  }

  /** Ignore files by kind, in order. Within a kind, the file nearest to the path. */
  private verdict(path: string, isFolder: boolean, rules: RulesOf | null): 'ignored' | 'kept' | null {
    for (let kind = 0; kind < IGNORE_NAMES.length; kind += 1)
      for (let at = rules; at !== null; at = at.parent) {
        const verdict = at.rules[kind]?.(path.slice(at.from), isFolder) ?? null;
        if (verdict !== null) return verdict;
      }
    return this.outer?.(path, isFolder) ?? null;
  }

  private rulesOf(path: string, host: string, names: Set<string>, outer: RulesOf | null): RulesOf | null {
    const rules = IGNORE_NAMES.map((file) => {
      const text = names.has(file) ? readRules(`${host}/${file}`, this.root) : null;
      return text === null ? null : parseIgnoreFile(text);
    });
    if (rules.every((one) => one === null)) return outer;
    return { parent: outer, from: path === '' ? 0 : path.length + 1, rules };
  }

  private file(path: string, host: string, search: LineSearch): void {
    let fd: number;
    try {
      fd = openSync(toHost(host), OPEN_FILE);
    } catch (thrown) {
      this.leaveOut(thrown);
      return;
    }
    try {
      // Something else may have replaced it since the folder was read.
      if (fstatSync(fd).isFile()) search.search(path, fileSource(fd), true);
    } catch (thrown) {
      this.leaveOut(thrown);
    } finally {
      closeSync(fd);
    }
  }

  private leaveOut(thrown: unknown): void {
    const code = systemCode(thrown);
    if (code === '') throw thrown;
    if (!PASSED_OVER.has(code)) this.incomplete = true;
  }
}

/** Converts a path of bytes for the file system. */
const toHost = (path: string): string | Buffer =>
  /^[\0-\x7f]*$/.test(path) ? path : Buffer.from(path, 'latin1');

/** The location of a handle that a path names. Other paths are their own location. */
const placeOf = (path: string): string =>
  path.startsWith('/proc/self/fd/') ? readlinkSync(path, { encoding: 'latin1' }) : path;

/**
 * The text of an ignore file up to its first line that is not UTF-8. Null if it is missing, too large, or leads out of
 * `root`.
 */
function readRules(host: string, root: string): string | null {
  const text = readRegularBytesSync(
    Buffer.from(host, 'latin1'),
    Buffer.from(root, 'latin1'),
    MAX_IGNORE_FILE,
  );
  if (isRefused(text)) return null;
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
}
