import { compileGlob, type GlobMatcher } from '../../base/globs/glob';
import { type Failure, failure } from './failure';
import { asDirectory, byCodeUnit, type CheckedPath } from './paths';
import type { CallOptions, FileInfo, GlobResult, LsOptions, LsResult } from './protocol';

/** A file of a backend that has only keys. The keys imply the folders. */
export interface Entry {
  path: string;
  size: number;
  modified_at: string;
}

/** Default number of entries in a listing. */
const LS_LIMIT = 10_000;

/**
 * The entries directly below a folder. Errors: `not_found` for a folder that no key implies (except the root), `special`.
 */
export function listChildren(entries: Iterable<Entry>, at: CheckedPath, options: LsOptions = {}): LsResult {
  const folder = asDirectory(at.path);
  const children = new Map<string, FileInfo>();
  // Another program may have put files below a file's name: those are listed.
  let isFile = false;
  for (const entry of entries) {
    isFile ||= entry.path === at.path;
    if (!entry.path.startsWith(folder)) continue;
    const slash = entry.path.indexOf('/', folder.length);
    const path = slash < 0 ? entry.path : entry.path.slice(0, slash + 1);
    const known = children.get(path);
    if (slash < 0) children.set(path, { ...entry, is_dir: false });
    else if (known === undefined || (known.modified_at ?? '') < entry.modified_at)
      children.set(path, { path, is_dir: true, size: 0, modified_at: entry.modified_at });
  }
  if (children.size === 0 && isFile) return isFileFailure(at.path);
  if (children.size === 0 && at.path !== '/') return failure('not_found', `Directory '${at.path}' not found`);
  return pageOfListing([...children.values()], options);
}

const isFileFailure = (path: string) => failure('special', `'${path}' is a file, not a directory.`);

/** Sorts a complete listing and cuts the page out of it. */
export function pageOfListing(files: FileInfo[], options: LsOptions): LsResult {
  files.sort((a, b) => byCodeUnit(a.path, b.path));
  const from = Math.max(0, options.offset ?? 0);
  const to = Math.min(files.length, from + Math.max(0, options.limit ?? LS_LIMIT));
  const page: LsResult = { files: files.slice(from, to), total: files.length };
  return to < files.length ? { ...page, truncated: true, nextOffset: to } : page;
}

/** Matching files below a folder that are visible by `sees` (see `CallOptions`). */
export function globEntries(
  entries: Iterable<Entry>,
  at: CheckedPath,
  pattern: string | GlobMatcher,
  sees: CallOptions['sees'] = () => true,
): GlobResult {
  const matcher = typeof pattern === 'string' ? compileGlob(pattern, { hiddenFolders: true }) : pattern;
  if ('error' in matcher) return matcher;
  const folder = asDirectory(at.path);
  const files: FileInfo[] = [];
  let exists = at.path === '/';
  let isFile = false;
  for (const entry of entries) {
    isFile ||= entry.path === at.path;
    if (!entry.path.startsWith(folder)) continue;
    exists = true;
    const { path, size, modified_at } = entry;
    if (matcher.matches(path.slice(folder.length)) && sees(path))
      files.push({ path, size, modified_at, is_dir: false });
  }
  if (!exists)
    return isFile ? isFileFailure(at.path) : failure('not_found', `Directory '${at.path}' not found`);
  return { files: files.sort((a, b) => byCodeUnit(a.path, b.path)), truncated: false };
}

/** Why a file cannot be put at a path: a parent is a file, or files are below it. */
export function placeTaken(
  path: string,
  isFile: (path: string) => boolean,
  hasBelow: boolean,
): Failure | null {
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    if (isFile(path.slice(0, slash)))
      return failure('special', `'${path}' cannot be used: one of its parents is a file.`);
  return hasBelow ? failure('special', `'${path}' is a directory, not a file.`) : null;
}
