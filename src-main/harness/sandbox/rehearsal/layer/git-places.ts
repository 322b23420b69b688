import { dirname, join, posix, relative } from 'node:path';
import { OF_BARE } from '../../../../base/git-folder';
import { parseIndex } from '../../../../base/git-index';
import { readRegular } from '../../../../base/open-regular';
import { isRefused } from '../../../../base/regular-file';
import { gitFolderOf } from '../../repositories';
import type { Recorded } from './compare';
import { inParallel, statAt } from './entry';
import { isStored } from './git-facts';
import { hashLengthAt, MAX_INDEX } from './git-index';
import { PARTS } from './layer';

interface Places {
  folder: string;
  place: string;
}

/**
 * Whether git tracks a file, by the indexes as they were before the command. Tracked files are never ignored, whatever the
 * ignore files say. True if an index cannot be read: the person then sees the change.
 */
export function trackedIn(folder: string): (path: string) => Promise<boolean> {
  const indexes = new Map<string, Promise<Index>>();
  const indexOf = (root: string) => {
    const known = indexes.get(root) ?? readIndex(root);
    indexes.set(root, known);
    return known;
  };
  return async (path) => {
    const file = join(folder, path);
    // The folder may be a part of a repository.
    for (let root = dirname(file); ; root = dirname(root)) {
      const index = await indexOf(root);
      if (index === 'unknown') return true;
      if (index !== null) return index.has(relative(root, file));
      if (dirname(root) === root) return false;
    }
  };
}

/** Relative to the root. Null if there is no index. */
type Index = ReadonlySet<string> | 'unknown' | null;

async function readIndex(root: string): Promise<Index> {
  // In a worktree and in a submodule it is elsewhere.
  const git = await gitFolderOf(join(root, '.git'));
  if (git === null) return null;
  const read = await readRegular(join(git, 'index'), { root: git, links: 'none', maxBytes: MAX_INDEX });
  if (isRefused(read)) return read.refused === 'missing' ? null : 'unknown';
  const entries = parseIndex(read, await hashLengthAt(git));
  return entries === null ? 'unknown' : new Set(entries.map(({ path }) => path));
}

/**
 * Whether a change is part of a repository without `.git` that the command completed, and that git would use as soon as
 * somebody enters the folder.
 */
export async function inNewRepository(
  changes: readonly Recorded[],
  places: Places,
): Promise<(change: Recorded) => boolean> {
  const candidates = new Set<string>();
  for (const { path, after } of changes)
    if (after !== undefined && OF_BARE.includes(posix.basename(path))) candidates.add(posix.dirname(path));
  const found = await inParallel([...candidates], async (root) =>
    (await isNewBare(root, places)) ? [root] : [],
  );
  const roots = found.flat();
  return ({ path, ...change }) =>
    roots.some((root) => {
      if (root === '.') return !isStored(path, change);
      return path.startsWith(`${root}/`) && !isStored(path.slice(root.length + 1), change);
    });
}

async function isNewBare(root: string, { folder, place }: Places): Promise<boolean> {
  const all = await Promise.all(
    OF_BARE.map(async (name) => {
      const path = posix.join(root, name);
      const [upper, lower] = await Promise.all([
        statAt(`${place}/${PARTS.upper}/${path}`),
        statAt(`${folder}/${path}`),
      ]);
      return { isThere: upper !== null || lower !== null, wasThere: lower !== null };
    }),
  );
  return all.every(({ isThere }) => isThere) && !all.every(({ wasThere }) => wasThere);
}
