import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import type { ThreadSummary } from '../contract/app';
import { QueuedMessage, ThreadInfo, type ThreadState, Turn, Usage } from '../contract/conversation';
import { type ProjectId, ThreadId } from '../contract/ids';
import { Todo } from '../contract/shared/todo';
import { type OnUnreadable, readBody } from './json-columns';

/** A thread without its messages and approvals, which have separate tables. */
type ThreadRecord = Omit<ThreadState, 'messages' | 'approvals'>;

export interface Threads {
  /** Adds a new thread: idle, without messages, at event number 0. */
  insert(thread: ThreadInfo): void;
  /** Changes the given parts. `answeredAt`: when its turn finished without being stopped by the person. */
  change(id: ThreadId, parts: Partial<ThreadRecord> & { answeredAt?: number }): void;
  /** Pins, unpins, archives or unarchives it in the thread list, as of `at`. */
  mark(id: ThreadId, marks: { pinned?: boolean; archived?: boolean }, at: number): void;
  /** Null if it is unknown or deleted. */
  get(id: ThreadId): ThreadRecord | null;
  /** The number of its last saved event; null if it is unknown. */
  seqOf(id: ThreadId): number | null;
  /** The sidebar's threads, most recently changed first, without deleted ones and those of removed projects. */
  summaries(projectId?: ProjectId): ThreadSummary[];
  summary(id: ThreadId): ThreadSummary | null;
  /** Whether a project has threads, deleted ones included. */
  hasAny(projectId: ProjectId): boolean;
  /** Threads whose turn was last saved as running or waiting. */
  unfinished(): ThreadId[];
  /** Those of the ids whose threads do not exist, not even to be restored. */
  erased(ids: readonly ThreadId[]): ThreadId[];
  /** Ids of saved agent states without a thread: a kill, or a full disk, ended a fork or an import before its last step. */
  statesAlone(): string[];
  /** Hides it; `restore` undoes that. */
  remove(id: ThreadId, at: number): void;
  /** False if there is nothing to restore. */
  restore(id: ThreadId): boolean;
  /**
   * Threads deleted before that time (milliseconds since 1970), or removed with their project: those that `Storage.purge`
   * erases.
   */
  removedBefore(at: number): ThreadId[];
  /** Erases the row with its messages, approvals and journal. */
  erase(id: ThreadId): void;
}

interface Row {
  id: string;
  seq: number;
  info: string;
  turn: string;
  todos: string;
  usage: string;
  queue: string;
}

/** A thread as the sidebar lists it. */
interface Listed {
  id: string;
  info: string;
  phase: string;
  waiting: number;
  pinned: number;
  archived: number;
  unread: number;
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, contextTokens: 0 };
const COLUMNS = 'id, seq, info, turn, todos, usage, queue';

const listed = (where: string) =>
  `SELECT t.id, t.info, t.phase, (SELECT count(*) FROM approvals a WHERE a.thread_id = t.id AND a.taken_at IS NULL)
   AS waiting, t.pinned_at IS NOT NULL AS pinned, t.archived_at IS NOT NULL AS archived,
   t.answered_at > coalesce((SELECT s.at FROM seen s WHERE s.thread_id = t.id), 0) AS unread
   FROM threads t JOIN projects p ON p.id = t.project_id
   WHERE t.deleted_at IS NULL AND ${where} ORDER BY t.updated_at DESC, t.rowid DESC`;

function prepareChanges(db: Db) {
  return {
    insert: db.prepare(
      `INSERT INTO threads (id, project_id, updated_at, phase, seq, info, turn, todos, usage, queue)
       VALUES (@id, @projectId, @updatedAt, 'idle', 0, @info, @turn, '[]', @usage, '[]')`,
    ),
    // One statement for any parts: coalesce keeps those that are not given.
    change: db.prepare(
      `UPDATE threads SET info = coalesce(@info, info), project_id = coalesce(@projectId, project_id),
       updated_at = coalesce(@updatedAt, updated_at), seq = coalesce(@seq, seq), turn = coalesce(@turn, turn),
       phase = coalesce(@phase, phase), todos = coalesce(@todos, todos), usage = coalesce(@usage, usage),
       queue = coalesce(@queue, queue), answered_at = coalesce(@answeredAt, answered_at) WHERE id = @id`,
    ),
    // Null leaves it unchanged; 0 clears it.
    mark: db.prepare(
      `UPDATE threads SET pinned_at = nullif(coalesce(@pinnedAt, pinned_at), 0),
       archived_at = nullif(coalesce(@archivedAt, archived_at), 0) WHERE id = @id`,
    ),
    remove: db.prepare<[number, string]>(
      'UPDATE threads SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL',
    ),
    restore: db.prepare<[string]>(
      'UPDATE threads SET deleted_at = NULL WHERE id = ? AND deleted_at IS NOT NULL',
    ),
    erase: db.prepare<[string]>('DELETE FROM threads WHERE id = ?'),
  };
}

function prepareQueries(db: Db) {
  return {
    get: db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM threads WHERE id = ? AND deleted_at IS NULL`),
    seq: db.prepare<[string], number>('SELECT seq FROM threads WHERE id = ?').pluck(),
    all: db.prepare<[], Listed>(listed('p.removed_at IS NULL')),
    ofProject: db.prepare<[string], Listed>(listed('t.project_id = ?')),
    one: db.prepare<[string], Listed>(listed('t.id = ?')),
    any: db.prepare<[string], { id: string }>('SELECT id FROM threads WHERE project_id = ? LIMIT 1'),
    erased: db
      .prepare<[string], string>('SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM threads)')
      .pluck(),
    unfinished: db.prepare<[], { id: string }>(
      `SELECT id FROM threads WHERE phase IN ('running', 'waiting') ORDER BY updated_at`,
    ),
    statesAlone: db
      .prepare<[], string>(
        'SELECT thread_id FROM saved_threads WHERE thread_id NOT IN (SELECT id FROM threads)',
      )
      .pluck(),
    removed: db.prepare<[number, number], { id: string }>(
      `SELECT id FROM threads WHERE deleted_at < ? UNION
       SELECT t.id FROM projects p JOIN threads t ON t.project_id = p.id WHERE p.removed_at < ?`,
    ),
  };
}

export function openThreads(db: Db, onUnreadable: OnUnreadable): Threads {
  const changes = prepareChanges(db);
  const queries = prepareQueries(db);
  return {
    insert: (thread) => {
      changes.insert.run({
        id: thread.id,
        projectId: thread.projectId,
        updatedAt: thread.updatedAt,
        info: JSON.stringify(thread),
        turn: JSON.stringify({ phase: 'idle' } satisfies Turn),
        usage: JSON.stringify(NO_USAGE),
      });
    },
    change: (id, parts) => {
      changes.change.run({
        id,
        info: json(parts.thread),
        projectId: parts.thread?.projectId ?? null,
        updatedAt: parts.thread?.updatedAt ?? null,
        seq: parts.seq ?? null,
        turn: json(parts.turn),
        phase: parts.turn?.phase ?? null,
        todos: json(parts.todos),
        usage: json(parts.usage),
        queue: json(parts.queue),
        answeredAt: parts.answeredAt ?? null,
      });
    },
    mark: (id, { pinned, archived }, at) => {
      const since = (isSo: boolean | undefined) => (isSo === undefined ? null : isSo ? at : 0);
      changes.mark.run({ id, pinnedAt: since(pinned), archivedAt: since(archived) });
    },
    get: (id) => {
      const row = queries.get.get(id);
      return row ? readRecord(row, onUnreadable) : null;
    },
    seqOf: (id) => queries.seq.get(id) ?? null,
    summaries: (projectId) =>
      summarize(projectId === undefined ? queries.all.all() : queries.ofProject.all(projectId), onUnreadable),
    summary: (id) => summarize(queries.one.all(id), onUnreadable)[0] ?? null,
    hasAny: (projectId) => queries.any.get(projectId) !== undefined,
    erased: (ids) => queries.erased.all(JSON.stringify(ids)).map((id) => ThreadId.parse(id)),
    unfinished: () => queries.unfinished.all().map((row) => ThreadId.parse(row.id)),
    statesAlone: () => queries.statesAlone.all(),
    remove: (id, at) => {
      changes.remove.run(at, id);
    },
    restore: (id) => changes.restore.run(id).changes === 1,
    removedBefore: (at) => queries.removed.all(at, at).map((row) => ThreadId.parse(row.id)),
    erase: (id) => {
      changes.erase.run(id);
    },
  };
}

/** A row is lost only if its `info` is unreadable. Any other unreadable part is dropped and reported. */
function readRecord(row: Row, onUnreadable: OnUnreadable): ThreadRecord | null {
  const thread = readBody(ThreadInfo, row.info);
  const turn = readBody(Turn, row.turn);
  const todos = readBody(z.array(Todo), row.todos);
  const usage = readBody(Usage, row.usage);
  const queue = readBody(z.array(QueuedMessage), row.queue);
  if (!thread || !turn || !todos || !usage || !queue) onUnreadable('threads', row.id);
  if (!thread) return null;
  return {
    thread,
    turn: turn ?? { phase: 'idle' },
    todos: todos ?? [],
    usage: usage ?? NO_USAGE,
    queue: queue ?? [],
    seq: row.seq,
  };
}

function summarize(rows: Listed[], onUnreadable: OnUnreadable): ThreadSummary[] {
  return rows.flatMap((row) => {
    const info = readBody(ThreadInfo, row.info);
    const status = Turn.options.find((option) => option.shape.phase.value === row.phase)?.shape.phase.value;
    if (!info || !status) {
      onUnreadable('threads', row.id);
      return [];
    }
    const { id, projectId, title, updatedAt, origin, routine } = info;
    const from = origin && { threadId: origin.threadId, title: origin.title };
    return [
      {
        id,
        projectId,
        title,
        updatedAt,
        status,
        waiting: row.waiting,
        ...(from ? { origin: from } : {}),
        ...(routine ? { routine } : {}),
        ...(row.pinned === 1 ? { pinned: true } : {}),
        ...(row.archived === 1 ? { archived: true } : {}),
        ...(row.unread === 1 ? { unread: true } : {}),
      },
    ];
  });
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
