import type { Db } from '../base/sqlite/db';
import { isUnderWay, RemoteTask } from '../contract/agents';
import type { ThreadId } from '../contract/ids';
import { type OnUnreadable, readBodies } from './json-columns';

/** The tasks that threads have given to agents on servers. */
export interface RemoteTasksTable {
  /** Newest first. */
  of(threadId: ThreadId): RemoteTask[];
  get(threadId: ThreadId, taskId: string): RemoteTask | null;
  /** Those of all threads that may still change on their own. */
  underWay(): RemoteTask[];
  /** Adds a task or replaces the one of the thread with its id. */
  save(task: RemoteTask): void;
}

export function openRemoteTasks(db: Db, onUnreadable: OnUnreadable): RemoteTasksTable {
  type Row = { id: string; body: string };
  const of = db.prepare<[string], Row>(
    'SELECT task_id AS id, body FROM remote_tasks WHERE thread_id = ? ORDER BY created_at DESC, rowid DESC',
  );
  const get = db.prepare<[string, string], Row>(
    'SELECT task_id AS id, body FROM remote_tasks WHERE thread_id = ? AND task_id = ?',
  );
  const underWay = db.prepare<[], Row>(
    `SELECT r.task_id AS id, r.body FROM remote_tasks r JOIN threads t ON t.id = r.thread_id
     WHERE r.under_way = 1 AND t.deleted_at IS NULL ORDER BY r.created_at`,
  );
  const save = db.prepare<[string, string, number, number, string]>(
    `INSERT INTO remote_tasks (task_id, thread_id, created_at, under_way, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (thread_id, task_id) DO UPDATE SET under_way = excluded.under_way, body = excluded.body`,
  );
  const read = (rows: Row[]) => readBodies('remote_tasks', RemoteTask, rows, onUnreadable);
  return {
    of: (threadId) => read(of.all(threadId)),
    get: (threadId, taskId) => read(get.all(threadId, taskId))[0] ?? null,
    underWay: () => read(underWay.all()),
    save: (task) => {
      const { taskId, threadId, createdAt } = task;
      save.run(taskId, threadId, createdAt, isUnderWay(task) ? 1 : 0, JSON.stringify(task));
    },
  };
}
