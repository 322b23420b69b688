import { type Failure, failure, isFailure } from './failure';
import { compileGlob, type GlobMatcher } from './glob';
import type { RootGuard } from './guard';
import { IGNORE_FILES, rulesWithin } from './ignore-rules';
import { asDirectory, type CheckedPath } from './paths';
import type { CallOptions, FileInfo, GlobResult, GrepOptions, GrepResult } from './protocol';
import { runSearch, type SearchRun } from './search';
import { LineRecords, Matches, mapInSlices, NameRecords, sortPaths } from './search-records';
import { looksBinary, SNIFF_BYTES } from './text';

/** Matches and files of one search when the caller sets no limit: what a process can hold with ease. */
const MAX_MATCHES = 500_000;
const MAX_FILES = 200_000;
/** Characters of all matches together, for the same reason. */
const MAX_TEXT = 256 * 1024 * 1024;
/** Bytes of an ignore file above the searched folder. */
const MAX_RULES = 1024 * 1024;

export interface FileSearch extends GrepOptions {
  pattern: string;
  glob: string | null;
  maxCount: number | null;
}

/** What cannot be searched for, the same on every backend. */
export function checkPattern(pattern: unknown): Failure | null {
  if (typeof pattern !== 'string' || pattern === '')
    return failure('invalid', 'Search pattern cannot be empty');
  if (/[\r\n\0]/.test(pattern))
    return failure('invalid', 'Search pattern cannot span lines: search for one line of it.');
  return null;
}

/** The cap of a search: a number above 0, or the bound of the process. */
export const capOf = (maxCount: number | null): number =>
  maxCount === null ? MAX_MATCHES : Math.max(0, Math.min(MAX_MATCHES, Math.trunc(maxCount)));

/** Lines that match, below a directory or in one file, in the order of paths and lines; stops one past the cap. */
export async function searchFiles(
  guard: RootGuard,
  at: CheckedPath,
  search: FileSearch,
): Promise<GrepResult> {
  const unusable = checkPattern(search.pattern);
  if (unusable !== null) return unusable;
  const include = search.glob === null || search.glob === '' ? null : compileGlob(search.glob);
  if (include !== null && 'error' in include) return include;
  const kind = at.segments.length === 0 ? 'directory' : await guard.kindOf(at);
  if (typeof kind !== 'string') return kind;
  return kind === 'file' ? searchOne(guard, at, search, include) : searchBelow(guard, at, search, include);
}

async function searchBelow(
  guard: RootGuard,
  at: CheckedPath,
  search: FileSearch,
  include: GlobMatcher | null,
): Promise<GrepResult> {
  const outerRules = await rulesAbove(guard, at);
  const held = await guard.openDirectory(at);
  if (isFailure(held)) return held;
  const found = new Collector(capOf(search.maxCount), include, asDirectory(at.path), '', search.sees);
  try {
    return await found.run(search, {
      kind: 'folder',
      path: held.path,
      outerRules,
      ...scopeOf(search.glob, include),
    });
  } finally {
    await held.close();
  }
}

/** One file goes in as an open handle, so that nothing can be put in its place between the check and the search. */
async function searchOne(
  guard: RootGuard,
  at: CheckedPath,
  search: FileSearch,
  include: GlobMatcher | null,
): Promise<GrepResult> {
  const name = at.segments.at(-1) ?? '';
  const isWanted = (include === null || include.matches(name)) && (search.sees?.(at.path) ?? true);
  if (!isWanted) return { matches: [], truncated: false };
  const file = await guard.openFile(at);
  if (isFailure(file)) return file;
  const found = new Collector(capOf(search.maxCount), null, null, at.path);
  try {
    const head = Buffer.alloc(SNIFF_BYTES);
    const { bytesRead } = await file.handle.read(head, 0, SNIFF_BYTES, 0);
    if (looksBinary(head.subarray(0, bytesRead))) return { matches: [], truncated: false };
    return await found.run(search, { kind: 'file', fd: file.handle.fd });
  } finally {
    await file.handle.close();
  }
}

class Collector {
  private readonly matches = new Matches();
  private over = false;
  private characters = 0;
  /** The path asked last, since matches of a file come together. */
  private lastPath: string | null = null;
  private lastShown = '';
  private lastIncluded = true;

  constructor(
    private readonly cap: number,
    private readonly include: GlobMatcher | null,
    private readonly folder: string | null,
    private readonly file = '',
    private readonly sees: ((path: string) => boolean) | undefined = undefined,
  ) {}

  async run(search: FileSearch, where: SearchRun['where']): Promise<GrepResult> {
    const records = new LineRecords({
      onMatch: (path, line, text) => this.add(path, line, text),
      onBinary: (path) => this.matches.dropFile(this.shown(path)),
    });
    const end = await runSearch({
      find: { kind: 'lines', pattern: search.pattern, regex: search.regex ?? false },
      where,
      onChunk: (chunk) => records.take(chunk),
      timeoutMs: search.timeoutMs,
      signal: search.signal,
    });
    if (isFailure(end)) return end;
    records.end();
    return {
      matches: await this.matches.sorted(),
      truncated: this.over || end.timedOut || end.incomplete,
    };
  }

  private add(path: string, line: number, text: string): boolean {
    if (path !== this.lastPath) {
      this.lastPath = path;
      this.lastShown = this.shown(path);
      this.lastIncluded =
        (this.include === null || this.include.matches(path)) && (this.sees?.(this.lastShown) ?? true);
    }
    if (!this.lastIncluded) return false;
    this.characters += text.length;
    if (this.matches.count >= this.cap || this.characters > MAX_TEXT) {
      this.over = true;
      return true;
    }
    this.matches.add({ path: this.lastShown, line, text });
    return false;
  }

  private shown(path: string): string {
    return this.folder === null ? this.file : this.folder + path;
  }
}

/**
 * What the ignore files between the root and a folder say of what is in there; none above the root counts. Their rules
 * come after those of the files inside, also where ripgrep would put an `.ignore` above before a `.gitignore` inside.
 */
async function rulesAbove(guard: RootGuard, at: CheckedPath): Promise<string> {
  const texts: string[] = [];
  // The last rule of the file decides: the weakest kind first, of each the file that is farthest away.
  for (const file of [...IGNORE_FILES].reverse())
    for (let depth = 0; depth < at.segments.length; depth += 1) {
      const segments = [...at.segments.slice(0, depth), ...file.split('/')];
      const opened = await guard.openFile({ path: `/${segments.join('/')}`, segments });
      if (isFailure(opened)) continue;
      try {
        const bytes = Buffer.alloc(Math.min(Number(opened.stat.size), MAX_RULES));
        const { bytesRead } = await opened.handle.read(bytes, 0, bytes.length, 0);
        texts.push(rulesWithin(bytes.toString('utf8', 0, bytesRead), at.segments.slice(depth)));
      } finally {
        await opened.handle.close();
      }
    }
  return texts.join('');
}

/** What can be left to the searcher of what a glob says. The matcher decides in any case. */
function scopeOf(
  glob: string | null,
  include: GlobMatcher | null,
): { hidden: 'none' | 'all'; only: string | null } {
  if (glob === null || include === null) return { hidden: 'none', only: null };
  const hidden = include.wantsHidden ? 'all' : 'none';
  const base = glob.includes('{') ? glob : glob.slice(glob.lastIndexOf('/') + 1);
  // Only plain patterns: a file type goes by base names, and by bytes.
  const plain = /^[\w.*{},-]+$/.test(base) && !base.includes('**') && !/\{[^}]*\{/.test(base);
  return { hidden, only: plain ? base : '*' };
}

/** Regular files below a directory whose path matches, in the order of paths; sizes and times are left out. */
export async function listFiles(
  guard: RootGuard,
  at: CheckedPath,
  pattern: string,
  options: CallOptions,
): Promise<GlobResult> {
  const matcher = compileGlob(pattern);
  if (isFailure(matcher)) return matcher;
  const outerRules = await rulesAbove(guard, at);
  const held = await guard.openDirectory(at);
  if (isFailure(held)) return held;
  const { sees } = options;
  const folder = asDirectory(at.path);
  const paths: string[] = [];
  let over = false;
  const names = new NameRecords((found) => {
    for (const path of found)
      if (matcher.matches(path) && (sees === undefined || sees(folder + path))) paths.push(path);
    over = paths.length > MAX_FILES;
    return over;
  });
  try {
    const end = await runSearch({
      find: { kind: 'names' },
      where: { kind: 'folder', path: held.path, outerRules, ...scopeOf(pattern, matcher) },
      onChunk: (chunk) => names.take(chunk),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    });
    if (isFailure(end)) return end;
    if (over) paths.length = MAX_FILES;
    const files = await mapInSlices(
      await sortPaths(paths),
      (path): FileInfo => ({ path: folder + path, is_dir: false }),
    );
    return { files, truncated: over || end.timedOut || end.incomplete };
  } finally {
    await held.close();
  }
}
