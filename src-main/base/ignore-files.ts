import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { openRegular } from './open-regular';
import { readRegularSync } from './open-regular-sync';
import { isRefused } from './regular-file';

/** The names that ripgrep reads in each folder, in order of precedence. */
export const IGNORE_NAMES = ['.rgignore', '.ignore', '.gitignore'] as const;
/** Maximum bytes of an ignore file; a larger one is ignored. */
export const MAX_IGNORE_FILE = 1024 * 1024;
/** Maximum entries to check for an odd one. */
const MAX_ENTRIES = 2_000_000;

/**
 * Whether a folder has an ignore file that is too large or not a regular file: ripgrep would wait for a pipe, or read a
 * device or a file outside. Checks only the folder itself.
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

/** The same for a folder and everything below it, in a worker. Does not follow links; includes ignored folders. */
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
    // The folder is gone or unreadable, so ripgrep cannot read it either.
    return [];
  }
}
