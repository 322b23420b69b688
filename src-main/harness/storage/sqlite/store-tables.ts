import type { Db } from '../../../base/sqlite/db';
import { namespacesBelow } from './store-filter';

export interface ItemRow {
  id: number;
  ns: string;
  key: string;
  value: string;
  created: number;
  updated: number;
}

/** An item before a change: its number, its version in force and where that is in the log. */
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
  /** Bytes of the content; -1 where there is none. */
  size: number;
  /** Whether the content is read in each search, because the index would take too long for it. */
  isLarge: boolean;
  modifiedAt: string;
  author: string | null;
  threadId: string | null;
  callId: string | null;
}

/** UTF-16 units of content that are indexed within a few milliseconds. */
export const MAX_INDEXED = 200_000;

/** To take a text out of the index and put another in takes as long as to put in so many. */
const CHANGED = 4;
/** Pieces of the text index that are merged at once, however long that takes: more than come between two merges of ours. */
const CRISIS = 128;

// Values by a look-up of their own: SQLite plans a join anew for each key that is asked for, which takes twice the time.
const VALUE = '(SELECT value FROM store_log WHERE seq = i.current)';
const ITEM = `SELECT i.id, i.ns, i.key, ${VALUE} AS value, i.created_at AS created, i.updated_at AS updated`;

/** The rows of the store. What writes expects a surrounding transaction. */
export function openStoreTables(db: Db) {
  const get = db
    .prepare<[string, string], [value: string, created: number, updated: number]>(
      `SELECT ${VALUE}, created_at, updated_at FROM store_items i WHERE ns = ? AND key = ? AND live = 1`,
    )
    .raw();
  // In the order of ids, which is that of first writing.
  const BELOW = 'live = 1 AND (ns = @ns OR (ns >= @from AND ns < @to))';
  const below = db.prepare<[Below & { limit: number; offset: number }], ItemRow>(
    `${ITEM} FROM (SELECT * FROM store_items INDEXED BY store_items_by_id WHERE ${BELOW}
     ORDER BY id LIMIT @limit OFFSET @offset) i`,
  );
  const belowAfter = db.prepare<[Below & { id: number; limit: number }], ItemRow>(
    `${ITEM} FROM (SELECT * FROM store_items INDEXED BY store_items_by_id WHERE id > @id AND ${BELOW}
     ORDER BY id LIMIT @limit) i`,
  );
  const byIds = db.prepare<[string], ItemRow>(
    `${ITEM} FROM store_items i WHERE live = 1 AND id IN (SELECT value FROM json_each(?))`,
  );
  const namespaces = db.prepare<[], { ns: string }>(
    'SELECT DISTINCT ns FROM store_items WHERE live = 1 ORDER BY ns',
  );
  const head = db.prepare<[string, string], Head>(
    'SELECT id, current, version, live, updated_at AS updated FROM store_items WHERE ns = ? AND key = ?',
  );
  // With the value, for what is looked at before it is changed; by place, which is faster than by name.
  const headAndValue = db
    .prepare<[string, string], [...HeadColumns, value: string | null]>(
      `SELECT id, current, version, live, updated_at, ${VALUE} FROM store_items i WHERE ns = ? AND key = ?`,
    )
    .raw();
  const isThere = db
    .prepare<[string, string], number>('SELECT 1 FROM store_items WHERE ns = ? AND key = ? AND live = 1')
    .pluck();
  const lastVersion = db
    .prepare<[], [seq: number, upto: number]>('SELECT seq, upto FROM store_log ORDER BY seq DESC LIMIT 1')
    .raw();
  const addItem = db.prepare(
    `INSERT INTO store_items (ns, key, current, live, content_size, modified_at, id, version, large, created_at, updated_at)
     VALUES (?, ?, ?, 1, ?, ?, ?, 1, ?, ?, ?)`,
  );
  const changeItem = db.prepare(
    `UPDATE store_items SET current = ?, live = ?, content_size = ?, modified_at = ?, version = ?, large = ?,
     created_at = coalesce(?, created_at), updated_at = ? WHERE ns = ? AND key = ?`,
  );
  const addVersion = db.prepare(
    `INSERT INTO store_log (seq, item, version, before, at, size, upto, author, thread_id, call_id, value)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const indexedUpTo = db.prepare<[], number>('SELECT indexed FROM store_state').pluck();
  const pending = db.prepare<
    [number, number],
    { seq: number; id: number; version: number; large: number; isLast: number; value: string | null }
  >(
    `SELECT v.seq, i.id, v.version, i.large, i.current = v.seq AS isLast, v.value
     FROM store_log v CROSS JOIN store_items i ON i.id = v.item WHERE v.seq > ? ORDER BY v.seq LIMIT ?`,
  );
  const setIndexed = db.prepare<[number]>('UPDATE store_state SET indexed = ?');
  const unindex = db.prepare<[number]>('DELETE FROM store_text WHERE rowid = ?');
  const index = db.prepare<[number, string]>('INSERT INTO store_text (rowid, text) VALUES (?, ?)');
  // By itself the index merges its pieces whenever it likes, for 50 ms and more at once.
  const setMerging = db.prepare('INSERT INTO store_text (store_text, rank) VALUES (?, CAST(? AS INTEGER))');
  const totalChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
  let mergesItself = true;
  const VERSION = 'v.version, v.at, v.author, v.thread_id AS threadId, v.call_id AS callId, v.value';
  const versions = db.prepare<[string, string], VersionRow>(
    `WITH RECURSIVE kept (seq) AS (
       SELECT current FROM store_items WHERE ns = ? AND key = ?
       UNION ALL SELECT l.before FROM kept CROSS JOIN store_log l ON l.seq = kept.seq
     ) SELECT ${VERSION} FROM kept CROSS JOIN store_log v ON v.seq = kept.seq ORDER BY v.version DESC`,
  );
  const ofCall = db.prepare<[string, string], VersionRow & { ns: string; key: string }>(
    `SELECT i.ns, i.key, ${VERSION} FROM store_log v CROSS JOIN store_items i ON i.id = v.item
     WHERE v.thread_id = ? AND v.call_id = ? ORDER BY v.at DESC, v.version DESC`,
  );
  const dropped = db.prepare<[], number>('SELECT dropped FROM store_state').pluck();
  const addDropped = db.prepare<[number]>('UPDATE store_state SET dropped = dropped + ?');
  // Oldest first; never the one in force, nor of a deleted item the last value it had.
  const droppable = db.prepare<[number, number], { seq: number; size: number; isOld: number }>(
    `SELECT v.seq, v.size, v.version < i.version AND NOT (i.live = 0 AND v.version = i.version - 1) AS isOld
     FROM store_log v CROSS JOIN store_items i ON i.id = v.item WHERE v.seq > ? ORDER BY v.seq LIMIT ?`,
  );
  const dropVersion = db.prepare<[number]>('DELETE FROM store_log WHERE seq = ?');

  return {
    /** The value's JSON, and when the item was made and changed. */
    get: (ns: string, key: string) => get.get(ns, key),
    below: (namespace: readonly string[], ns: string, limit: number, offset: number) =>
      below.all({ ns, ...namespacesBelow(namespace), limit, offset }),
    /** The next items by id at and below a namespace. */
    belowAfter: (namespace: readonly string[], ns: string, id: number, limit: number) =>
      belowAfter.all({ ns, ...namespacesBelow(namespace), id, limit }),
    /** In no order. */
    byIds: (ids: number[]) => byIds.all(JSON.stringify(ids)),
    namespaces: () => namespaces.all().map((row) => row.ns),
    versions: (ns: string, key: string) => versions.all(ns, key),
    ofCall: (threadId: string, callId: string) => ofCall.all(threadId, callId),

    isThere: (ns: string, key: string): boolean => isThere.get(ns, key) !== undefined,
    /** What is there to be changed, also of what was deleted, and the value's JSON (null: none is in force). */
    before: (ns: string, key: string): { head: Head | null; value: string | null } => {
      const row = headAndValue.get(ns, key);
      if (row === undefined) return { head: null, value: null };
      const [id, current, version, live, updated, value] = row;
      return { head: { id, current, version, live, updated }, value: live === 1 ? value : null };
    },

    /**
     * A new version. Null: there is nothing to delete. Its time is moved so that the times of an item only go up.
     * `known`: what is there (null: nothing was ever), where that was just looked at.
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

    /** How many versions came after the last that the text index knows of. */
    countPending: () => (lastVersion.get()?.[0] ?? 0) - (indexedUpTo.get() ?? 0),
    /**
     * Brings the text index up to date with the next versions, at most `limit` new items, fewer where they are long or
     * were changed. `textOf` is given a value's JSON. True: there are more. Until then they are read in every search.
     */
    indexPending: (limit: number, textOf: (json: string) => string | null): boolean => {
      const rows = pending.all(indexedUpTo.get() ?? 0, limit);
      let units = 0;
      let work = 0;
      let upTo: number | null = null;
      const taken: { id: number; isNew: boolean; text: string | null }[] = [];
      for (const { seq, id, version, large, isLast, value } of rows) {
        if (units > MAX_INDEXED || work >= limit) break;
        upTo = seq;
        // What was changed again comes again.
        if (!isLast) continue;
        const text = value === null || large ? null : textOf(value);
        units += text?.length ?? 0;
        work += version === 1 ? 1 : CHANGED;
        taken.push({ id, isNew: version === 1, text });
      }
      if (upTo === null) return false;
      if (mergesItself) {
        setMerging.run('automerge', 0);
        setMerging.run('crisismerge', CRISIS);
        mergesItself = false;
      }
      // All out, then all in, each in the order of ids: for each step back the index writes a piece, to be merged later.
      taken.sort((a, b) => a.id - b.id);
      for (const { id, isNew } of taken) if (!isNew) unindex.run(id);
      for (const { id, text } of taken) if (text) index.run(id, text);
      setIndexed.run(upTo);
      return upTo < (lastVersion.get()?.[0] ?? 0);
    },

    /** Merges about so many pages of pieces of the text index. True: there may be more. */
    mergeIndex: (pages: number): boolean => {
      const before = totalChanges.get() ?? 0;
      setMerging.run('merge', pages);
      // That of the order itself is one.
      return (totalChanges.get() ?? 0) - before >= 2;
    },

    /**
     * Drops old versions among `rows` of the log behind `after` until what is kept is at most `bytes`. Answers where to
     * go on; null: that is all that can be done.
     */
    prune: (bytes: number, after: number, rows: number): number | null => {
      const kept = (lastVersion.get()?.[1] ?? 0) - (dropped.get() ?? 0);
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

export type StoreTables = ReturnType<typeof openStoreTables>;

interface Below {
  ns: string;
  from: string;
  to: string;
}
