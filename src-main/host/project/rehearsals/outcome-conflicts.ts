import type { Outcome } from '../../../contract/outcome';
import { optional } from '../../../contract/shared/optional';
import type { Conflict, Manifest } from '../../../harness/sandbox/rehearsal';
import { rowOf } from './outcome-of';

const isIn = (path: string, row: string) => path === row || path.startsWith(`${row}/`);

/** Whether a row shows a path, or something below it. */
const isAbout = (row: { path: string }, path: string) => isIn(path, row.path) || isIn(row.path, path);

/** Whether the outcome that the person saw shows a conflict. */
export const isShown = ({ path }: Conflict, { rows, git = [] }: Outcome): boolean =>
  [...rows, ...git].some((row) => row.conflict === true && isAbout(row, path));

/** Marks what conflicts. What was left out of a long list is added to it. */
export function withConflicts(
  outcome: Outcome,
  { changes }: Manifest,
  conflicts: readonly Conflict[],
): Outcome {
  const { rows, git, more = 0 } = outcome;
  const paths = new Set(conflicts.map(({ path }) => path));
  const left = changes.filter(
    (change) =>
      change.git === undefined && paths.has(change.path) && !rows.some((row) => isAbout(row, change.path)),
  );
  const marked = <Row extends { path: string }>(row: Row): Row =>
    conflicts.some(({ path }) => isIn(path, row.path)) ? { ...row, conflict: true } : row;
  const isMore = more > left.length;
  return {
    ...outcome,
    rows: [...rows, ...left.map(rowOf)].map(marked),
    ...optional({ git: git?.map(marked) }),
    more: isMore ? more - left.length : undefined,
  };
}
