import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { openNames, realPathOf, systemPath } from '../base/path-names';
import type { FileEntry } from '../contract/app';
import { fail, ok, type Result } from '../contract/result';
import { LargeFolders, type LargeLister } from './large-folders';
import { listingFailure, outsideOf } from './listing-failure';
import { inOrder, isShown, type Named, named } from './listing-order';

/** Maximum entries of one page. */
export const MAX_PAGE = 2_000;
/** Concurrent `lstat` calls for size and time; the thread pool has four threads. */
const STAT_CONCURRENCY = 32;
/** Entries up to which a directory is read and sorted here. More would block the window. */
const MAX_SORTED_HERE = 1_000;

export interface ListOptions {
  /** 0-based index of the first entry. */
  offset?: number;
  /** Number of entries, at most 2,000 (the default). */
  limit?: number;
}

export interface ListPage {
  entries: FileEntry[];
  total: number;
  /** Offset of the next page; null at the end. */
  nextOffset: number | null;
}

/**
 * The entries of one directory of a project except `.git`: directories first, then by name in natural order (`file2` before
 * `file10`). `folder` is absolute in the system's encoding. `path` is absolute too, with names in the encoding of
 * `base/path-names.ts`, and so are the paths in the result. Links are listed as links and never followed, neither in `path`
 * nor in the entries. `large` lists a directory of more than a thousand entries. Errors: `denied` outside the folder or
 * through a link, `not_found`, `invalid` if it is not a directory, `folder_gone`.
 */
export async function listDirectory(
  folder: string,
  path: string,
  { offset = 0, limit = MAX_PAGE }: ListOptions = {},
  large: LargeLister = new LargeFolders(),
): Promise<Result<ListPage>> {
  try {
    const inside = relative(folder, resolve(folder, path));
    if (isOutside(inside)) return outsideOf(path);
    const root = await realPathOf(folder).catch(() => null);
    if (root === null) return fail('folder_gone', 'folder_gone', { folder });
    const directory = join(root, inside);
    if ((await realPathOf(systemPath(directory))) !== resolve(directory)) return outsideOf(path);

    const end = offset + Math.min(limit, MAX_PAGE);
    const shown = resolve(folder, inside);
    const names = await readFew(directory);
    if (names === null) {
      const page = await large.page(directory, shown, offset, end);
      return page.ok ? ok({ ...page.value, nextOffset: end < page.value.total ? end : null }) : page;
    }
    const entries = await describe(shown, inOrder(names).slice(offset, end));
    return ok({ entries, total: names.length, nextOffset: end < names.length ? end : null });
  } catch (error) {
    return listingFailure(path, error);
  }
}

function isOutside(inside: string): boolean {
  return inside.split(sep)[0] === '..' || isAbsolute(inside);
}

/** The names in a directory, or null if there are many. */
async function readFew(directory: string): Promise<Named[] | null> {
  const names: Named[] = [];
  for await (const entry of await openNames(systemPath(directory), MAX_SORTED_HERE + 1)) {
    if (names.length === MAX_SORTED_HERE) return null;
    if (isShown(entry.name)) names.push(named(entry));
  }
  return names;
}

async function describe(directory: string, names: Named[]): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for (let i = 0; i < names.length; i += STAT_CONCURRENCY) {
    entries.push(
      ...(await Promise.all(names.slice(i, i + STAT_CONCURRENCY).map((one) => entry(directory, one)))),
    );
  }
  return entries;
}

async function entry(directory: string, { name, kind }: Named): Promise<FileEntry> {
  const path = join(directory, name);
  // The entry is gone since the directory was read. It is still listed, and the watcher reports the change shortly.
  const stats = kind === 'directory' ? null : await lstat(systemPath(path)).catch(() => null);
  if (stats === null) return { path, name, kind };
  return { path, name, kind, size: stats.size, modifiedAt: stats.mtimeMs };
}
