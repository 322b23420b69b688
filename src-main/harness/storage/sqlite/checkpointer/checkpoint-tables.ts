import type { Db } from '../../../../base/sqlite/db';
import { CHECKPOINT_TABLES, ensureTables } from '../schema';
import { openPieces, type Pieces } from './pieces';

export interface CheckpointRow {
  thread: number;
  ns: string;
  id: string;
  parentId: string | null;
  /** The thread's main checkpoint during which a sub-graph wrote this one. */
  rootId: string | null;
  /** Number of earlier checkpoints that its delta channels need. */
  reach: number;
  head: string;
  /** JSON: the text in pieces, by channel. */
  channels: string;
  metadata: string;
}

interface WriteKey {
  thread: number;
  ns: string;
  checkpointId: string;
  taskId: string;
  /** Negative for special writes, of which the last counts; for others the first counts. */
  idx: number;
  channel: string;
}

export interface CheckpointTables {
  /** Cached. Another process may have deleted the thread since then; `isThread` checks. */
  findThread(threadId: string | null): number | null;
  isThread(threadId: string, key: number): boolean;
  threadKey(threadId: string): number;
  pieces(thread: number): Pieces;
  find(thread: number, ns: string, id: string): CheckpointRow | undefined;
  latest(thread: number, ns: string): CheckpointRow | undefined;
  // `pieces`: those of the same thread. The caller settles them.
  /** Newest first. Null matches any. */
  list(where: {
    threadId: string | null;
    ns: string | null;
    id: string | null;
    before: string | null;
  }): { threadId: string; thread: number; ns: string; id: string }[];
  /** `texts`: those of its channels. */
  insert(row: CheckpointRow, texts: readonly string[], pieces: Pieces): void;
  /** Calls `text` only if the write is stored. */
  insertWrite(key: WriteKey, pieces: Pieces, text: () => string): void;
  writesOf(thread: number, ns: string, id: string): { taskId: string; channel: string; text: string }[];
  prune(thread: number, ns: string, pieces: Pieces): void;
  removeThread(threadId: string): void;
}

const ROW = 'thread, ns, id, parent_id AS parentId, root_id AS rootId, reach, head, channels, metadata';
/** Pages of 4 KB to release after a thread is deleted. More would block the UI. */
const PAGES_FREED = 2_000;

/** Threads whose keys are cached. */
const KEYS_KEPT = 1_000;

/** Old checkpoints to remove in one step. Usually there is one. */
const REMOVAL_BATCH = 64;

interface OldCheckpoint {
  ns: string;
  id: string;
  channels: string;
}

/**
 * The checkpointer's rows in insertion order: their ids are timestamps, and a clock may be set back. A row's text holds its
 * pieces: inserting the row counts references, deleting it releases them.
 */
export function openCheckpointTables(db: Db, keep: number): CheckpointTables {
  ensureTables(db, CHECKPOINT_TABLES, 'checkpoints');
  const pieceTable = openPieces(db);
  const threads = openSavedThreads(db);
  const checkpoints = prepareCheckpoints(db);
  const removeThreadRows = ['checkpoints', 'checkpoint_writes'].map((table) =>
    db.prepare<[number]>(`DELETE FROM ${table} WHERE thread = ?`),
  );
  const removeThread = db.transaction((thread: number) => {
    for (const statement of removeThreadRows) statement.run(thread);
    pieceTable.removeAll(thread);
    threads.remove(thread);
  });

  return {
    findThread: threads.find,
    isThread: threads.isThread,
    threadKey: threads.findOrAdd,
    pieces: (thread) => pieceTable.of(thread),
    find: (thread, ns, id) => checkpoints.find.get(thread, ns, id),
    latest: (thread, ns) => checkpoints.latest.get(thread, ns),
    list: (where) => checkpoints.list.all({ ...where }),
    insert: openInserting(checkpoints),
    ...openWrites(db),
    prune: openPruning(db, checkpoints.remove, keep),
    removeThread: (threadId) => {
      const thread = threads.find(threadId);
      if (thread === null) return;
      threads.forget(threadId);
      removeThread.immediate(thread);
      db.pragma(`incremental_vacuum(${PAGES_FREED})`);
    },
  };
}

function prepareThreads(db: Db) {
  return {
    findThread: db.prepare<[string], { key: number }>('SELECT key FROM saved_threads WHERE thread_id = ?'),
    addThread: db.prepare<[string]>(
      'INSERT INTO saved_threads (thread_id) VALUES (?) ON CONFLICT DO NOTHING',
    ),
    removeThread: db.prepare<[number]>('DELETE FROM saved_threads WHERE key = ?'),
  };
}

/** The keys of threads, with a cache. */
function openSavedThreads(db: Db) {
  const { findThread, addThread, removeThread } = prepareThreads(db);
  const keys = new Map<string, number>();
  const find = (threadId: string | null): number | null => {
    if (threadId === null) return null;
    const known = keys.get(threadId);
    if (known !== undefined) return known;
    const found = findThread.get(threadId)?.key ?? null;
    if (found !== null) {
      if (keys.size >= KEYS_KEPT) keys.clear();
      keys.set(threadId, found);
    }
    return found;
  };
  return {
    find,
    isThread: (threadId: string, key: number): boolean => {
      if (findThread.get(threadId)?.key === key) return true;
      keys.delete(threadId);
      return false;
    },
    findOrAdd: (threadId: string): number => {
      const known = find(threadId);
      if (known !== null) return known;
      addThread.run(threadId);
      const added = find(threadId);
      if (added === null) throw new Error(`thread ${threadId} was not added`);
      return added;
    },
    forget: (threadId: string) => {
      keys.delete(threadId);
    },
    remove: (key: number) => {
      removeThread.run(key);
    },
  };
}

function prepareCheckpoints(db: Db) {
  return {
    find: db.prepare<[number, string, string], CheckpointRow>(
      `SELECT ${ROW} FROM checkpoints WHERE thread = ? AND ns = ? AND id = ?`,
    ),
    latest: db.prepare<[number, string], CheckpointRow>(
      `SELECT ${ROW} FROM checkpoints WHERE thread = ? AND ns = ? ORDER BY rowid DESC LIMIT 1`,
    ),
    list: db.prepare<
      [Record<string, string | null>],
      { threadId: string; thread: number; ns: string; id: string }
    >(
      `SELECT t.thread_id AS threadId, c.thread, c.ns, c.id FROM checkpoints c JOIN saved_threads t ON t.key = c.thread
       WHERE (@threadId IS NULL OR t.thread_id = @threadId) AND (@ns IS NULL OR c.ns = @ns)
       AND (@id IS NULL OR c.id = @id) AND (@before IS NULL OR c.rowid <
         (SELECT b.rowid FROM checkpoints b WHERE b.thread = c.thread AND b.ns = c.ns AND b.id = @before))
       ORDER BY c.rowid DESC`,
    ),
    // Null appends the row.
    insert: db.prepare<[CheckpointRow & { place: number | null }]>(
      `INSERT INTO checkpoints (rowid, thread, ns, id, parent_id, root_id, reach, head, channels, metadata)
       VALUES (@place, @thread, @ns, @id, @parentId, @rootId, @reach, @head, @channels, @metadata)
       ON CONFLICT (thread, ns, id) DO NOTHING`,
    ),
    placeOf: db
      .prepare<[number, string, string], number>(
        'SELECT rowid FROM checkpoints WHERE thread = ? AND ns = ? AND id = ?',
      )
      .pluck(),
    remove: db.prepare<[number, string, string]>(
      'DELETE FROM checkpoints WHERE thread = ? AND ns = ? AND id = ?',
    ),
  };
}

type Checkpoints = ReturnType<typeof prepareCheckpoints>;

function openInserting({ find, placeOf, remove, insert }: Checkpoints): CheckpointTables['insert'] {
  return (row, texts, pieces) => {
    if (insert.run({ ...row, place: null }).changes === 0) {
      const before = find.get(row.thread, row.ns, row.id);
      // A checkpoint that is put again keeps its place.
      const place = placeOf.get(row.thread, row.ns, row.id) ?? null;
      remove.run(row.thread, row.ns, row.id);
      insert.run({ ...row, place });
      for (const held of textsOf(before?.channels ?? '{}')) pieces.release(held);
    }
    for (const held of texts) pieces.hold(held);
  };
}

function prepareWrites(db: Db) {
  return {
    findWrite: db.prepare<[WriteKey], { text: string }>(
      `SELECT text FROM checkpoint_writes
       WHERE thread = @thread AND ns = @ns AND checkpoint_id = @checkpointId AND task_id = @taskId AND idx = @idx`,
    ),
    putWrite: db.prepare<[WriteKey & { text: string }]>(
      `INSERT INTO checkpoint_writes (thread, ns, checkpoint_id, task_id, idx, channel, text)
       VALUES (@thread, @ns, @checkpointId, @taskId, @idx, @channel, @text)
       ON CONFLICT (thread, ns, checkpoint_id, task_id, idx) DO UPDATE SET channel = excluded.channel, text = excluded.text`,
    ),
    writesOf: db.prepare<[number, string, string], { taskId: string; channel: string; text: string }>(
      `SELECT task_id AS taskId, channel, text FROM checkpoint_writes
       WHERE thread = ? AND ns = ? AND checkpoint_id = ? ORDER BY seq`,
    ),
  };
}

function openWrites(db: Db): Pick<CheckpointTables, 'insertWrite' | 'writesOf'> {
  const { findWrite, putWrite, writesOf } = prepareWrites(db);
  return {
    insertWrite: (key, pieces, text) => {
      const before = findWrite.get(key);
      if (before && key.idx >= 0) return;
      const held = text();
      pieces.hold(held);
      putWrite.run({ ...key, text: held });
      if (before) pieces.release(before.text);
    },
    writesOf: (thread, ns, id) => writesOf.all(thread, ns, id),
  };
}

function preparePruning(db: Db) {
  return {
    newest: db.prepare<[number, string, number], { reach: number }>(
      'SELECT reach FROM checkpoints WHERE thread = ? AND ns = ? ORDER BY rowid DESC LIMIT ?',
    ),
    nth: db
      .prepare<[number, string, number], number>(
        'SELECT rowid FROM checkpoints WHERE thread = ? AND ns = ? ORDER BY rowid DESC LIMIT 1 OFFSET ?',
      )
      .pluck(),
    // Keeps the checkpoints that turns started with, so that a thread can be forked there. Rows become old one by one, so
    // the ones to remove are among the newest old rows, and the kept ones are not scanned each time.
    older: db.prepare<[number, string, number, number], OldCheckpoint>(
      `SELECT ns, id, channels FROM checkpoints WHERE thread = ? AND ns = ? AND rowid < ?
       AND (ns <> '' OR json_extract(metadata, '$.source') IS NOT 'input') ORDER BY rowid DESC LIMIT ?`,
    ),
    // A namespace with a task id belongs to one run of a sub-graph; others continue across runs. A checkpoint whose root is
    // gone is removed too.
    below: db.prepare<[number, number], OldCheckpoint>(
      `SELECT c.ns, c.id, c.channels FROM checkpoints c WHERE c.thread = ? AND c.root_id IS NOT NULL
       AND instr(c.ns, ':') > 0 AND coalesce((SELECT r.rowid FROM checkpoints r
         WHERE r.thread = c.thread AND r.ns = '' AND r.id = c.root_id), 0) < ?`,
    ),
    removeWrites: db.prepare<[number, string, string], { text: string }>(
      'DELETE FROM checkpoint_writes WHERE thread = ? AND ns = ? AND checkpoint_id = ? RETURNING text',
    ),
    removeOldWrites: db.prepare<[number, string, number], { text: string }>(
      `DELETE FROM checkpoint_writes WHERE thread = ? AND ns = ? AND (SELECT c.rowid FROM checkpoints c
         WHERE c.thread = checkpoint_writes.thread AND c.ns = checkpoint_writes.ns
           AND c.id = checkpoint_writes.checkpoint_id) < ? RETURNING text`,
    ),
  };
}

function openPruning(db: Db, remove: Checkpoints['remove'], keep: number): CheckpointTables['prune'] {
  const { newest, nth, older, below, removeWrites, removeOldWrites } = preparePruning(db);
  const batch = Math.max(1, Math.floor(keep / 3));
  /** Checkpoints added since the last removal of old ones, by thread and namespace. */
  const added = new Map<string, number>();
  const removeRow = (pieces: Pieces, thread: number, row: OldCheckpoint) => {
    remove.run(thread, row.ns, row.id);
    for (const held of textsOf(row.channels)) pieces.release(held);
    for (const write of removeWrites.all(thread, row.ns, row.id)) pieces.release(write.text);
  };

  return (thread, ns, pieces) => {
    // In small batches: checking costs more than removing one row saves.
    const place = `${thread} ${ns}`;
    const due = (added.get(place) ?? batch) + 1;
    if (added.size >= KEYS_KEPT) added.clear();
    added.set(place, due < batch ? due : 0);
    if (due < batch || nth.get(thread, ns, keep) === undefined) return;
    const kept = newest.all(thread, ns, keep);
    const needed = Math.max(keep, ...kept.map((row, rank) => rank + row.reach + 1));
    const oldest = nth.get(thread, ns, needed - 1);
    if (oldest === undefined) return;
    for (const row of older.all(thread, ns, oldest, REMOVAL_BATCH)) removeRow(pieces, thread, row);
    for (const write of removeOldWrites.all(thread, ns, oldest)) pieces.release(write.text);
    if (ns === '') for (const row of below.all(thread, oldest)) removeRow(pieces, thread, row);
  };
}

const textsOf = (channels: string): string[] => Object.values(JSON.parse(channels));
