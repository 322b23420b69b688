import type { ThreadSummary } from '@contract/app';
import { ProjectId, RoutineId, ThreadId } from '@contract/ids';
import { describe, expect, it } from 'vitest';
import { sampleApp } from '../../testing/samples';
import { groupThreads } from './groups';
import { type Folds, projectRowOf, rowAfter, rowInPlace, rowsOf, typedRow, VISIBLE_THREADS } from './rows';

const { projects, threads } = sampleApp();
const p1 = ProjectId.parse('p1');
const open: Folds = { closed: [], older: [], archived: [], routines: [] };
const look = { searching: false, selected: null };
const rows = (
  folds: Folds = open,
  all: readonly ThreadSummary[] = threads,
  options: Parameters<typeof rowsOf>[2] = look,
) => rowsOf(groupThreads(projects, all, ''), folds, options);
const keys = (...given: Parameters<typeof rows>) => rows(...given).map(({ key }) => key);

const many = (count: number): ThreadSummary[] =>
  Array.from({ length: count }, (_, index) => ({
    id: ThreadId.parse(`m${index}`),
    projectId: p1,
    title: `Thread ${index}`,
    updatedAt: 1_000 - index,
    status: 'idle',
    waiting: 0,
  }));

describe('sidebar rows', () => {
  it('list projects with their threads, and say if there are none', () => {
    expect(keys()).toEqual([
      'project:p1',
      't1',
      't2',
      't3',
      't4',
      'project:p2',
      't5',
      'project:p3',
      'empty:p3',
    ]);
  });

  it('show only the header of a folded project, with the activity inside', () => {
    const [head, next] = rows({ ...open, closed: [p1] });
    expect(head).toMatchObject({ open: false, within: { running: 1, waiting: 2, failed: 1, unread: 0 } });
    expect(next?.key).toBe('project:p2');
  });

  it('count a running thread that waits for you as waiting', () => {
    const asking = threads.map((one) => (one.status === 'running' ? { ...one, waiting: 1 } : one));
    const [head] = rows({ ...open, closed: [p1] }, asking);
    expect(head).toMatchObject({ within: { running: 0, waiting: 3 } });
  });

  it('hide older threads until they are unfolded, except for unread ones and the open one', () => {
    const all = many(VISIBLE_THREADS + 4).map((one, index) =>
      index === VISIBLE_THREADS + 1 ? { ...one, unread: true } : one,
    );
    const shown = keys(open, all, { searching: false, selected: ThreadId.parse(`m${VISIBLE_THREADS + 3}`) });
    expect(shown.filter((key) => key.startsWith('m')).slice(VISIBLE_THREADS)).toEqual([
      `m${VISIBLE_THREADS + 1}`,
      `m${VISIBLE_THREADS + 3}`,
    ]);
    expect(rows(open, all).find(({ kind }) => kind === 'fold')).toMatchObject({ of: 'older', count: 3 });
    const unfolded = keys({ ...open, older: [p1] }, all);
    expect(unfolded.filter((key) => key.startsWith('m'))).toHaveLength(VISIBLE_THREADS + 4);
    expect(unfolded).toContain('older:p1');
  });

  it('group the runs of a routine below its name, and fold those that need nothing', () => {
    const routine = { id: RoutineId.parse('r1'), name: 'Report' };
    const all = many(4).map((one, index) =>
      index === 0 ? one : { ...one, routine, ...(index === 2 ? { status: 'waiting' as const } : {}) },
    );
    expect(keys(open, all).slice(0, 4)).toEqual(['project:p1', 'm0', 'routine:r1', 'm2']);
    expect(rows(open, all)[2]).toMatchObject({ name: 'Report', open: false, count: 3 });
    const unfolded = keys({ ...open, routines: [routine.id] }, all);
    expect(unfolded.slice(2, 6)).toEqual(['routine:r1', 'm1', 'm2', 'm3']);
    expect(keys(open, all, { searching: true, selected: null })).not.toContain('routine:r1');
  });

  it('fold archived threads, and fold nothing during a search', () => {
    const all = threads.map((one) => (one.id === 't4' ? { ...one, archived: true } : one));
    expect(keys(open, all).slice(0, 5)).toEqual(['project:p1', 't1', 't2', 't3', 'archived:p1']);
    expect(keys({ ...open, archived: [p1] }, all)[5]).toBe('t4');
    expect(keys({ ...open, closed: [p1] }, all, { searching: true, selected: null }).slice(0, 5)).toEqual([
      'project:p1',
      't1',
      't2',
      't3',
      't4',
    ]);
  });

  it('move by keys, skipping rows that cannot be focused', () => {
    const all = rows();
    const last = all.length - 1;
    expect(rowAfter(all, 0, 'ArrowDown', 12)).toBe(1);
    expect(rowAfter(all, 0, 'ArrowUp', 12)).toBeUndefined();
    expect(rowAfter(all, 0, 'End', 12)).toBe(last - 1);
    expect(rowAfter(all, last - 1, 'ArrowDown', 12)).toBeUndefined();
    expect(rowAfter(all, 3, 'PageUp', 12)).toBe(0);
    expect(projectRowOf(all, 3)).toBe(0);
  });

  it('match by the first letters of their names, wrapping around', () => {
    const all = rows();
    const typed = (at: number, text: string) => all[typedRow(all, at, text, 'New thread') ?? -1]?.key;
    expect([typed(0, 'u'), typed(0, 'PORT'), typed(4, 'e'), typed(0, 'new'), typed(0, 'zz')]).toEqual([
      't2',
      't4',
      't3',
      't5',
      undefined,
    ]);
  });

  it('pass the focus on within their project when a thread is deleted', () => {
    const without = (id: string) => {
      const at = rows().findIndex(({ key }) => key === id);
      const left = threads.filter((one) => one.id !== id);
      return rowInPlace(rows(open, left), at)?.key;
    };
    expect(without('t1')).toBe('t2');
    expect(without('t4')).toBe('t3');
    // The last one of a project: neither the "no threads" row, nor a thread of the next project.
    expect(without('t5')).toBe('project:p2');
  });
});
