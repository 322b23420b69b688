import { read } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileGlob, type GlobMatcher } from '../../../base/globs/glob';
import { EXCLUDE_FILE, rulesWithin } from '../../../base/globs/ignore-rules';
import { IGNORE_NAMES, MAX_IGNORE_FILE } from '../../../base/ignore-files';
import { listRegular, openRegular } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import type { RootGuard } from '../disk/guard';
import { type Moment, parentOf, thisMoment, unsteadyFolders } from '../disk/steady-folders';
import { type Failure, failure, isFailure } from '../failure';
import { asDirectory, type CheckedPath } from '../paths';
import type { CallOptions, FileInfo, GlobResult, GrepOptions, GrepResult } from '../protocol';
import { looksBinary, SNIFF_BYTES } from '../text/text';
import { readUpTo } from '../text/text-file';
import { handedName } from './scan/job';
import { type EndedSearch, runSearch, SEARCH_TIMEOUT, type SearchRun } from './search';
import { LineRecords, Matches, mapInSlices, NameRecords, sortPaths } from './search-records';

const readAt = promisify(read);

/** Limits of matches and files in a search without a limit from the caller: a process can hold these easily. */
const MAX_MATCHES = 500_000;
const MAX_FILES = 200_000;
/** Limit of characters of all matches together, for the same reason. */
const MAX_TEXT = 256 * 1024 * 1024;
/** Files open at the same time to be searched one by one. */
const MAX_OPEN_FILES = 64;

export interface FileSearch extends GrepOptions {
  pattern: string;
  glob: string | null;
  maxCount: number | null;
}

/** Rejects patterns that cannot be searched for, the same on every backend. */
export function checkPattern(pattern: unknown): Failure | null {
  if (typeof pattern !== 'string' || pattern === '')
    return failure('invalid', 'Search pattern cannot be empty');
  if (/[\r\n\0]/.test(pattern))
    return failure('invalid', 'Search pattern cannot span lines: search for one line of it.');
  return null;
}

/** The limit of a search: the given one, clamped between 0 and the limit of the process. */
export const capOf = (maxCount: number | null): number =>
  maxCount === null ? MAX_MATCHES : Math.max(0, Math.min(MAX_MATCHES, Math.trunc(maxCount)));

/** Matching lines below a directory or in one file, in the order of paths and lines. Stops one past the limit. */
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

/** Passes one file as an open handle, so that nothing can replace it between the check and the search. */
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
    if (await isBinary(file.handle.fd)) return { matches: [], truncated: false };
    return await found.run(search, { kind: 'file', fd: file.handle.fd });
  } finally {
    await file.handle.close();
  }
}

async function isBinary(fd: number): Promise<boolean> {
  const head = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await readAt(fd, head, 0, SNIFF_BYTES, 0);
  // A search recognizes UTF-16 by its byte order mark, and half of its bytes may be 0.
  const isMarked = bytesRead > 1 && (head.readUInt16LE(0) === 0xfeff || head.readUInt16BE(0) === 0xfeff);
  return !isMarked && looksBinary(head.subarray(0, bytesRead));
}

class Collector {
  private matches = new Matches();
  private over = false;
  private characters = 0;
  /** The previously checked path, since a file's matches come together. */
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
    const since = thisMoment();
    const end = await this.ask(
      search,
      where,
      (path) => path,
      () => this.forget(),
    );
    if (isFailure(end)) return end;
    const isWhole = !end.byName || where.kind !== 'folder' || (await this.verify(search, where.path, since));
    return {
      matches: await this.matches.sorted(),
      truncated: this.over || end.timedOut || end.incomplete || !isWhole,
    };
  }

  /**
   * A search opens files by name, each a moment after it saw what the name was. If a name may have meant another file by
   * then, its matches are dropped, and the current file, if it is not a link, is opened and searched itself. False: that was
   * not possible for all of them.
   */
  private async verify(search: FileSearch, held: string, since: Moment): Promise<boolean> {
    const from = this.folder?.length ?? 0;
    const paths = this.matches.paths().map((path) => path.slice(from));
    if (paths.length === 0) return true;
    const unsteady = await unsteadyFolders(held, new Set(paths.map(parentOf)), since);
    const doubtful = paths.filter((path) => unsteady.has(parentOf(path)));
    if (doubtful.length === 0) return true;
    const wasOver = this.over;
    this.matches.discard((path) => unsteady.has(parentOf(path.slice(from))));
    this.over = false;
    let isWhole = true;
    for (let at = 0; at < doubtful.length && !this.over; at += MAX_OPEN_FILES) {
      const left = (search.timeoutMs ?? SEARCH_TIMEOUT) - (performance.now() - since.steady);
      if (left <= 0) return false;
      const some = doubtful.slice(at, at + MAX_OPEN_FILES);
      isWhole = (await this.searchOpened({ ...search, timeoutMs: left }, held, some)) && isWhole;
    }
    return isWhole && !wasOver;
  }

  private async searchOpened(search: FileSearch, held: string, paths: string[]): Promise<boolean> {
    const opened = await Promise.all(
      paths.map(async (path) => {
        const file = await openRegular(join(held, path), { root: held, links: 'none' });
        return isRefused(file) ? null : { path, file };
      }),
    );
    const files = opened.filter((one) => one !== null);
    try {
      const texts: typeof files = [];
      for (const one of files) if (!(await isBinary(one.file.fd))) texts.push(one);
      if (texts.length === 0) return true;
      const names = new Map(texts.map(({ path }, index) => [handedName(index), path]));
      const place = { kind: 'files', fds: texts.map(({ file }) => file.fd) } as const;
      const mine = new Set(texts.map(({ path }) => this.shown(path)));
      const end = await this.ask(
        search,
        place,
        (name) => names.get(name) ?? null,
        () => this.matches.discard((path) => mine.has(path)),
      );
      return !isFailure(end) && !end.timedOut && !end.incomplete;
    } finally {
      await Promise.all(files.map(({ file }) => file.close()));
    }
  }

  /** `pathOf`: the path for a name from the search. Null for a name that it was not given. */
  private async ask(
    { pattern, regex = false, timeoutMs, signal }: FileSearch,
    where: SearchRun['where'],
    pathOf: (name: string) => string | null,
    onRestart: () => void,
  ): Promise<EndedSearch | Failure> {
    let records = this.records(pathOf);
    const end = await runSearch({
      find: { kind: 'lines', pattern, regex },
      where,
      onChunk: (chunk) => records.take(chunk),
      onRestart: () => {
        onRestart();
        records = this.records(pathOf);
      },
      timeoutMs,
      signal,
    });
    if (!isFailure(end)) records.end();
    return end;
  }

  private records(pathOf: (name: string) => string | null): LineRecords {
    return new LineRecords({
      onMatch: (name, line, text) => {
        const path = pathOf(name);
        return path !== null && this.add(path, line, text);
      },
      onBinary: (name) => {
        const path = pathOf(name);
        if (path !== null) this.matches.dropFile(this.shown(path));
      },
    });
  }

  private forget(): void {
    this.matches = new Matches();
    this.over = false;
    this.characters = 0;
    this.lastPath = null;
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
 * The rules for a folder from the ignore files between the root and it. None above the root counts. These rules come after
 * the rules of the files inside, even where ripgrep would put an `.ignore` above before a `.gitignore` inside. Git's rules
 * for a single clone are included.
 */
async function rulesAbove(guard: RootGuard, at: CheckedPath): Promise<string> {
  const texts: string[] = [];
  // The last rule of the file decides, so the weakest kind comes first, and of each kind the farthest file.
  for (const file of [EXCLUDE_FILE, ...[...IGNORE_NAMES].reverse()])
    for (let depth = 0; depth < at.segments.length + (file === EXCLUDE_FILE ? 1 : 0); depth += 1) {
      const segments = [...at.segments.slice(0, depth), ...file.split('/')];
      const opened = await guard.openFile({ path: `/${segments.join('/')}`, segments });
      if (isFailure(opened)) continue;
      try {
        if (opened.stat.size > MAX_IGNORE_FILE) continue;
        const bytes = await readUpTo(opened.handle, Number(opened.stat.size));
        texts.push(await rulesWithin(bytes.toString('utf8'), at.segments.slice(depth)));
      } finally {
        await opened.handle.close();
      }
    }
  return texts.join('');
}

/** The part of a glob that the search itself can apply. The matcher decides in any case. */
function scopeOf(
  glob: string | null,
  include: GlobMatcher | null,
): { hidden: 'none' | 'all' | 'not-git'; only: string | null } {
  if (glob === null || include === null) return { hidden: 'none', only: null };
  const hidden = include.entersHidden ? 'not-git' : include.wantsHidden ? 'all' : 'none';
  const base = glob.includes('{') ? glob : glob.slice(glob.lastIndexOf('/') + 1);
  // Only simple patterns: a file type matches base names, and bytes. No file type has names that end with a dot.
  const plain = /^[\w.*{},-]*[\w-]$/.test(base) && !base.includes('**') && !/\{[^}]*\{/.test(base);
  return { hidden, only: plain ? base : hidden === 'none' ? null : '*' };
}

/** Regular files below a directory whose path matches, in the order of paths, without sizes and times. */
export async function listFiles(
  guard: RootGuard,
  at: CheckedPath,
  pattern: string,
  options: CallOptions,
): Promise<GlobResult> {
  const matcher = compileGlob(pattern, { hiddenFolders: true });
  if (isFailure(matcher)) return matcher;
  const outerRules = await rulesAbove(guard, at);
  const held = await guard.openDirectory(at);
  if (isFailure(held)) return held;
  const { sees } = options;
  const folder = asDirectory(at.path);
  let paths: string[] = [];
  let over = false;
  const take = () =>
    new NameRecords((found) => {
      for (const path of found)
        if (matcher.matches(path) && (sees === undefined || sees(folder + path))) paths.push(path);
      over = paths.length > MAX_FILES;
      return over;
    });
  let names = take();
  try {
    const since = thisMoment();
    const end = await runSearch({
      find: { kind: 'names' },
      where: { kind: 'folder', path: held.path, outerRules, ...scopeOf(pattern, matcher) },
      onChunk: (chunk) => names.take(chunk),
      onRestart: () => {
        paths = [];
        over = false;
        names = take();
      },
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    });
    if (isFailure(end)) return end;
    if (end.byName) paths = await surelyInside(held.path, paths, since);
    if (over) paths.length = Math.min(paths.length, MAX_FILES);
    const files = await mapInSlices(
      await sortPaths(paths),
      (path): FileInfo => ({ path: folder + path, is_dir: false }),
    );
    return { files, truncated: over || end.timedOut || end.incomplete };
  } finally {
    await held.close();
  }
}

/** Filters paths that were listed by name down to regular files that no link leads to. */
async function surelyInside(held: string, paths: string[], since: Moment): Promise<string[]> {
  if (paths.length === 0) return paths;
  const folders = new Set(paths.map(parentOf));
  const unsteady = await unsteadyFolders(held, folders, since);
  const regular = new Map<string, Set<string>>();
  for (const folder of folders)
    if (unsteady.has(folder)) regular.set(folder, await regularFilesIn(held, folder));
  return regular.size === 0 ? paths : paths.filter((path) => regular.get(parentOf(path))?.has(path) ?? true);
}

async function regularFilesIn(held: string, folder: string): Promise<Set<string>> {
  const within = { root: held, links: 'none', maxEntries: MAX_FILES } as const;
  const listed = await listRegular(join(held, folder), within);
  if (isRefused(listed)) return new Set();
  const files = listed.entries.filter((entry) => entry.isFile());
  return new Set(files.map(({ name }) => (folder === '' ? name : `${folder}/${name}`)));
}
