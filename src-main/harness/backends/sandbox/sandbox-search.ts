import { type Failure, isFailure } from '../failure';
import { byCodeUnit } from '../paths';
import type { GrepMatch, GrepOptions, GrepResult } from '../protocol';
import { posixRegex } from '../search/posix-regex';
import { SEARCH_TIMEOUT } from '../search/search';
import { shownLine } from '../search/search-records';
import { searchTexts, type TextFile } from '../search/text-search';
import { isTextMime, mimeTypeOf } from '../text/mime';
import { textOf } from '../text/text-file';
import { callOf, signalOf, wasKilled } from './sandbox-answers';
import { clientPath, type SandboxClient } from './sandbox-client';
import { type FoundLine, linesScript, type Needle, parseLines } from './sandbox-scripts';

/** Files asked about at once, and characters of their paths in one command. */
const ASKED_AT_ONCE = 50;
const MAX_PATHS = 30_000;
/** Larger files, in bytes, are not fetched to be searched here. */
const MAX_FETCHED = 10 * 1024 * 1024;

/** The part of a search's time after which no more files are looked for, so that those found can be read. */
const LOOKING = 2 / 3;

export interface SandboxSearch {
  pattern: string;
  /** What the sandbox itself looks for; null if it cannot. */
  needle: Needle | null;
  cap: number;
  /** Milliseconds of `performance.now()` when there must be an answer. */
  until: number;
  options: GrepOptions;
  client: SandboxClient;
  /** Where a file is in the sandbox. */
  onHost(path: string): string;
}

/** When a search must be over, and its options while it looks for files. */
export function searchTime<T extends GrepOptions>(options: T): { until: number; looking: T } {
  const { timeoutMs = SEARCH_TIMEOUT } = options;
  const until = performance.now() + timeoutMs;
  return { until, looking: { ...options, timeoutMs: Math.max(1, timeoutMs * LOOKING) } };
}

/** What finds at least the lines that a pattern finds, in a sandbox. */
export function needleOf(pattern: string, regex: boolean): Needle | null {
  if (!regex) return { flag: '-F', pattern };
  const posix = posixRegex(pattern);
  return posix === null ? null : { flag: '-E', pattern: posix };
}

/**
 * Matching lines of files in a sandbox. The sandbox sends only lines that may match, and regular expressions are matched on
 * those here, so that they mean the same on every backend. Only what it cannot look for itself is fetched, such as files that
 * end with `/` here, which are in UTF-16.
 */
export async function searchSandbox(
  files: string[],
  inScope: (path: string) => boolean,
  search: SandboxSearch,
): Promise<GrepResult> {
  const wide = new Set(files.filter((file) => file.endsWith('/')).map((file) => file.slice(0, -1)));
  const named = new Set(files.map((file) => file.replace(/\/$/, '')));
  const wanted = [...named].filter((path) => inScope(path) && isTextMime(mimeTypeOf(path))).sort(byCodeUnit);
  // Reports an invalid pattern even if nothing is searched.
  if (wanted.length === 0) {
    const { pattern, options } = search;
    const tried = await searchTexts([{ path: '', text: '\n' }], { ...options, pattern, cap: 1 });
    return tried.error === undefined ? { matches: [], truncated: false } : tried;
  }
  const matches: GrepMatch[] = [];
  let isCut = false;
  for (const batch of batches(wanted)) {
    search.options.signal?.throwIfAborted();
    if (matches.length > 0 && performance.now() > search.until) return { matches, truncated: true };
    const left = { ...search, cap: search.cap - matches.length };
    const found = await searchBatch(batch, wide, left);
    if (isFailure(found)) return found;
    for (const match of found.matches) matches.push(match);
    isCut ||= found.isCut;
    if (found.isFull) return { matches, truncated: true };
  }
  return { matches, truncated: isCut };
}

/** `isFull`: there are more matches than wanted. `isCut`: not everything was searched. */
interface Found {
  matches: GrepMatch[];
  isFull: boolean;
  isCut: boolean;
}

async function searchBatch(
  paths: string[],
  wide: ReadonlySet<string>,
  search: SandboxSearch,
): Promise<Found | Failure> {
  const asked = paths.filter((path) => !wide.has(path));
  const lines = asked.length === 0 ? [] : await linesOf(asked, search);
  const found = asked.flatMap((path, at): [string, FoundLine[]][] => (lines[at] ? [[path, lines[at]]] : []));
  const known = await matchesIn(found, search);
  if (isFailure(known)) return known;
  const told = new Set(found.map(([path]) => path));
  const unknown = paths.filter((path) => !told.has(path));
  if (unknown.length === 0) return { ...known, isCut: false };
  const fetched = await searchFetched(unknown, search);
  if (isFailure(fetched)) return fetched;
  const all = [...known.matches, ...fetched.matches];
  all.sort((a, b) => byCodeUnit(a.path, b.path) || a.line - b.line);
  const isFull = known.isFull || fetched.isFull || all.length > search.cap;
  return { matches: all.slice(0, search.cap), isFull, isCut: fetched.isCut };
}

/** The lines that may match, of each file; null for files that must be fetched. */
async function linesOf(paths: string[], { client, needle, until, onHost, options }: SandboxSearch) {
  if (needle === null) return [];
  const timeoutMs = Math.max(1, until - performance.now());
  const script = linesScript(paths.map(onHost), needle);
  const ran = await client.execute(script, callOf({ ...options, timeoutMs }));
  return ran.truncated || ran.timedOut || wasKilled(ran) ? [] : parseLines(ran.output, paths.length);
}

async function matchesIn(
  files: [path: string, lines: FoundLine[]][],
  { pattern, cap, options }: SandboxSearch,
): Promise<Omit<Found, 'isCut'> | Failure> {
  const matches: GrepMatch[] = [];
  if (!options.regex) {
    for (const [path, lines] of files)
      for (const { line, text } of lines) {
        if (matches.length >= cap) return { matches, isFull: true };
        matches.push({ path, line, text: shownLine(line === 1 ? text.replace(/^\uFEFF/, '') : text) });
      }
    return { matches, isFull: false };
  }
  const lines = new Map(files);
  const texts = files.flatMap(([path, found]): TextFile[] =>
    found.length === 0 ? [] : [{ path, text: `${found.map(({ text }) => text).join('\n')}\n` }],
  );
  const {
    matches: found = [],
    truncated,
    ...failed
  } = await searchTexts(texts, { ...options, pattern, cap });
  if (isFailure(failed)) return failed;
  for (const match of found) {
    const line = lines.get(match.path)?.[match.line - 1]?.line ?? match.line;
    matches.push({ ...match, line });
  }
  return { matches, isFull: truncated === true };
}

async function searchFetched(
  paths: string[],
  { client, onHost, pattern, cap, options }: SandboxSearch,
): Promise<Found | Failure> {
  const got = await client.downloadFiles(
    paths.map((path) => clientPath(client, onHost(path))),
    MAX_FETCHED,
    signalOf(options),
  );
  const texts = got.flatMap(({ content }, index): TextFile[] => {
    const path = paths[index] ?? '';
    const text = content === null ? null : textOf(path, content);
    return text === null ? [] : [{ path, text }];
  });
  const { matches = [], truncated, ...failed } = await searchTexts(texts, { ...options, pattern, cap });
  if (isFailure(failed)) return failed;
  const isCut = got.some(({ kind }) => kind === 'too_large');
  return { matches, isFull: truncated === true, isCut };
}

function* batches(paths: readonly string[]): Generator<string[]> {
  for (let from = 0; from < paths.length; ) {
    let to = from;
    for (let length = 0; to < paths.length && to - from < ASKED_AT_ONCE; to += 1) {
      length += (paths[to]?.length ?? 0) + 10;
      if (to > from && length > MAX_PATHS) break;
    }
    yield paths.slice(from, to);
    from = to;
  }
}
