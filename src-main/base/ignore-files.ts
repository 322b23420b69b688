import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { openRegular } from './open-regular';
import { readRegularSync } from './open-regular-sync';
import { isRefused } from './regular-file';

/** The names that ripgrep reads in each folder, the one that wins first. */
export const IGNORE_NAMES = ['.rgignore', '.ignore', '.gitignore'] as const;
/** Bytes of an ignore file that are read; a larger one counts as none. */
export const MAX_IGNORE_FILE = 1024 * 1024;
/** Entries that are looked at in search of an odd one. */
const MAX_ENTRIES = 2_000_000;

/**
 * Whether a folder has something else than a regular file of bearable size by the name of an ignore file: ripgrep would
 * wait for a pipe, and read a device or a file outside. Only the folder itself is looked at.
 */
export async function hasOddIgnoreFile(folder: string): Promise<boolean> {
  const files = await Promise.all(
    IGNORE_NAMES.map((name) => openRegular(`${folder}/${name}`, { root: folder })),
  );
  let isOdd = false;
  for (const file of files) {
    isOdd ||= isRefused(file) ? file.refused !== 'missing' : file.stats.size > MAX_IGNORE_FILE;
    if (!isRefused(file)) await file.close();
  }
  return isOdd;
}

/** The same for a folder and all below it, in a worker. Links are not followed, ignored folders not left out. */
export function findOddIgnoreFile(root: string, stopped: () => boolean): boolean {
  const pending = [root];
  let left = MAX_ENTRIES;
  for (let folder = pending.pop(); folder !== undefined && left > 0; folder = pending.pop()) {
    if (stopped()) return false;
    const entries = entriesOf(folder);
    left -= entries.length;
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) pending.push(path);
      else if (NAMES.has(entry.name) && isOddFile(path, entry, root)) return true;
    }
  }
  return false;
}

const NAMES = new Set<string>(IGNORE_NAMES);

function isOddFile(path: string, entry: Dirent, root: string): boolean {
  if (entry.isFile()) return (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_IGNORE_FILE;
  const bytes = readRegularSync(path, { root, maxBytes: MAX_IGNORE_FILE });
  return isRefused(bytes) && bytes.refused !== 'missing';
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
    // Gone meanwhile, or not to be read: ripgrep cannot read it either.
    return [];
  }
}
