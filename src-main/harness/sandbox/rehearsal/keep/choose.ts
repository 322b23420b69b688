import { foldersAbove } from '../layer/folders-above';
import type { Change, Choice } from '../layer/shapes';

/**
 * The changes that a choice includes: paths with everything below, a `.git` only as a whole, the folders that chosen paths
 * need, and no removal of a folder that keeps content.
 */
export function chosenChanges<Own extends Change>(
  { changes }: { changes: readonly Own[] },
  { paths, except = [] }: Choice,
): Own[] {
  if (paths === undefined) return [...changes];
  const wanted = new Map([
    ...paths.map((path) => [path, true] as const),
    ...except.map((path) => [path, false] as const),
  ]);
  const units = new Set(
    changes.flatMap(({ git, path }) => (git !== undefined && isWanted(path, wanted) ? [git] : [])),
  );
  const chosen = new Set(
    changes.filter(({ path, git }) => (git === undefined ? isWanted(path, wanted) : units.has(git))),
  );
  const byPath = new Map(changes.map((change) => [change.path, change]));
  for (const change of [...chosen])
    if (change.after !== undefined)
      for (const above of foldersAbove(change.path)) {
        const needed = byPath.get(above);
        if (needed?.after?.type === 'folder' && needed.before?.type !== 'folder') chosen.add(needed);
      }
  return withoutKeptFolders(changes, chosen);
}

/** Drops changes that are impossible because something below stays or is not created. */
export function withoutKeptFolders<Own extends Change>(
  changes: readonly Own[],
  chosen: ReadonlySet<Own>,
): Own[] {
  const staying = changes.filter((change) => !chosen.has(change) && change.before !== undefined);
  const above = new Set(staying.flatMap(({ path }) => foldersAbove(path)));
  return changes.filter((change) => {
    if (!chosen.has(change)) return false;
    const isFolderGone = change.before?.type === 'folder' && change.after?.type !== 'folder';
    return !(isFolderGone && above.has(change.path));
  });
}

/** What was chosen for the path itself, or else for the nearest folder above it. */
const isWanted = (path: string, wanted: ReadonlyMap<string, boolean>): boolean =>
  wanted.get([path, ...foldersAbove(path)].find((one) => wanted.has(one)) ?? '') === true;
