import type { Db } from './open';

/** An item as it is found, before its value is read. */
export interface Found {
  id: number;
  key: string;
}

export interface KeyRange {
  ns: string;
  prefix: string;
  after: string | null;
}

type Bounds = KeyRange & { end: string };

/** Above every key that begins with the prefix before it. */
const END = '\u{10FFFF}';
const bounds = (range: KeyRange): Bounds => ({ ...range, end: range.prefix + END });

// One lower bound for the index to start from: of two it takes the first and reads through to the second.
const IN_RANGE = `key >= max(@prefix, coalesce(@after, '')) AND key < @end AND key IS NOT @after`;
const LISTED = `store_items INDEXED BY store_items_listing WHERE live = 1 AND ns = @ns AND ${IN_RANGE}`;
const FILE = 'content_size >= 0';
/** What the text index does not know: read in every search. */
const UNKNOWN = ['pending', 'large'] as const;
const unknown = (which: (typeof UNKNOWN)[number]) =>
  `store_items INDEXED BY store_items_${which} WHERE indexed = ${which === 'pending' ? 0 : 2}`;

export interface KeyRow {
  key: string;
  size: number;
  modified_at: string;
}

/** Statements that look for keys and texts; each reads a bounded number of rows, so that none holds the process. */
export function openStoreSearch(db: Db) {
  const KEY = 'key, content_size AS size, modified_at';
  const keys = db.prepare<[Bounds & { limit: number }], KeyRow>(
    `SELECT ${KEY} FROM ${LISTED} AND ${FILE} ORDER BY key LIMIT @limit`,
  );
  const keysLike = db.prepare<[Bounds & { like: string; last: string }], KeyRow>(
    `SELECT ${KEY} FROM ${LISTED} AND key <= @last AND key GLOB @like AND ${FILE} ORDER BY key`,
  );
  const windowEnd = db
    .prepare<[Bounds & { rows: number }], string>(
      `SELECT key FROM ${LISTED} ORDER BY key LIMIT 1 OFFSET @rows`,
    )
    .pluck();
  const highest = db.prepare<[], number | null>('SELECT max(id) FROM store_items').pluck();
  const countHits = db
    .prepare<[string, number], number>(
      'SELECT count(*) FROM (SELECT rowid FROM store_text WHERE store_text MATCH ? LIMIT ?)',
    )
    .pluck();
  // CROSS JOIN: the index first, whatever the planner thinks; the other way round takes a look-up in it for each item.
  const fewHits = db.prepare<[Bounds & { query: string }], Found>(
    `SELECT i.id, i.key FROM store_text f CROSS JOIN store_items i ON i.id = f.rowid
     WHERE f.store_text MATCH @query AND i.ns = @ns AND i.live = 1 AND ${IN_RANGE.replaceAll('key ', 'i.key ')}
     UNION SELECT id, key FROM ${unknown('pending')} AND ns = @ns AND live = 1 AND ${IN_RANGE}
     UNION SELECT id, key FROM ${unknown('large')} AND ns = @ns AND live = 1 AND ${IN_RANGE} ORDER BY 2`,
  );
  const manyHits = db.prepare<[Bounds & { query: string; limit: number }], Found>(
    `SELECT id, key FROM ${LISTED} AND (indexed <> 1 OR +id IN (SELECT rowid FROM store_text WHERE store_text MATCH @query))
     ORDER BY key LIMIT @limit`,
  );
  // The value's JSON is looked at first: most need not be taken apart.
  const scan = db.prepare<[Bounds & { last: string; json: string }], { key: string; value: string }>(
    `SELECT i.key, v.value FROM (SELECT id, key, version FROM ${LISTED} AND key <= @last) i
     CROSS JOIN store_versions v ON v.item = i.id AND v.version = i.version WHERE instr(v.value, @json) > 0 ORDER BY i.key`,
  );
  const values = db.prepare<[string], { key: string; value: string }>(
    `SELECT i.key, v.value FROM json_each(?) wanted CROSS JOIN store_items i ON i.id = wanted.value
     CROSS JOIN store_versions v ON v.item = i.id AND v.version = i.version WHERE i.live = 1`,
  );

  return {
    /** Files by key, at most `limit`. */
    keys: (range: KeyRange, limit: number) => keys.all({ ...bounds(range), limit }),
    /** Of the next `rows` items the files whose key meets a GLOB pattern, and the last key that was looked at (null: the end). */
    keysLike: (range: KeyRange, like: string, rows: number) => {
      const next = windowEnd.get({ ...bounds(range), rows }) ?? null;
      const last = next ?? range.prefix + END;
      return { rows: keysLike.all({ ...bounds(range), like, last }), last: next };
    },
    /** Hits of an index query in all namespaces, counted up to `upTo`. */
    countHits: (query: string, upTo: number) => countHits.get(query, upTo) ?? 0,
    /** At least as many as there are items. */
    highest: () => highest.get() ?? 0,
    /** All items that may meet an index query, by key: for queries with few hits. */
    fewHits: (range: KeyRange, query: string) => fewHits.all({ ...bounds(range), query }),
    /** The same for queries with many, `limit` of them. */
    manyHits: (range: KeyRange, query: string, limit: number) =>
      manyHits.all({ ...bounds(range), query, limit }),
    /** Of the next `rows` items those whose value has that text in its JSON, and the last key looked at (null: the end). */
    scan: (range: KeyRange, json: string, rows: number) => {
      const next = windowEnd.get({ ...bounds(range), rows }) ?? null;
      const last = next ?? range.prefix + END;
      return { rows: scan.all({ ...bounds(range), last, json }), last: next };
    },
    /** Values in the order of the ids; what was deleted meanwhile is left out. */
    values: (ids: number[]) => values.all(JSON.stringify(ids)),
  };
}
