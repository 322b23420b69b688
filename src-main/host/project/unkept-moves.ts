import type { FileState } from '../../contract/changes';
import type { PathChange } from '../../storage/file-changes';

/**
 * Files whose content is not kept and that these changes only moved. Undoing such a move cannot bring the file back to its old
 * path, so removing it from the new one would delete the only copy.
 */
export class UnkeptMoves {
  private readonly moved: ReadonlySet<string>;

  constructor(changes: readonly PathChange[]) {
    this.moved = new Set(
      changes.flatMap(({ before, after }) => (after.type === 'absent' ? (fileIn(before) ?? []) : [])),
    );
  }

  /** Whether the file of this state is one of them. */
  has(state: FileState): boolean {
    const file = fileIn(state);
    return file !== null && this.moved.has(file);
  }
}

/** What a file without kept content still has after a move: size and time, in whole milliseconds, because a throwaway layer keeps no more. */
function fileIn(state: FileState): string | null {
  if (state.type !== 'file' || state.hash !== null || state.mark === undefined) return null;
  const [size, modified] = state.mark.split('-');
  return `${size}-${Math.floor(Number(modified))}`;
}
