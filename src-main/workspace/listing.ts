import { lstat, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileEntry } from '../contract/app';
import { fail, ok, type Result } from '../contract/result';

/** Entries of one page at most. */
export const MAX_PAGE = 2_000;
/** Files asked for size and time at once; the thread pool has four threads. */
const STAT_AT_ONCE = 32;
/** Above this many entries names are compared by code unit: natural order of 100,000 names would hold the window up. */
const NATURAL_UP_TO = 10_000;

export interface ListOptions {
  /** 0-based entry to begin with. */
  offset?: number;
  /** Entries wanted, at most 2,000 (the default). */
  limit?: number;
}

export interface ListPage {
  entries: FileEntry[];
  total: number;
  /** Offset of the next page; null at the end. */
  nextOffset: number | null;
}

interface Named {
  name: string;
  kind: FileEntry['kind'];
}

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * The entries of one directory of a project: directories first, then by name as people count (`file2` before `file10`).
 * `folder` and `path` are absolute as the system writes them; paths in the answer too. Links are listed as links and never
 * followed, neither in `path` nor in the entries.
 * Errors: `denied` outside the folder or through a link, `not_found`, `invalid` for what is no directory, `folder_gone`.
 */
export async function listDirectory(
  folder: string,
  path: string,
  { offset = 0, limit = MAX_PAGE }: ListOptions = {},
): Promise<Result<ListPage>> {
  try {
    const inside = relative(folder, resolve(folder, path));
    if (isOutside(inside)) return denied(path);
    const root = await realpath(folder).catch(() => null);
    if (root === null) return fail('folder_gone', `The folder ${folder} no longer exists.`);
    const directory = join(root, inside);
    if ((await realpath(directory)) !== resolve(directory)) return denied(path);

    const names = sorted((await readdir(directory, { withFileTypes: true })).map(named));
    const end = offset + Math.min(limit, MAX_PAGE);
    const shown = resolve(folder, inside);
    const entries = await describe(shown, names.slice(offset, end));
    return ok({ entries, total: names.length, nextOffset: end < names.length ? end : null });
  } catch (error) {
    return failed(path, error);
  }
}

function isOutside(inside: string): boolean {
  return inside.split(sep)[0] === '..' || isAbsolute(inside);
}

function named(entry: {
  name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): Named {
  if (entry.isDirectory()) return { name: entry.name, kind: 'directory' };
  if (entry.isFile()) return { name: entry.name, kind: 'file' };
  return { name: entry.name, kind: entry.isSymbolicLink() ? 'link' : 'other' };
}

function sorted(names: Named[]): Named[] {
  const byUnit = (a: Named, b: Named) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  const byName =
    names.length > NATURAL_UP_TO
      ? byUnit
      : (a: Named, b: Named) => natural.compare(a.name, b.name) || byUnit(a, b);
  const directories = names.filter(({ kind }) => kind === 'directory').sort(byName);
  const others = names.filter(({ kind }) => kind !== 'directory').sort(byName);
  return [...directories, ...others];
}

async function describe(directory: string, names: Named[]): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (let i = 0; i < names.length; i += STAT_AT_ONCE) {
    entries.push(
      ...(await Promise.all(names.slice(i, i + STAT_AT_ONCE).map((one) => entry(directory, one)))),
    );
  }
  return entries;
}

async function entry(directory: string, { name, kind }: Named): Promise<FileEntry> {
  const path = join(directory, name);
  // Gone since the directory was read: still listed, the watcher tells of it in a moment.
  const stats = kind === 'directory' ? null : await lstat(path).catch(() => null);
  if (stats === null) return { path, name, kind };
  return { path, name, kind, size: stats.size, modifiedAt: stats.mtimeMs };
}

const denied = (path: string) =>
  fail('denied', `${path} is outside the project folder, or reached through a link.`);

function failed(path: string, error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return fail('not_found', `${path} no longer exists.`);
  if (code === 'ENOTDIR') return fail('invalid', `${path} is not a folder.`);
  if (code === 'EACCES' || code === 'EPERM')
    return fail('denied', `The system does not let Deepdesk read ${path}.`);
  if (code === 'ELOOP') return denied(path);
  throw error;
}
