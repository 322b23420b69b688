import { foldName } from '../base/names';
import { sameState } from '../contract/changes';
import { type Contents, hashesIn } from './contents';
import type { PathChange } from './protocol';

/** One change per path: consecutive changes become one from the first state to the last. */
function joined(changes: PathChange[]): PathChange[] {
  const byPath = new Map<string, PathChange>();
  for (const change of changes) {
    const earlier = byPath.get(change.path);
    byPath.set(change.path, earlier === undefined ? change : { ...change, before: earlier.before });
  }
  return [...byPath.values()].filter(({ before, after }) => !sameState(before, after));
}

/** Takes the joined changes once the disk has the contents to undo them. If that fails, they stay. */
export async function takeFlushed(changes: PathChange[], contents: Contents): Promise<PathChange[]> {
  const taken = joined(changes);
  await contents.flush(hashesIn(taken.flatMap(({ before, after }) => [before, after])));
  changes.length = 0;
  return taken;
}

/** The paths that differ from another one only in case or accent composition. */
export function sameIgnoringCase(paths: readonly string[]): Set<string> {
  const byName = new Map<string, string[]>();
  for (const path of paths) byName.set(foldName(path), [...(byName.get(foldName(path)) ?? []), path]);
  return new Set([...byName.values()].filter((same) => same.length > 1).flat());
}
