import { contentMark, type PathChange, type RevertStep, type StepResult } from '../../../changes';
import { type FileState, isLost } from '../../../contract/changes';
import type { FileChangeRow } from '../../../storage/file-changes';

/** A path, what is there, and what a revert wants there. */
export interface Wanted {
  path: string;
  now: FileState;
  to: FileState;
}

/** Files whose content is not kept and that these changes only moved. Removing one from its new path would delete the only copy. */
export class UnkeptMoves {
  private readonly moved: ReadonlySet<string>;
  private readonly targets: ReadonlySet<string>;

  constructor(changes: readonly Pick<FileChangeRow, 'path' | 'before' | 'after' | 'dropped'>[]) {
    this.moved = new Set(
      changes.flatMap(({ before, after, dropped }) => {
        const isUnkept = before.type === 'file' && (before.hash === null || dropped);
        return isUnkept && after.type === 'absent' ? marksOf(before) : [];
      }),
    );
    this.targets = new Set(changes.flatMap(({ path, after }) => (this.isMoved(after) ? path : [])));
  }

  /** Whether it is one of them, or was before somebody changed it. */
  has(path: string, state: FileState): boolean {
    return this.isMoved(state) || this.targets.has(path);
  }

  private isMoved(state: FileState): boolean {
    return marksOf(state).some((mark) => this.moved.has(mark));
  }

  /** Where each file that can be moved back is now, by its earlier path. Two files that cannot be told apart stay. */
  waysBack(all: readonly Wanted[]): Map<string, string> {
    const missing = byMark(
      all.filter(({ now, to }) => now.type === 'absent' && to.type === 'file' && to.hash === null),
      ({ to }) => to,
    );
    const added = byMark(
      all.filter(({ to }) => to.type === 'absent'),
      ({ now }) => now,
    );
    const ways = new Map<string, string>();
    for (const [mark, [path, ...otherPaths]] of missing) {
      const [from, ...others] = added.get(mark) ?? [];
      if (path !== undefined && from !== undefined && otherPaths.length + others.length === 0)
        ways.set(path, from);
    }
    return ways;
  }
}

/** By what a moved file is recognized: by its hash as well, if its content was dropped later. */
const marksOf = (state: FileState): string[] =>
  [contentMark(state), state.type === 'file' ? state.hash : null].flatMap((mark) => mark ?? []);

function byMark(all: readonly Wanted[], stateOf: (one: Wanted) => FileState): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const one of all) {
    const mark = contentMark(stateOf(one));
    if (mark !== null) paths.set(mark, [...(paths.get(mark) ?? []), one.path]);
  }
  return paths;
}

/** What the done steps of a revert changed. `released`: what the engine saw, also of files that were moved or got another mode. */
export function changedBy(
  steps: readonly RevertStep[],
  results: readonly StepResult[],
  released: readonly PathChange[],
): PathChange[] {
  const done = new Set(
    results.flatMap(({ path, outcome }) => (outcome === 'done' || outcome === 'already' ? [path] : [])),
  );
  const own = steps.filter(({ path }) => done.has(path));
  const unkept = new Set(own.flatMap((step) => (isLost(step.after) ? [step.path, step.from] : [])));
  return [
    ...own.flatMap(({ from: _, ...change }) => (unkept.has(change.path) ? [] : change)),
    ...released.filter(({ path }) => unkept.has(path)),
  ];
}
