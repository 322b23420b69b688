import { join } from 'node:path';
import { listRegular } from '../base/open-regular';
import { isRefused } from '../base/regular-file';
import { isShown } from './listing-order';
import type { Names } from './names';

/** Directories with more entries are not checked, because they seldom contain ignored files. */
const MAX_ENTRIES = 5_000;

/**
 * Returns the entries of some directories that ignore files exclude. Directories are relative, with `/`, and empty for the
 * folder itself. An entry is ignored if it exists and is not among `names`, the files that are not ignored. Returns relative
 * paths. An empty directory has no files in `names` either, but is not ignored.
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
      // Links and non-files have no names there, ignored or not.
      if (known.has(entry.name) || !isShown(entry.name)) continue;
      if (entry.isFile() || (entry.isDirectory() && !(await isEmpty(folder, path)))) ignored.push(path);
    }
  }
  return ignored;
}

/** Empty if there are too many entries, if the directory is gone or not readable, or if a link leads to it. */
async function entriesOf(folder: string, directory: string) {
  if (directory.split('/').includes('..')) return [];
  const within = { root: folder, links: 'none', maxEntries: MAX_ENTRIES } as const;
  const listed = await listRegular(join(folder, directory), within);
  // The tree reports this itself, because it lists the same directory.
  return isRefused(listed) || listed.more ? [] : listed.entries;
}

async function isEmpty(folder: string, path: string): Promise<boolean> {
  const listed = await listRegular(join(folder, path), { root: folder, links: 'none', maxEntries: 1 });
  // The directory is gone or not readable, so nothing is known.
  return isRefused(listed) || listed.entries.length === 0;
}
