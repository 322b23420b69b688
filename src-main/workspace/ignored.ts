import { join } from 'node:path';
import { listRegular } from '../base/open-regular';
import { isRefused } from '../base/regular-file';
import { isShown } from './listing-order';
import type { Names } from './names';

/** Entries of a directory up to which it is looked through: what is ignored is seldom among more. */
const MAX_ENTRIES = 5_000;

/**
 * What of some directories (relative, with `/`, empty for the folder itself) is left out by ignore files: what is there
 * and not among `names`, those of all files that are not ignored. Relative paths. A directory with nothing in it has no
 * name there either, and is not ignored.
 */
export async function ignoredIn(
  folder: string,
  names: Names,
  directories: readonly string[],
): Promise<string[]> {
  const ignored: string[] = [];
  for (const directory of directories) {
    const entries = await entriesOf(folder, directory);
    const known = entries.length === 0 ? new Set<string>() : names.below(directory);
    for (const entry of entries) {
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      // Links and what is no file have no names there, ignored or not.
      if (known.has(entry.name) || !isShown(entry.name)) continue;
      if (entry.isFile() || (entry.isDirectory() && !(await isEmpty(folder, path)))) ignored.push(path);
    }
  }
  return ignored;
}

/** None where there are too many, where it is gone or closed meanwhile, and where a link leads to it. */
async function entriesOf(folder: string, directory: string) {
  if (directory.split('/').includes('..')) return [];
  const within = { root: folder, links: 'none', maxEntries: MAX_ENTRIES } as const;
  const listed = await listRegular(join(folder, directory), within);
  // The tree says so itself: it lists the same directory.
  return isRefused(listed) || listed.more ? [] : listed.entries;
}

async function isEmpty(folder: string, path: string): Promise<boolean> {
  const listed = await listRegular(join(folder, path), { root: folder, links: 'none', maxEntries: 1 });
  // Gone or closed: nothing is known of it.
  return isRefused(listed) || listed.entries.length === 0;
}
