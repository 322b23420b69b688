import type { Project, ThreadSummary } from '@contract/app';
import type { ProjectId, RoutineId, ThreadId } from '@contract/ids';
import { foldText } from '@contract/shared/fold-text';
import type { Group } from './groups';

/** One row of the list. */
export type Row = { key: string } & (
  | { kind: 'project'; project: Project; open: boolean; within: Within }
  /** `nested`: it is below its routine. */
  | { kind: 'thread'; thread: ThreadSummary; nested?: true }
  /** Shows the hidden threads of a project, or hides them again. */
  | { kind: 'fold'; projectId: ProjectId; of: 'older' | 'archived'; open: boolean; count: number }
  /** Shows the runs of a routine, or hides them again. */
  | { kind: 'routine'; id: RoutineId; name: string; open: boolean; within: Within; count: number }
  | { kind: 'empty' }
);

/** The activity in a project's hidden threads. */
export interface Within {
  running: number;
  waiting: number;
  failed: number;
  unread: number;
}

/** Which parts of the list the person folded or unfolded. */
export interface Folds {
  closed: readonly ProjectId[];
  older: readonly ProjectId[];
  archived: readonly ProjectId[];
  /** Routines whose runs are shown. */
  routines: readonly RoutineId[];
}

/** Threads of a project that are visible before the older ones are unfolded. */
export const VISIBLE_THREADS = 12;

const isNews = (thread: ThreadSummary) => thread.status !== 'idle' || thread.unread === true;

/** The rows of the list from top to bottom. During a search, nothing is folded. */
export function rowsOf(
  groups: readonly Group[],
  folds: Folds,
  options: { searching: boolean; selected: ThreadId | null },
): Row[] {
  const { searching, selected } = options;
  return groups.flatMap(({ project, threads: listed, archived }): Row[] => {
    const { id } = project;
    const threads = searching ? listed : listed.filter(({ routine, pinned }) => !routine || pinned);
    const runs = searching ? [] : listed.filter(({ routine, pinned }) => routine && !pinned);
    const open = searching || !folds.closed.includes(id);
    const all = searching || folds.older.includes(id);
    const shown = !open
      ? []
      : all
        ? threads
        : threads.filter(
            (one, index) => index < VISIBLE_THREADS || isNews(one) || one.pinned || one.id === selected,
          );
    const older = threads.length - shown.length;
    const unfolds = open && !searching && (older > 0 || (all && threads.length > VISIBLE_THREADS));
    const away = searching || folds.archived.includes(id);
    const hidden = open ? [] : listed;
    const line = (thread: ThreadSummary): Row => ({ key: thread.id, kind: 'thread', thread });
    return [
      { key: `project:${id}`, kind: 'project', project, open, within: withinOf(hidden) },
      ...shown.map(line),
      ...(open ? routineRows(runs, folds, selected) : []),
      ...(open && listed.length + archived.length === 0
        ? [{ key: `empty:${id}`, kind: 'empty' } satisfies Row]
        : []),
      ...(unfolds
        ? [
            {
              key: `older:${id}`,
              kind: 'fold',
              projectId: id,
              of: 'older',
              open: all,
              count: older,
            } satisfies Row,
          ]
        : []),
      ...(open && archived.length > 0 && !searching
        ? [
            {
              key: `archived:${id}`,
              kind: 'fold',
              projectId: id,
              of: 'archived',
              open: away,
              count: archived.length,
            } satisfies Row,
          ]
        : []),
      ...(open && away ? archived.map(line) : []),
    ];
  });
}

/** The runs of each routine below its name; a folded one shows only those that need attention. */
function routineRows(runs: readonly ThreadSummary[], folds: Folds, selected: ThreadId | null): Row[] {
  const byRoutine = new Map<string, ThreadSummary[]>();
  for (const run of runs) {
    const own = byRoutine.get(run.routine?.id ?? '') ?? [];
    byRoutine.set(run.routine?.id ?? '', [...own, run]);
  }
  return [...byRoutine.values()].flatMap((own): Row[] => {
    const routine = own[0]?.routine;
    if (routine === undefined) return [];
    const open = folds.routines.includes(routine.id);
    const shown = open ? own : own.filter((one) => isActive(one) || one.id === selected);
    const hidden = own.filter((one) => !shown.includes(one));
    return [
      {
        key: `routine:${routine.id}`,
        kind: 'routine',
        id: routine.id,
        name: routine.name,
        open,
        within: withinOf(hidden),
        count: own.length,
      },
      ...shown.map((thread): Row => ({ key: thread.id, kind: 'thread', thread, nested: true })),
    ];
  });
}

const isActive = ({ status }: ThreadSummary) => status === 'running' || status === 'waiting';

function withinOf(threads: readonly ThreadSummary[]): Within {
  const count = (is: (thread: ThreadSummary) => boolean) => threads.filter(is).length;
  return {
    running: count(({ status, waiting }) => status === 'running' && waiting === 0),
    waiting: threads.reduce((sum, { waiting }) => sum + waiting, 0),
    failed: count(({ status }) => status === 'failed'),
    unread: count(({ unread }) => unread === true),
  };
}

/** The row that a key moves the focus to, or undefined. */
export function rowAfter(rows: readonly Row[], at: number, key: string, page: number): number | undefined {
  const canFocus = (index: number) => rows[index] !== undefined && rows[index].kind !== 'empty';
  const from = (start: number, step: 1 | -1) => {
    for (let index = start; index >= 0 && index < rows.length; index += step)
      if (canFocus(index)) return index;
    return undefined;
  };
  switch (key) {
    case 'ArrowDown':
      return from(at + 1, 1);
    case 'ArrowUp':
      return from(at - 1, -1);
    case 'Home':
      return from(0, 1);
    case 'End':
      return from(rows.length - 1, -1);
    case 'PageDown':
      return from(Math.min(rows.length - 1, at + page), -1);
    case 'PageUp':
      return from(Math.max(0, at - page), 1);
    default:
      return undefined;
  }
}

/**
 * The row to focus when the thread at row `at` is gone: the next one of its project, or the previous one. If the project has
 * none left, its own row gets the focus, so that pressing the key again deletes nothing of another project.
 */
export function rowInPlace(rows: readonly Row[], at: number): Row | undefined {
  const near = [rows[at], rows[at - 1]].find((row) => row?.kind === 'thread');
  return near ?? rows[projectRowOf(rows, at - 1)] ?? rows[0];
}

/** The project row that a row belongs to. */
export const projectRowOf = (rows: readonly Row[], at: number): number =>
  rows.findLastIndex((row, index) => index <= at && row.kind === 'project');

/** The next row whose name starts with what was typed, wrapping around; the current row counts from the second letter on. */
export function typedRow(
  rows: readonly Row[],
  at: number,
  typed: string,
  untitled: string,
): number | undefined {
  const wanted = foldText(typed);
  const nameOf = (row: Row) =>
    row.kind === 'project'
      ? row.project.name
      : row.kind === 'thread'
        ? row.thread.title || untitled
        : row.kind === 'routine'
          ? row.name
          : '';
  const first = typed.length > 1 ? at : at + 1;
  for (let step = 0; step < rows.length; step += 1) {
    const index = (first + step) % rows.length;
    const row = rows[index];
    if (row && foldText(nameOf(row)).startsWith(wanted)) return index;
  }
  return undefined;
}
