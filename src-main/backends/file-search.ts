import { type Failure, failure, isFailure } from './failure';
import { compileGlob, type GlobMatcher } from './glob';
import type { RootGuard } from './guard';
import { asDirectory, byCodeUnit, type CheckedPath } from './paths';
import type { CallOptions, GlobResult, GrepMatch, GrepOptions, GrepResult } from './protocol';
import { MATCH_ARGS, MatchParser, patternArgs, runRipgrep } from './ripgrep';
import { looksBinary, SNIFF_BYTES } from './text';

/** Matches and files of one search when the caller sets no limit: what a process can hold with ease. */
const MAX_MATCHES = 500_000;
const MAX_FILES = 200_000;

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
  const held = await guard.openDirectory(at);
  if (isFailure(held)) return held;
  const found = new Collector(capOf(search.maxCount), include, asDirectory(at.path));
  try {
    const end = await runRipgrep({
      args: [
        ...MATCH_ARGS,
        ...patternArgs(search.pattern, search.regex ?? false),
        ...prefilter(search.glob, include),
        '--',
        '.',
      ],
      cwd: held.path,
      onChunk: found.onChunk,
      timeoutMs: search.timeoutMs,
      signal: search.signal,
    });
    return isFailure(end) ? end : found.result(end.timedOut);
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
  if (include !== null && !include.matches(name)) return { matches: [], truncated: false };
  const file = await guard.openFile(at);
  if (isFailure(file)) return file;
  const found = new Collector(capOf(search.maxCount), null, null, at.path);
  try {
    const head = Buffer.alloc(SNIFF_BYTES);
    const { bytesRead } = await file.handle.read(head, 0, SNIFF_BYTES, 0);
    if (looksBinary(head.subarray(0, bytesRead))) return { matches: [], truncated: false };
    const end = await runRipgrep({
      args: [...MATCH_ARGS, ...patternArgs(search.pattern, search.regex ?? false), '-'],
      cwd: process.cwd(),
      input: { fd: file.handle.fd },
      onChunk: found.onChunk,
      timeoutMs: search.timeoutMs,
      signal: search.signal,
    });
    return isFailure(end) ? end : found.result(end.timedOut);
  } finally {
    await file.handle.close();
  }
}

class Collector {
  private readonly matches: GrepMatch[] = [];
  private over = false;
  /** The path asked last, since matches of a file come together. */
  private lastPath = '';
  private lastIncluded = true;
  private readonly parser: MatchParser;

  constructor(
    private readonly cap: number,
    private readonly include: GlobMatcher | null,
    private readonly folder: string | null,
    private readonly file = '',
  ) {
    this.parser = new MatchParser((path, line, text) => this.add(path, line, text));
  }

  readonly onChunk = (chunk: Buffer): boolean => this.parser.take(chunk);

  private add(path: string, line: number, text: string): boolean {
    if (path !== this.lastPath) {
      this.lastPath = path;
      this.lastIncluded = this.include === null || this.include.matches(path);
    }
    if (!this.lastIncluded) return false;
    if (this.matches.length >= this.cap) {
      this.over = true;
      return true;
    }
    this.matches.push({ path: this.folder === null ? this.file : this.folder + path, line, text });
    return false;
  }

  result(timedOut: boolean): GrepResult {
    this.matches.sort((a, b) => byCodeUnit(a.path, b.path) || a.line - b.line);
    return { matches: this.matches, truncated: this.over || timedOut };
  }
}

/**
 * Lets ripgrep leave out what the glob cannot match, by base name: a file type, since a glob of its own (`-g`) would
 * bring ignored files back. Only plain patterns are handed on; the matcher decides in any case.
 */
function prefilter(glob: string | null, include: GlobMatcher | null): string[] {
  if (glob === null || include === null) return [];
  const hidden = include.wantsHidden ? ['--hidden'] : [];
  const base = glob.includes('{') ? glob : glob.slice(glob.lastIndexOf('/') + 1);
  if (!/^[\w.*?{},-]+$/.test(base) || base.includes('**') || /\{[^}]*\{/.test(base)) return hidden;
  return [...hidden, `--type-add=wanted:${base}`, '--type=wanted'];
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
  const held = await guard.openDirectory(at);
  if (isFailure(held)) return held;
  const paths: string[] = [];
  let rest = Buffer.alloc(0);
  let over = false;
  const onChunk = (chunk: Buffer): boolean => {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let nul = data.indexOf(0); nul >= 0; nul = data.indexOf(0, from)) {
      const raw = data.toString('utf8', from, nul).replace(/^\.[\\/]/, '');
      const path = process.platform === 'win32' ? raw.replaceAll('\\', '/') : raw;
      from = nul + 1;
      if (!matcher.matches(path)) continue;
      if (paths.length >= MAX_FILES) {
        over = true;
        return true;
      }
      paths.push(path);
    }
    rest = Buffer.from(data.subarray(from));
    return false;
  };
  try {
    const end = await runRipgrep({
      args: ['--files', '--null', ...(matcher.wantsHidden ? ['--hidden'] : []), '--', '.'],
      cwd: held.path,
      onChunk,
      timeoutMs: options.timeoutMs,
      signal: options.signal,
    });
    if (isFailure(end)) return end;
    const folder = asDirectory(at.path);
    return {
      files: paths.sort(byCodeUnit).map((path) => ({ path: folder + path, is_dir: false })),
      truncated: over || end.timedOut,
    };
  } finally {
    await held.close();
  }
}
