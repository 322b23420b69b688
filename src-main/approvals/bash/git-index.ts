import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseIndex } from '../../base/git-index';
import { readRegular, readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';

/** Bytes of an index beyond which it is not read. */
const MAX_INDEX = 16 * 1024 * 1024;
/** Bytes of a `.git` file, which says where the repository is. */
const MAX_LINK = 4_096;

/** Bytes of a hash of SHA-1. With longer ones no entry is understood. */
const HASH_LENGTH = 20;

export interface GitFiles {
  /** Whether git has the file as it is now, by size and time as git itself takes it. */
  has(path: string, now: { size: number; mtimeMs: number }): boolean;
}

/**
 * What git knows of the files around `folder`, read from its index: running git itself would run what the folder's
 * configuration names. `unknown` where its index is too large, or not understood; null where there is
 * no repository.
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
