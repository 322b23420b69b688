import type { Db } from '../base/sqlite/db';
import type { RoutineId, ThreadId } from '../contract/ids';
import { Routine, RoutineRun } from '../contract/routines';
import { type OnUnreadable, readBodies } from './json-columns';

/** A routine with its due times, in milliseconds since 1970. */
export interface StoredRoutine {
  routine: Routine;
  /** When it is due; null if it is off. */
  nextAt: number | null;
  /** The last due time that was used up, whatever the clock says now; null if none was. */
  ranAt: number | null;
}

export interface RoutinesTable {
  /** Those that are not removed, oldest first. */
  list(): StoredRoutine[];
  /** Null if it is unknown or removed. */
  get(id: RoutineId): StoredRoutine | null;
  add(routine: Routine): void;
  /** Changes a routine as it is now; its due times stay. False if it is unknown or removed. */
  change(id: RoutineId, change: (routine: Routine) => Routine): boolean;
  setNext(id: RoutineId, nextAt: number | null): void;
  /**
   * Uses up a due time, unless somebody else has: false. `ranAt`: null leaves it unchanged.
   */
  claim(id: RoutineId, dueAt: number, nextAt: number | null, ranAt: number | null): boolean;
  remove(id: RoutineId, at: number): boolean;
  /** False if there is nothing to restore. */
  restore(id: RoutineId): boolean;
  /** Adds a run or replaces the one with its id. */
  saveRun(run: RoutineRun): void;
  /** The newest first. */
  runs(id: RoutineId, limit: number): RoutineRun[];
  /** The run that a thread belongs to; null if none. */
  runOf(threadId: ThreadId): RoutineRun | null;
}

interface Row {
  id: string;
  body: string;
  next_at: number | null;
  ran_at: number | null;
}
type Body = { id: string; body: string };

const prepare = (db: Db) => ({
  list: db.prepare<[], Row>(
    'SELECT id, body, next_at, ran_at FROM routines WHERE removed_at IS NULL ORDER BY created_at, rowid',
  ),
  get: db.prepare<[string], Row>(
    'SELECT id, body, next_at, ran_at FROM routines WHERE id = ? AND removed_at IS NULL',
  ),
  add: db.prepare<[string, string, number, string]>(
    'INSERT INTO routines (id, project_id, created_at, body) VALUES (?, ?, ?, ?)',
  ),
  change: db.prepare<[string, string, string]>(
    'UPDATE routines SET project_id = ?, body = ? WHERE id = ? AND removed_at IS NULL',
  ),
  setNext: db.prepare<[number | null, string]>('UPDATE routines SET next_at = ? WHERE id = ?'),
  claim: db.prepare<[number | null, number | null, number | null, string, number]>(
    `UPDATE routines SET next_at = ?, ran_at = coalesce(max(ran_at, ?), ?, ran_at)
     WHERE id = ? AND next_at = ? AND removed_at IS NULL`,
  ),
  remove: db.prepare<[number, string]>(
    'UPDATE routines SET removed_at = ?, next_at = NULL WHERE id = ? AND removed_at IS NULL',
  ),
  restore: db.prepare<[string]>(
    'UPDATE routines SET removed_at = NULL WHERE id = ? AND removed_at IS NOT NULL',
  ),
  saveRun: db.prepare<[string, string, string | null, number, string]>(
    `INSERT INTO routine_runs (id, routine_id, thread_id, at, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, body = excluded.body`,
  ),
  runs: db.prepare<[string, number], Body>(
    'SELECT id, body FROM routine_runs WHERE routine_id = ? ORDER BY at DESC, rowid DESC LIMIT ?',
  ),
  runOf: db.prepare<[string], Body>('SELECT id, body FROM routine_runs WHERE thread_id = ?'),
});

export function openRoutines(db: Db, onUnreadable: OnUnreadable): RoutinesTable {
  const sql = prepare(db);
  const read = (rows: Row[]): StoredRoutine[] =>
    rows.flatMap((row) =>
      readBodies('routines', Routine, [row], onUnreadable).map((routine) => ({
        routine,
        nextAt: row.next_at,
        ranAt: row.ran_at,
      })),
    );
  const get = (id: RoutineId): StoredRoutine | null => read(sql.get.all(id))[0] ?? null;
  const readRuns = (rows: Body[]) => readBodies('routine_runs', RoutineRun, rows, onUnreadable);
  return {
    list: () => read(sql.list.all()),
    get,
    add: (routine) => {
      sql.add.run(routine.id, routine.projectId, routine.createdAt, JSON.stringify(routine));
    },
    change: (id, change) => {
      const stored = get(id);
      if (stored === null) return false;
      const changed = change(stored.routine);
      return sql.change.run(changed.projectId, JSON.stringify(changed), id).changes === 1;
    },
    setNext: (id, nextAt) => {
      sql.setNext.run(nextAt, id);
    },
    claim: (id, dueAt, nextAt, ranAt) => sql.claim.run(nextAt, ranAt, ranAt, id, dueAt).changes === 1,
    remove: (id, at) => sql.remove.run(at, id).changes === 1,
    restore: (id) => sql.restore.run(id).changes === 1,
    saveRun: (run) => {
      sql.saveRun.run(run.id, run.routineId, run.threadId, run.at, JSON.stringify(run));
    },
    runs: (id, limit) => readRuns(sql.runs.all(id, limit)),
    runOf: (threadId) => readRuns(sql.runOf.all(threadId))[0] ?? null,
  };
}
