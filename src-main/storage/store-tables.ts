import type { Db } from './open';
import { namespacesBelow } from './store-filter';

export interface ItemRow {
  id: number;
  ns: string;
  key: string;
  value: string;
  created: number;
  updated: number;
}

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
  /** Bytes of the content; -1 where there is none. */
  size: number;
  modifiedAt: string;
  author: string | null;
  threadId: string | null;
  callId: string | null;
}

/** UTF-16 units of content that are indexed within a few milliseconds; larger contents are read in a search. */
const MAX_INDEXED = 200_000;

const ITEM = `SELECT i.id, i.ns, i.key, v.value, i.created_at AS created, i.updated_at AS updated
  FROM store_items i JOIN store_versions v ON v.item = i.id AND v.version = i.version WHERE i.live = 1`;

/** The rows of the store. What writes expects a surrounding transaction. */
export function openStoreTables(db: Db) {
  // Two look-ups: together they take half the time of one that joins.
  const getItem = db
    .prepare<[string, string], [id: number, version: number, created: number, updated: number]>(
      'SELECT id, version, created_at, updated_at FROM store_items WHERE ns = ? AND key = ? AND live = 1',
    )
    .raw();
  const getValue = db
    .prepare<[number, number], string | null>(
      'SELECT value FROM store_versions WHERE item = ? AND version = ?',
    )
    .pluck();
  const get = (ns: string, key: string): ItemRow | undefined => {
    // Again where another process made a new version in between, and dropped that one.
    for (let look = 0; look < 3; look += 1) {
      const item = getItem.get(ns, key);
      if (item === undefined) return undefined;
      const [id, version, created, updated] = item;
      const value = getValue.get(id, version);
      if (typeof value === 'string') return { id, ns, key, value, created, updated };
    }
    return undefined;
  };
  const below = db.prepare<[string, string, string, number, number], ItemRow>(
    `${ITEM} AND (i.ns = ? OR (i.ns >= ? AND i.ns < ?)) ORDER BY i.id LIMIT ? OFFSET ?`,
  );
  const belowAfter = db.prepare<[string, string, string, number, number], ItemRow>(
    `${ITEM} AND (i.ns = ? OR (i.ns >= ? AND i.ns < ?)) AND i.id > ? ORDER BY i.id LIMIT ?`,
  );
  const byIds = db.prepare<[string], ItemRow>(`${ITEM} AND i.id IN (SELECT value FROM json_each(?))`);
  const namespaces = db.prepare<[], { ns: string }>(
    'SELECT DISTINCT ns FROM store_items WHERE live = 1 ORDER BY ns',
  );
  const head = db.prepare<[string, string], { id: number; version: number; live: number; updated: number }>(
    'SELECT id, version, live, updated_at AS updated FROM store_items WHERE ns = ? AND key = ?',
  );
  const addItem = db.prepare<[string, string, number]>(
    `INSERT INTO store_items (ns, key, version, live, content_size, modified_at, indexed, created_at, updated_at)
     VALUES (?, ?, 0, 0, 0, '', 0, 0, ?)`,
  );
  const changeItem = db.prepare(
    `UPDATE store_items SET version = @version, live = @live, content_size = @size, modified_at = @modifiedAt,
     indexed = 0, created_at = coalesce(@created, created_at), updated_at = @updated WHERE id = @id`,
  );
  const addVersion = db.prepare(
    `INSERT INTO store_versions (item, version, at, size, author, thread_id, call_id, value)
     VALUES (@item, @version, @at, @size, @author, @threadId, @callId, @value)`,
  );
  const countPending = db.prepare<[], number>('SELECT count(*) FROM store_items WHERE indexed = 0').pluck();
  const pending = db.prepare<[number], { id: number; value: string | null }>(
    `SELECT i.id, CASE i.live WHEN 1 THEN v.value END AS value FROM store_items i INDEXED BY store_items_pending
     LEFT JOIN store_versions v ON v.item = i.id AND v.version = i.version WHERE i.indexed = 0 LIMIT ?`,
  );
  const setIndexed = db.prepare<[number, number]>('UPDATE store_items SET indexed = ? WHERE id = ?');
  const unindex = db.prepare<[number]>('DELETE FROM store_text WHERE rowid = ?');
  const index = db.prepare<[number, string]>('INSERT INTO store_text (rowid, text) VALUES (?, ?)');
  const VERSION = 'v.version, v.at, v.author, v.thread_id AS threadId, v.call_id AS callId, v.value';
  const versions = db.prepare<[string, string], VersionRow>(
    `SELECT ${VERSION} FROM store_versions v JOIN store_items i ON i.id = v.item
     WHERE i.ns = ? AND i.key = ? ORDER BY v.version DESC`,
  );
  const ofCall = db.prepare<[string, string], VersionRow & { ns: string; key: string }>(
    `SELECT i.ns, i.key, ${VERSION} FROM store_versions v JOIN store_items i ON i.id = v.item
     WHERE v.thread_id = ? AND v.call_id = ? ORDER BY v.at DESC, v.version DESC`,
  );
  const total = db.prepare<[], { bytes: number | null }>('SELECT sum(size) AS bytes FROM store_versions');
  // Oldest first; never the one in force, nor of a deleted item the last value it had.
  const droppable = db.prepare<[], { item: number; version: number; size: number }>(
    `SELECT v.item, v.version, v.size FROM store_versions v JOIN store_items i ON i.id = v.item
     WHERE v.version < i.version AND NOT (i.live = 0 AND v.version = i.version - 1) ORDER BY v.at, v.version`,
  );
  const dropVersion = db.prepare<[number, number]>(
    'DELETE FROM store_versions WHERE item = ? AND version = ?',
  );

  return {
    get,
    below: (namespace: readonly string[], ns: string, limit: number, offset: number) => {
      const { from, to } = namespacesBelow(namespace);
      return below.all(ns, from, to, limit, offset);
    },
    /** The next items by id at and below a namespace. */
    belowAfter: (namespace: readonly string[], ns: string, id: number, limit: number) => {
      const { from, to } = namespacesBelow(namespace);
      return belowAfter.all(ns, from, to, id, limit);
    },
    /** In no order. */
    byIds: (ids: number[]) => byIds.all(JSON.stringify(ids)),
    namespaces: () => namespaces.all().map((row) => row.ns),
    versions: (ns: string, key: string) => versions.all(ns, key),
    ofCall: (threadId: string, callId: string) => ofCall.all(threadId, callId),

    /** A new version. False: there is nothing to delete. `at` is moved so that the times of an item only go up. */
    put: (ns: string, key: string, next: NewValue, now: number): boolean => {
      let before = head.get(ns, key);
      if (next.value === null && !before?.live) return false;
      if (!before) {
        addItem.run(ns, key, 0);
        before = head.get(ns, key);
      }
      if (!before) throw new Error('the item was not added');
      const { id } = before;
      const version = before.version + 1;
      const updated = Math.max(now, before.updated + 1);
      const { author, threadId, callId, value } = next;
      changeItem.run({
        id,
        version,
        live: value === null ? 0 : 1,
        size: next.size,
        modifiedAt: next.modifiedAt,
        created: before.live ? null : updated,
        updated,
      });
      const size = value === null ? 0 : Buffer.byteLength(value);
      addVersion.run({ item: id, version, at: updated, size, author, threadId, callId, value });
      return true;
    },

    countPending: () => countPending.get() ?? 0,
    /**
     * Brings the text index up to date with at most `limit` items, fewer where they are large. `textOf` is given a value's
     * JSON. Answers how many that were; until then they are read in every search.
     */
    indexPending: (limit: number, textOf: (json: string) => string | null): number => {
      let units = 0;
      const taken: { id: number; text: string | null; isLarge: boolean }[] = [];
      for (const { id, value } of pending.all(limit)) {
        if (units > MAX_INDEXED) break;
        const text = value === null ? null : textOf(value);
        const isLarge = text !== null && text.length > MAX_INDEXED;
        units += isLarge ? 0 : (text?.length ?? 0);
        taken.push({ id, text, isLarge });
      }
      // All out, then all in, each in the order of ids: for each step back the index writes a piece, to be merged later.
      taken.sort((a, b) => a.id - b.id);
      for (const { id } of taken) unindex.run(id);
      for (const { id, text, isLarge } of taken) {
        if (text && !isLarge) index.run(id, text);
        setIndexed.run(isLarge ? 2 : 1, id);
      }
      return taken.length;
    },

    /** Drops old versions until what is kept is at most `bytes`, as far as that goes. */
    prune: (bytes: number) => {
      let kept = total.get()?.bytes ?? 0;
      if (kept <= bytes) return;
      for (const old of droppable.all()) {
        if (kept <= bytes) return;
        dropVersion.run(old.item, old.version);
        kept -= old.size;
      }
    },
  };
}

export type StoreTables = ReturnType<typeof openStoreTables>;
