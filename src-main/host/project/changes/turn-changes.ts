import { type FileState, sameState } from '../../../contract/changes';
import { inPathOrder } from '../../../contract/shared/path-order';
import type { FileChangeRow } from '../../../storage/file-changes';

interface TurnChange {
  path: string;
  first: FileChangeRow;
  last: FileChangeRow;
  /** The revert that undid it, if nothing changed the file since. */
  undone: string | null;
}

/**
 * The paths that one turn left in another state, in order. `rows`: all changes of its thread, oldest first. `stateOf`: the
 * current state of a path.
 */
export function changedInTurn(
  rows: readonly FileChangeRow[],
  isOfTurn: (row: FileChangeRow) => boolean,
  stateOf: (path: string) => FileState,
): TurnChange[] {
  const paths = new Map<string, FileChangeRow[]>();
  for (const row of rows) {
    const known = paths.get(row.path);
    if (known) known.push(row);
    else paths.set(row.path, [row]);
  }
  const changed: TurnChange[] = [];
  for (const [path, all] of paths) {
    const own = all.filter(isOfTurn);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (sameState(first.before, last.after) || isFolder(first.before) || isFolder(last.after)) continue;
    const revert = undoneBy(all, first);
    changed.push({
      path,
      first,
      last,
      // Somebody may have changed the file after the revert.
      undone: revert !== null && sameState(stateOf(path), revert.after) ? revert.revertId : null,
    });
  }
  return inPathOrder(changed);
}

/** How much of a turn is undone. */
export const undoOf = (changed: readonly TurnChange[], isLost: (path: string) => boolean) => ({
  done: changed.filter(({ undone }) => undone !== null).length,
  reverts: [...new Set(changed.flatMap(({ undone }) => undone ?? []))],
  possible: changed.some(({ path, undone }) => !isLost(path) && undone === null),
});

/** A revert undid a change if it left a state from before it: the turn's own start, or that of an earlier change. */
function undoneBy(all: readonly FileChangeRow[], first: FileChangeRow) {
  const row = all.at(-1);
  if (row === undefined || row.author.by !== 'revert' || row.id < first.id) return null;
  const isEarlier = all.some(({ id, before }) => id <= first.id && sameState(before, row.after));
  return isEarlier ? { revertId: row.author.revertId, after: row.after } : null;
}

const isFolder = ({ type }: FileState): boolean => type === 'dir';
