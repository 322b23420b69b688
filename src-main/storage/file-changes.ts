import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import { ChangeAuthor, FileState } from '../contract/changes';
import type { ProjectId, ThreadId } from '../contract/ids';
import { jsonField, type OnUnreadable, readBody } from './json-columns';

/** The change of one path from one state to another. */
export interface PathChange {
  /** Relative to the folder, with `/`. */
  path: string;
  before: FileState;
  after: FileState;
}

/** See `RevertStep` of the engine. */
export interface RevertStep extends PathChange {
  from?: string | undefined;
}

export type AgentAuthor = Extract<ChangeAuthor, { by: 'agent' }>;

export interface FileChangeRow extends PathChange {
  id: number;
  at: number;
  author: ChangeAuthor;
  /** The contents are no longer kept. */
  dropped: boolean;
}

export interface OpenRevert {
  id: string;
  projectId: ProjectId;
  threadId: ThreadId;
  steps: RevertStep[];
}

export interface FileChanges {
  /** Atomic, in order. */
  insert(projectId: ProjectId, author: ChangeAuthor, at: number, changes: readonly PathChange[]): void;
  /** Oldest first: changes by the thread's calls, its reverts, and changes of unclear origin. */
  ofThread(projectId: ProjectId, threadId: ThreadId): FileChangeRow[];
  /** By path: when each kind of author last changed it. */
  lastByAuthor(projectId: ProjectId): Map<string, { by: ChangeAuthor['by']; at: number }[]>;
  /** Newest first, by any author. */
  ofPath(projectId: ProjectId, path: string, limit: number): FileChangeRow[];
  /** Oldest first, by any author. */
  ofPathSince(projectId: ProjectId, path: string, id: number): FileChangeRow[];
  /**
   * Paths that an agent's command changed at `since` or later without anybody being asked, and nobody changed again. The
   * latest first.
   */
  autoApprovedSince(projectId: ProjectId, since: number, limit: number): string[];
  /** The last known state of the path. */
  lastState(projectId: ProjectId, path: string): FileState | null;

  callBegins(projectId: ProjectId, author: AgentAuthor): void;
  callEnds(threadId: ThreadId, callId: string): void;
  /** Calls that were started and not finished. */
  openCalls(projectId: ProjectId): AgentAuthor[];

  revertBegins(revert: OpenRevert, at: number): void;
  /** Finishes a revert with its changes. */
  revertEnds(revert: OpenRevert, at: number, changes: readonly PathChange[]): void;
  openReverts(projectId: ProjectId): OpenRevert[];

  /** Rows whose contents are kept, newest first, with ids lower than `below`. */
  kept(below: number, limit: number): { id: number; hashes: string[] }[];
  /** Marks these rows and all earlier ones as dropped before their contents are deleted. */
  dropThrough(id: number): void;
}

type Row = {
  id: number;
  at: number;
  path: string;
  author: string;
  before: string;
  after: string;
  dropped: number;
};

const COLUMNS = 'id, at, path, author, before, after, dropped';
const Steps = z.array(
  z.object({ path: z.string(), before: FileState, after: FileState, from: z.string().optional() }),
);

/** The statements of the table. */
function statementsOf(db: Db) {
  return {
    insert: db.prepare(
      `INSERT INTO file_changes (project_id, thread_id, call_id, at, path, author, before, after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    lastByAuthor: db.prepare<[string], { path: string; by: ChangeAuthor['by']; at: number }>(
      `SELECT path, ${jsonField('author', '$.by')} AS by, max(at) AS at FROM file_changes
       WHERE project_id = ? AND by IS NOT NULL GROUP BY path, by`,
    ),
    ofThread: db.prepare<[string, string], Row>(
      `SELECT ${COLUMNS} FROM file_changes WHERE project_id = ? AND thread_id = ? ORDER BY id`,
    ),
    ofPath: db.prepare<[string, string, number], Row>(
      `SELECT ${COLUMNS} FROM file_changes WHERE project_id = ? AND path = ? ORDER BY id DESC LIMIT ?`,
    ),
    since: db.prepare<[string, string, number], Row>(
      `SELECT ${COLUMNS} FROM file_changes WHERE project_id = ? AND path = ? AND id > ? ORDER BY id`,
    ),
    autoApproved: db.prepare<[string, number, number], { path: string }>(
      `SELECT path FROM file_changes f
       WHERE project_id = ? AND author ->> '$.autoApproved' IS NOT NULL AND at >= ? AND NOT EXISTS (
         SELECT 1 FROM file_changes l WHERE l.project_id = f.project_id AND l.path = f.path AND l.id > f.id
       ) ORDER BY id DESC LIMIT ?`,
    ),
    begin: db.prepare(
      `INSERT INTO changing_calls (project_id, thread_id, call_id, author) VALUES (?, ?, ?, ?)
       ON CONFLICT (thread_id, call_id) DO UPDATE SET author = excluded.author`,
    ),
    end: db.prepare<[string, string]>('DELETE FROM changing_calls WHERE thread_id = ? AND call_id = ?'),
    open: db.prepare<[string], { id: string; author: string }>(
      'SELECT call_id AS id, author FROM changing_calls WHERE project_id = ?',
    ),
    beginRevert: db.prepare(
      'INSERT INTO file_reverts (id, project_id, thread_id, at, steps) VALUES (?, ?, ?, ?, ?)',
    ),
    endRevert: db.prepare<[string]>('UPDATE file_reverts SET done = 1 WHERE id = ?'),
    openReverts: db.prepare<
      [string],
      { id: string; projectId: ProjectId; threadId: ThreadId; steps: string }
    >(
      `SELECT id, project_id AS projectId, thread_id AS threadId, steps FROM file_reverts
       WHERE project_id = ? AND done = 0 ORDER BY at, rowid`,
    ),
    kept: db.prepare<[number, number], { id: number; before: string; after: string }>(
      `SELECT id, before, after FROM file_changes WHERE dropped = 0 AND id < ? ORDER BY id DESC LIMIT ?`,
    ),
    drop: db.prepare<[number]>('UPDATE file_changes SET dropped = 1 WHERE dropped = 0 AND id <= ?'),
  };
}

/** The hashes of the contents of files among them. */
export const hashesIn = (states: readonly (FileState | null)[]): string[] =>
  states.flatMap((state) => (state?.type === 'file' && state.hash !== null ? [state.hash] : []));

/** File changes with the states before and after. Contents are stored elsewhere, by hash. */
export function openFileChanges(db: Db, onUnreadable: OnUnreadable): FileChanges {
  const sql = statementsOf(db);

  const read = (rows: Row[]): FileChangeRow[] =>
    rows.flatMap(({ id, at, path, dropped, ...bodies }) => {
      const author = readBody(ChangeAuthor, bodies.author);
      const before = readBody(FileState, bodies.before);
      const after = readBody(FileState, bodies.after);
      if (author !== null && before !== null && after !== null)
        return [{ id, at, path, author, before, after, dropped: dropped === 1 }];
      onUnreadable('file_changes', String(id));
      return [];
    });
  const insertAll = db.transaction(
    (projectId: ProjectId, author: ChangeAuthor, at: number, changes: readonly PathChange[]) => {
      const threadId = author.by === 'person' ? null : author.threadId;
      const callId = author.by === 'agent' || author.by === 'unclear' ? author.callId : null;
      const body = JSON.stringify(author);
      for (const { path, before, after } of changes)
        sql.insert.run(
          projectId,
          threadId,
          callId,
          at,
          path,
          body,
          JSON.stringify(before),
          JSON.stringify(after),
        );
    },
  );
  const endOfRevert = db.transaction((revert: OpenRevert, at: number, changes: readonly PathChange[]) => {
    const { id, projectId, threadId } = revert;
    insertAll(projectId, { by: 'revert', threadId, revertId: id }, at, changes);
    sql.endRevert.run(id);
  });

  return {
    insert: (projectId, author, at, changes) => {
      if (changes.length > 0) unsynced(db, () => insertAll.immediate(projectId, author, at, changes));
    },
    ofThread: (projectId, threadId) => read(sql.ofThread.all(projectId, threadId)),
    lastByAuthor: (projectId) => {
      const found = new Map<string, { by: ChangeAuthor['by']; at: number }[]>();
      for (const { path, by, at } of sql.lastByAuthor.all(projectId))
        found.set(path, [...(found.get(path) ?? []), { by, at }]);
      return found;
    },
    ofPath: (projectId, path, limit) => read(sql.ofPath.all(projectId, path, limit)),
    ofPathSince: (projectId, path, id) => read(sql.since.all(projectId, path, id)),
    autoApprovedSince: (projectId, since, limit) =>
      sql.autoApproved.all(projectId, since, limit).map(({ path }) => path),
    lastState: (projectId, path) => read(sql.ofPath.all(projectId, path, 1))[0]?.after ?? null,
    callBegins: (projectId, author) => {
      unsynced(db, () => sql.begin.run(projectId, author.threadId, author.callId, JSON.stringify(author)));
    },
    callEnds: (threadId, callId) => {
      unsynced(db, () => sql.end.run(threadId, callId));
    },
    openCalls: (projectId) =>
      sql.open.all(projectId).flatMap(({ id, author }) => {
        const found = readBody(ChangeAuthor, author);
        if (found?.by === 'agent') return [found];
        onUnreadable('changing_calls', id);
        return [];
      }),
    revertBegins: ({ id, projectId, threadId, steps }, at) => {
      sql.beginRevert.run(id, projectId, threadId, at, JSON.stringify(steps));
    },
    revertEnds: (revert, at, changes) => {
      endOfRevert.immediate(revert, at, changes);
    },
    openReverts: (projectId) =>
      sql.openReverts.all(projectId).flatMap(({ steps, ...revert }) => {
        const found = readBody(Steps, steps);
        if (found !== null) return [{ ...revert, steps: found }];
        onUnreadable('file_reverts', revert.id);
        return [];
      }),
    kept: (below, limit) =>
      sql.kept.all(below, limit).map(({ id, before, after }) => ({
        id,
        hashes: hashesIn([readBody(FileState, before), readBody(FileState, after)]),
      })),
    dropThrough: (id) => {
      sql.drop.run(id);
    },
  };
}
