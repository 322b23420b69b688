import { type FileState, sameState } from '../../contract/changes';
import { inPathOrder } from '../../contract/shared/path-order';
import type { FileChangeRow } from '../../storage/file-changes';

interface TurnChange {
  path: string;
  first: FileChangeRow;
  last: FileChangeRow;
  /** The revert that undid it, with the state that it left. */
  undone: { revertId: string; after: FileState } | null;
}

/** The paths that one turn left in another state, in order. `rows`: all changes of its thread, oldest first. */
export function changedInTurn(
  rows: readonly FileChangeRow[],
  isOfTurn: (row: FileChangeRow) => boolean,
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
    changed.push({ path, first, last, undone: undoneBy(all, first) });
  }
  return inPathOrder(changed);
}

/** A revert undid a change if it left a state from before it: the turn's own start, or that of an earlier change. */
function undoneBy(all: readonly FileChangeRow[], first: FileChangeRow): TurnChange['undone'] {
  const row = all.at(-1);
  if (row === undefined || row.author.by !== 'revert' || row.id < first.id) return null;
  const isEarlier = all.some(({ id, before }) => id <= first.id && sameState(before, row.after));
  return isEarlier ? { revertId: row.author.revertId, after: row.after } : null;
}

const isFolder = ({ type }: FileState): boolean => type === 'dir';
