import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseIndex } from '../../../base/git-index';
import { readRegular, readRegularText } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';

/** Maximum bytes of an index that is read. */
const MAX_INDEX = 16 * 1024 * 1024;
/** Maximum bytes of a `.git` file, which points to the repository. */
const MAX_LINK = 4_096;

/** Bytes of a SHA-1 hash. An index with longer hashes is not understood. */
const HASH_LENGTH = 20;

export interface GitFiles {
  /** Whether git has the file's current version. Compares size and time, as git does. */
  has(path: string, now: { size: number; mtimeMs: number }): boolean;
}

/**
 * Reads git's index for the files around `folder`. Running git would execute whatever the folder's configuration names.
 * Returns `unknown` if the index is too large or not understood, and null if there is no repository.
 */
export async function readGitIndex(folder: string): Promise<GitFiles | 'unknown' | null> {
  for (let root = folder; ; root = dirname(root)) {
    const git = join(root, '.git');
    const found = await stat(git).catch(() => null);
    if (found?.isDirectory() === true) return open(root, join(git, 'index'));
    if (found?.isFile() === true && found.size < MAX_LINK) {
      const read = await readRegularText(git, { root, maxBytes: MAX_LINK });
      const linked = isRefused(read) ? undefined : /^gitdir: (.+)/.exec(read.text)?.[1]?.trim();
      return linked === undefined ? 'unknown' : open(root, join(resolve(root, linked), 'index'));
    }
    if (dirname(root) === root) return null;
  }
}

async function open(root: string, index: string): Promise<GitFiles | 'unknown'> {
  const bytes = await readRegular(index, { root: dirname(index), maxBytes: MAX_INDEX });
  if (isRefused(bytes)) return bytes.refused === 'missing' ? { has: () => false } : 'unknown';
  const read = parseIndex(bytes, HASH_LENGTH);
  if (read === null) return 'unknown';
  const entries = new Map(read.map((entry) => [entry.path, entry]));
  return {
    has: (path, { size, mtimeMs }) => {
      const entry = entries.get(relative(root, path));
      return (
        entry !== undefined &&
        entry.size === size % 2 ** 32 &&
        entry.mtimeSeconds === Math.floor(mtimeMs / 1_000)
      );
    },
  };
}
