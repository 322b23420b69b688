import { join, posix } from 'node:path';
import { parseIndex, SHA1 } from '../../../base/git-index';
import { readRegular } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import type { Recorded } from './compare';
import { inParallel, statAt } from './entry';
import { foldersAbove } from './folders-above';
import { isStored } from './git-facts';
import { PARTS } from './layer';

/** Maximum bytes of an index that is parsed. */
const MAX_INDEX = 64 * 1024 * 1024;
/** What makes git take a folder with any name for a repository. */
const OF_BARE = ['HEAD', 'objects', 'refs'];

interface Places {
  folder: string;
  place: string;
}

/**
 * Whether git tracks a file, by the indexes as they were before the command. Tracked files are never ignored, whatever the
 * ignore files say.
 */
export function trackedIn(folder: string): (path: string) => Promise<boolean> {
  const indexes = new Map<string, Promise<ReadonlySet<string> | null>>();
  const indexOf = (root: string) => {
    const known = indexes.get(root) ?? readIndex(folder, root);
    indexes.set(root, known);
    return known;
  };
  return async (path) => {
    for (const root of [...foldersAbove(path), '']) {
      const index = await indexOf(root);
      if (index !== null) return index.has(root === '' ? path : path.slice(root.length + 1));
    }
    return false;
  };
}

/** Null if there is no repository, or its index cannot be read. */
async function readIndex(folder: string, root: string): Promise<ReadonlySet<string> | null> {
  const read = await readRegular(join(folder, root, '.git/index'), {
    root: folder,
    links: 'none',
    maxBytes: MAX_INDEX,
  });
  const entries = isRefused(read) ? null : parseIndex(read, SHA1);
  return entries === null ? null : new Set(entries.map(({ path }) => path));
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
