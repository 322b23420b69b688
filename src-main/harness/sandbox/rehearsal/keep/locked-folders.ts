import { posix } from 'node:path';
import type { Recorded } from '../layer/compare';
import { inParallel, markOf, statAgain } from '../layer/entry';
import { depthOf } from '../layer/folders-above';
import type { Op } from './journal';

/** What the owner needs to add and remove entries. */
const WRITABLE = 0o300;

/**
 * Operations around the others that open the folders whose owner may not write there, as the command did in its layer, and
 * that lock those again whose modes stay. A project has such folders if they were copied from a read-only store.
 */
export async function aroundLocked(
  changes: readonly Recorded[],
  folder: string,
): Promise<{ opening: Op[]; locking: Op[] }> {
  const changed = new Map(changes.map((change) => [change.path, change]));
  const parents = new Set(changes.map(({ path }) => posix.dirname(path)));
  parents.delete('.');
  const found = await inParallel([...parents], async (path) => {
    // A folder that the command made is not there yet.
    const stats = changed.get(path)?.was === null ? null : await statAgain(`${folder}/${path}`);
    const mode = Number(stats?.mode ?? 0) & 0o7777;
    if (stats?.isDirectory() !== true || (mode & WRITABLE) === WRITABLE) return [];
    return [{ path, mode, was: markOf(stats) }];
  });
  const locked = found.flat().toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  const own = { what: 'mode', isOwn: true } as const;
  return {
    opening: locked.map(({ path, mode, was }) => ({ ...own, path, was, mode: mode | WRITABLE })),
    locking: locked
      .filter(({ path }) => !changed.has(path))
      .map(({ path, mode, was }) => ({ ...own, path, was, mode }))
      .toReversed(),
  };
}
