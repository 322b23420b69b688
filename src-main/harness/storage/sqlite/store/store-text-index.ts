import type { Db } from '../../../../base/sqlite/db';

/** UTF-16 units of content that can be indexed within a few milliseconds. */
export const MAX_INDEXED = 200_000;

/** Replacing a text in the index takes as long as adding this many. */
const CHANGED = 4;
/**
 * Number of index segments that SQLite merges at once, however long that takes. More than arise between two of our merges.
 */
const CRISIS = 128;

function prepareStatements(db: Db) {
  return {
    indexedUpTo: db.prepare<[], number>('SELECT indexed FROM store_state').pluck(),
    pending: db.prepare<
      [number, number],
      { seq: number; id: number; version: number; large: number; isLast: number; value: string | null }
    >(
      `SELECT v.seq, i.id, v.version, i.large, i.current = v.seq AS isLast, v.value
       FROM store_log v CROSS JOIN store_items i ON i.id = v.item WHERE v.seq > ? ORDER BY v.seq LIMIT ?`,
    ),
    setIndexed: db.prepare<[number]>('UPDATE store_state SET indexed = ?'),
    unindex: db.prepare<[number]>('DELETE FROM store_text WHERE rowid = ?'),
    index: db.prepare<[number, string]>('INSERT INTO store_text (rowid, text) VALUES (?, ?)'),
    // Without this setting the index merges its segments at any time, for 50 ms and more at once.
    setMerging: db.prepare('INSERT INTO store_text (store_text, rank) VALUES (?, CAST(? AS INTEGER))'),
    totalChanges: db.prepare<[], number>('SELECT total_changes()').pluck(),
  };
}

/** The store's text index, which follows the log in steps. `newest`: the number of the last version. */
export function openTextIndex(db: Db, newest: () => number) {
  const { indexedUpTo, pending, setIndexed, unindex, index, setMerging, totalChanges } =
    prepareStatements(db);
  let mergesItself = true;
  return {
    /** Number of versions that are newer than the text index. */
    countPending: () => newest() - (indexedUpTo.get() ?? 0),
    /**
     * Updates the text index with the next versions, at most `limit` new items, fewer if they are long or were changed.
     * `textOf` gets a value's JSON. True: there are more. Until then every search reads them.
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
        // A newer version of the item follows.
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
      // Remove all, then add all, each in id order: for each step back the index writes a segment to be merged later.
      taken.sort((a, b) => a.id - b.id);
      for (const { id, isNew } of taken) if (!isNew) unindex.run(id);
      for (const { id, text } of taken) if (text) index.run(id, text);
      setIndexed.run(upTo);
      return upTo < newest();
    },

    /** Merges about this many pages of the text index. True: there may be more. */
    mergeIndex: (pages: number): boolean => {
      const before = totalChanges.get() ?? 0;
      setMerging.run('merge', pages);
      // The merge command itself counts as one change.
      return (totalChanges.get() ?? 0) - before >= 2;
    },
  };
}
