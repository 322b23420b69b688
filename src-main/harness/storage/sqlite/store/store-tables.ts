import type { Db } from '../../../../base/sqlite/db';
import { namespacesBelow } from '../../../../base/sqlite/store-namespaces';
import { ensureTables, STORE_TABLES } from '../schema';
import { openTextIndex } from './store-text-index';

export interface ItemRow {
  id: number;
  ns: string;
  key: string;
  value: string;
  created: number;
  updated: number;
}

/** An item before a change: its id, its current version, and that version's place in the log. */
export interface Head {
  id: number;
  current: number;
  version: number;
  live: number;
  updated: number;
}

type HeadColumns = [id: number, current: number, version: number, live: number, updated: number];

export interface VersionRow {
  version: number;
  at: number;
  author: string | null;
  threadId: string | null;
  callId: string | null;
  /** JSON; null: this version is a delete. */
  value: string | null;
}

export interface NewValue {
  /** JSON; null deletes. */
  value: string | null;
  /** Bytes of the content; -1 if there is none. */
  size: number;
  /** Whether each search reads the content, because indexing it would take too long. */
  isLarge: boolean;
  modifiedAt: string;
  author: string | null;
  threadId: string | null;
  callId: string | null;
}

// Values through a subquery: SQLite would plan a join again for each key, which takes twice the time.
const VALUE = '(SELECT value FROM store_log WHERE seq = i.current)';
const ITEM = `SELECT i.id, i.ns, i.key, ${VALUE} AS value, i.created_at AS created, i.updated_at AS updated`;

const BELOW = 'live = 1 AND (ns = @ns OR (ns >= @from AND ns < @to))';
const VERSION = 'v.version, v.at, v.author, v.thread_id AS threadId, v.call_id AS callId, v.value';

/** The store's rows. Methods that write expect a surrounding transaction. */
export function openStoreTables(db: Db) {
  ensureTables(db, STORE_TABLES, 'store_items');
  const lastVersion = prepareLastVersion(db);
  return {
    ...openItems(db),
    ...openVersions(db, lastVersion),
    ...openTextIndex(db, () => lastVersion.get()?.[0] ?? 0),
    ...openPruning(db, () => lastVersion.get()?.[1] ?? 0),
  };
}

export type StoreTables = ReturnType<typeof openStoreTables>;

interface ItemName {
  ns: string;
  key: string;
}

interface Below {
  ns: string;
  from: string;
  to: string;
}

function prepareLastVersion(db: Db) {
  return db
    .prepare<[], [seq: number, upto: number]>('SELECT seq, upto FROM store_log ORDER BY seq DESC LIMIT 1')
    .raw();
}

type LastVersion = ReturnType<typeof prepareLastVersion>;

function prepareItemQueries(db: Db) {
  return {
    get: db
      .prepare<[string, string], [value: string, created: number, updated: number]>(
        `SELECT ${VALUE}, created_at, updated_at FROM store_items i WHERE ns = ? AND key = ? AND live = 1`,
      )
      .raw(),
    // In id order, which is the order of first writes.
    below: db.prepare<[Below & { limit: number; offset: number }], ItemRow>(
      `${ITEM} FROM (SELECT * FROM store_items INDEXED BY store_items_by_id WHERE ${BELOW}
       ORDER BY id LIMIT @limit OFFSET @offset) i`,
    ),
    belowAfter: db.prepare<[Below & { id: number; limit: number }], ItemRow>(
      `${ITEM} FROM (SELECT * FROM store_items INDEXED BY store_items_by_id WHERE id > @id AND ${BELOW}
       ORDER BY id LIMIT @limit) i`,
    ),
    byIds: db.prepare<[string], ItemRow>(
      `${ITEM} FROM store_items i WHERE live = 1 AND id IN (SELECT value FROM json_each(?))`,
    ),
    namespaces: db.prepare<[], { ns: string }>(
      'SELECT DISTINCT ns FROM store_items WHERE live = 1 ORDER BY ns',
    ),
    isThere: db
      .prepare<[string, string], number>('SELECT 1 FROM store_items WHERE ns = ? AND key = ? AND live = 1')
      .pluck(),
  };
}

/** Reads current items. */
function openItems(db: Db) {
  const { get, below, belowAfter, byIds, namespaces, isThere } = prepareItemQueries(db);
  return {
    /** The value's JSON, and when the item was created and changed. */
    get: (ns: string, key: string) => get.get(ns, key),
    below: (namespace: readonly string[], ns: string, limit: number, offset: number) =>
      below.all({ ns, ...namespacesBelow(namespace), limit, offset }),
    /** The next items by id, at and below a namespace. */
    belowAfter: (namespace: readonly string[], ns: string, id: number, limit: number) =>
      belowAfter.all({ ns, ...namespacesBelow(namespace), id, limit }),
    /** In any order. */
    byIds: (ids: number[]) => byIds.all(JSON.stringify(ids)),
    namespaces: () => namespaces.all().map((row) => row.ns),
    isThere: (ns: string, key: string): boolean => isThere.get(ns, key) !== undefined,
  };
}

function prepareVersions(db: Db) {
  return {
    head: db.prepare<[string, string], Head>(
      'SELECT id, current, version, live, updated_at AS updated FROM store_items WHERE ns = ? AND key = ?',
    ),
    // With the value, for callers that read it before changing it. Positional parameters are faster than named ones.
    headAndValue: db
      .prepare<[string, string], [...HeadColumns, value: string | null]>(
        `SELECT id, current, version, live, updated_at, ${VALUE} FROM store_items i WHERE ns = ? AND key = ?`,
      )
      .raw(),
    addItem: db.prepare(
      `INSERT INTO store_items (ns, key, current, live, content_size, modified_at, id, version, large, created_at, updated_at)
       VALUES (?, ?, ?, 1, ?, ?, ?, 1, ?, ?, ?)`,
    ),
    changeItem: db.prepare(
      `UPDATE store_items SET current = ?, live = ?, content_size = ?, modified_at = ?, version = ?, large = ?,
       created_at = coalesce(?, created_at), updated_at = ? WHERE ns = ? AND key = ?`,
    ),
    rename: db.prepare<[newNs: string, newKey: string, ns: string, key: string]>(
      'UPDATE store_items SET ns = ?, key = ? WHERE ns = ? AND key = ?',
    ),
    addVersion: db.prepare(
      `INSERT INTO store_log (seq, item, version, before, at, size, upto, author, thread_id, call_id, value)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    versions: db.prepare<[string, string], VersionRow>(
      `WITH RECURSIVE kept (seq) AS (
         SELECT current FROM store_items WHERE ns = ? AND key = ?
         UNION ALL SELECT l.before FROM kept CROSS JOIN store_log l ON l.seq = kept.seq
       ) SELECT ${VERSION} FROM kept CROSS JOIN store_log v ON v.seq = kept.seq ORDER BY v.version DESC`,
    ),
    ofCall: db.prepare<[string, string], VersionRow & { ns: string; key: string }>(
      `SELECT i.ns, i.key, ${VERSION} FROM store_log v CROSS JOIN store_items i ON i.id = v.item
       WHERE v.thread_id = ? AND v.call_id = ? ORDER BY v.at DESC, v.version DESC`,
    ),
  };
}

/** Reads and adds versions of items. */
function openVersions(db: Db, lastVersion: LastVersion) {
  const { head, headAndValue, addItem, changeItem, addVersion, versions, ofCall, rename } =
    prepareVersions(db);
  return {
    versions: (ns: string, key: string) => versions.all(ns, key),
    ofCall: (threadId: string, callId: string) => ofCall.all(threadId, callId),
    /** Exchanges the names of two items, with their versions. Either may not exist. */
    exchange: (one: ItemName, other: ItemName): void => {
      // No namespace is empty, so this name is free.
      rename.run('', '', one.ns, one.key);
      rename.run(one.ns, one.key, other.ns, other.key);
      rename.run(other.ns, other.key, '', '');
    },

    /** The item to change, even a deleted one, and its value's JSON (null: no current value). */
    before: (ns: string, key: string): { head: Head | null; value: string | null } => {
      const row = headAndValue.get(ns, key);
      if (row === undefined) return { head: null, value: null };
      const [id, current, version, live, updated, value] = row;
      return { head: { id, current, version, live, updated }, value: live === 1 ? value : null };
    },

    /**
     * Adds a version. Null: there is nothing to delete. Its time is adjusted so that an item's times only increase. `known`:
     * the existing item (null: it never existed), if just read.
     */
    put: (
      ns: string,
      key: string,
      next: NewValue,
      now: number,
      known?: Head | null,
    ): { id: number; isNew: boolean } | null => {
      const before = known === undefined ? (head.get(ns, key) ?? null) : known;
      const { value, size, modifiedAt, author, threadId, callId } = next;
      if (value === null && !before?.live) return null;
      const [last, upto] = lastVersion.get() ?? [0, 0];
      const seq = last + 1;
      const id = before?.id ?? seq;
      const version = (before?.version ?? 0) + 1;
      const at = Math.max(now, (before?.updated ?? 0) + 1);
      const large = next.isLarge ? 1 : 0;
      if (before === null) addItem.run(ns, key, seq, size, modifiedAt, id, large, at, at);
      else {
        const live = value === null ? 0 : 1;
        const created = before.live ? null : at;
        changeItem.run(seq, live, size, modifiedAt, version, large, created, at, ns, key);
      }
      const bytes = value === null ? 0 : Buffer.byteLength(value);
      const from = before?.current ?? null;
      addVersion.run(seq, id, version, from, at, bytes, upto + bytes, author, threadId, callId, value);
      return { id, isNew: before === null };
    },
  };
}

/** Drops old versions. `bytesWritten`: the bytes of all versions ever added. */
function openPruning(db: Db, bytesWritten: () => number) {
  const dropped = db.prepare<[], number>('SELECT dropped FROM store_state').pluck();
  const addDropped = db.prepare<[number]>('UPDATE store_state SET dropped = dropped + ?');
  // Oldest first. Never the current version, nor the last value of a deleted item.
  const droppable = db.prepare<[number, number], { seq: number; size: number; isOld: number }>(
    `SELECT v.seq, v.size, v.version < i.version AND NOT (i.live = 0 AND v.version = i.version - 1) AS isOld
     FROM store_log v CROSS JOIN store_items i ON i.id = v.item WHERE v.seq > ? ORDER BY v.seq LIMIT ?`,
  );
  const dropVersion = db.prepare<[number]>('DELETE FROM store_log WHERE seq = ?');

  return {
    /**
     * Drops old versions among `rows` of the log after `after` until at most `bytes` are left. Returns where to continue, or
     * null if nothing more can be dropped.
     */
    prune: (bytes: number, after: number, rows: number): number | null => {
      const kept = bytesWritten() - (dropped.get() ?? 0);
      let gone = 0;
      const page = kept <= bytes ? [] : droppable.all(after, rows);
      for (const { seq, size, isOld } of page) {
        if (kept - gone <= bytes) break;
        if (!isOld) continue;
        dropVersion.run(seq);
        gone += size;
      }
      if (gone > 0) addDropped.run(gone);
      return kept - gone <= bytes || page.length < rows ? null : (page.at(-1)?.seq ?? null);
    },
  };
}
