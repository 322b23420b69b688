import type { Db } from '../../../base/sqlite/db';

export interface KeyRange {
  ns: string;
  prefix: string;
  /** Only keys above this one. */
  after: string | null;
}

/** Ends of windows that are remembered. */
const MOST_ENDS = 1_000;

/** Above every key that begins with the prefix before it. */
const END = '\u{10FFFF}';
/** The text that comes right after another. */
const next = (key: string) => `${key}\0`;

/** One bound on each side: of two, SQLite takes the first for the index and reads on to the second. */
interface Bounds {
  ns: string;
  from: string;
  to: string;
}

/** The keys of a range as `from` to `to`, itself left out. */
export function bounds({ ns, prefix, after }: KeyRange, last: string | null = null): Bounds {
  const to = last === null ? prefix + END : next(last);
  if (after === null) return { ns, from: prefix, to };
  const isAbove = after.startsWith(prefix) || Buffer.compare(Buffer.from(after), Buffer.from(prefix)) > 0;
  return { ns, from: isAbove ? next(after) : prefix, to };
}

// Of a parameter behind a plus SQLite does not ask the value when it plans: it would plan again for each, which takes
// longer than the look itself.
const IN_RANGE = 'ns = +@ns AND key >= +@from AND key < +@to';
const LISTED = `store_items WHERE ${IN_RANGE} AND live = 1`;
const FILE = 'content_size >= 0';
/** What the text index does not know, of which the JSON is looked at in every search: most turn out to be no hits. */
const PENDING = `store_log p CROSS JOIN store_items i ON i.id = p.item
  WHERE p.seq > (SELECT indexed FROM store_state) AND instr(p.value, @json) > 0 AND i.current = p.seq AND i.live = 1`;
const LARGE = 'store_items INDEXED BY store_items_large WHERE large = 1';

export interface KeyRow {
  key: string;
  size: number;
  modified_at: string;
}

/** GLOB patterns that a key has to meet. */
export interface KeyPattern {
  /** What is compared fastest and turns most keys away; the same as the other where there is nothing like that. */
  first: string;
  like: string;
}

/**
 * Where windows ended when they were last searched for, which costs a walk over their keys. An end that is no longer exact
 * still divides the keys; when as many came as a window holds, all are searched for again.
 */
function rememberedEnds(endNow: (range: KeyRange, rows: number) => string | null) {
  const ends = new Map<string, string | null>();
  let endsAt = 0;
  return (range: KeyRange, rows: number, ids: number): string | null => {
    if (ids - endsAt > rows || ends.size > MOST_ENDS) {
      ends.clear();
      endsAt = ids;
    }
    const at = JSON.stringify([range.ns, range.prefix, range.after, rows]);
    const known = ends.get(at);
    if (known !== undefined) return known;
    const end = endNow(range, rows);
    ends.set(at, end);
    return end;
  };
}

/** The statements; each reads a bounded number of rows, so that none holds the process. */
function prepareSearch(db: Db) {
  const KEY = 'key, content_size AS size, modified_at';
  const keys = db.prepare<[Bounds & { limit: number }], KeyRow>(
    `SELECT ${KEY} FROM ${LISTED} AND ${FILE} ORDER BY key LIMIT +@limit`,
  );
  // The most frequent look of all, without the making of a list and with parameters by place, which are faster.
  const first = db.prepare<[string, string, string], KeyRow>(
    `SELECT ${KEY} FROM store_items WHERE ns = +? AND key >= +? AND key < +? AND live = 1 AND ${FILE} ORDER BY key LIMIT 1`,
  );
  // The plus before the key keeps SQLite from making a second lower bound of the pattern. First the pattern, then the
  // rest: most keys do not meet it.
  const keysLike = db.prepare<[Bounds & KeyPattern], KeyRow>(
    `SELECT ${KEY} FROM store_items WHERE ${IN_RANGE} AND +key GLOB @first AND +key GLOB @like
     AND live = 1 AND ${FILE} ORDER BY key`,
  );
  // To the end of the namespace: the pattern begins with the prefix, and where that is short hardly a key is above it.
  const keysLikeFrom = db.prepare<[ns: string, from: string, first: string, like: string], KeyRow>(
    `SELECT ${KEY} FROM store_items WHERE ns = +? AND key >= +? AND +key GLOB ? AND +key GLOB ?
     AND live = 1 AND ${FILE} ORDER BY key`,
  );
  // With what was deleted: it only says where to stop.
  const windowEnd = db
    .prepare<[Bounds & { rows: number }], string>(
      `SELECT key FROM store_items WHERE ${IN_RANGE} ORDER BY key LIMIT 1 OFFSET +@rows`,
    )
    .pluck();
  const highest = db.prepare<[], number | null>('SELECT max(id) FROM store_items').pluck();
  const hits = db
    .prepare<[query: string, above: number, limit: number], number>(
      'SELECT rowid FROM store_text WHERE store_text MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?',
    )
    .pluck();
  const unindexed = db
    .prepare<[{ json: string }], number>(`SELECT i.id FROM ${PENDING} UNION SELECT id FROM ${LARGE}`)
    .pluck();
  const ids = db
    .prepare<[Bounds & { limit: number }], number>(`SELECT id FROM ${LISTED} ORDER BY key LIMIT +@limit`)
    .pluck();
  const keyOf = db.prepare<[number], string>('SELECT key FROM store_items WHERE id = ?').pluck();
  // CROSS JOIN: the index first, whatever the planner thinks; the other way round takes a look-up in it for each item.
  const fewHits = db
    .prepare<[Bounds & { query: string; json: string }], number>(
      `SELECT i.id, i.key FROM store_text f CROSS JOIN store_items i ON i.id = f.rowid
       WHERE f.store_text MATCH @query AND i.live = 1 AND i.ns = +@ns AND i.key >= +@from AND i.key < +@to
       UNION SELECT i.id, i.key FROM ${PENDING} AND i.ns = +@ns AND i.key >= +@from AND i.key < +@to
       UNION SELECT id, key FROM ${LARGE} AND live = 1 AND ${IN_RANGE} ORDER BY 2`,
    )
    .pluck();
  // The value's JSON is looked at first: most need not be taken apart.
  const scan = db.prepare<[Bounds & { json: string }], { key: string; value: string }>(
    `SELECT i.key, v.value FROM (SELECT key, current FROM ${LISTED}) i
     CROSS JOIN store_log v ON v.seq = i.current WHERE instr(v.value, @json) > 0 ORDER BY i.key`,
  );
  const values = db.prepare<[string], { key: string; value: string }>(
    `SELECT i.key, v.value FROM json_each(?) wanted CROSS JOIN store_items i ON i.id = wanted.value
     CROSS JOIN store_log v ON v.seq = i.current WHERE i.live = 1`,
  );
  return {
    keys,
    first,
    keysLike,
    keysLikeFrom,
    windowEnd,
    highest,
    hits,
    unindexed,
    ids,
    keyOf,
    fewHits,
    scan,
    values,
  };
}

/** Searches for keys and texts. */
export function openStoreSearch(db: Db) {
  const sql = prepareSearch(db);
  const endOf = rememberedEnds((range, rows) => sql.windowEnd.get({ ...bounds(range), rows }) ?? null);

  return {
    /** Files by key, at most `limit`. */
    keys: (range: KeyRange, limit: number) => {
      const { ns, from, to } = bounds(range);
      if (limit > 1) return sql.keys.all({ ns, from, to, limit });
      const row = sql.first.get(ns, from, to);
      return row === undefined ? [] : [row];
    },
    /** Of the next `rows` items the files whose key meets GLOB patterns, and the last key that was looked at (null: the end). */
    keysLike: (range: KeyRange, { first, like }: KeyPattern, rows: number) => {
      // Where there are hardly more in all, finding the end costs more than looking at the rest.
      const ids = sql.highest.get() ?? 0;
      const isWhole = ids <= 2 * rows;
      if (isWhole && range.prefix.length <= 1) {
        const { ns, from } = bounds(range);
        return { rows: sql.keysLikeFrom.all(ns, from, first, like), last: null };
      }
      const last = isWhole ? null : endOf(range, rows, ids);
      return { rows: sql.keysLike.all({ ...bounds(range, last), first, like }), last };
    },
    /** Items of all namespaces that meet an index query, the next above an id. */
    hits: (query: string, above: number, limit: number) => sql.hits.all(query, above, limit),
    /** Items that the index does not know: those whose value has that text in its JSON, and all large ones. */
    unindexed: (json: string) => sql.unindexed.all({ json }),
    /** At least as many as there are items. */
    highest: () => sql.highest.get() ?? 0,
    /** All items that may have a text, by key, given as an index query and as it stands in JSON: for queries with few hits. */
    fewHits: (range: KeyRange, query: string, json: string) =>
      sql.fewHits.all({ ...bounds(range), query, json }),
    /** The next `rows` items by key, and the last key of them (null: the end). */
    ids: (range: KeyRange, rows: number) => {
      const found = sql.ids.all({ ...bounds(range), limit: rows });
      const last = found.length < rows ? undefined : found.at(-1);
      return { ids: found, last: last === undefined ? null : (sql.keyOf.get(last) ?? null) };
    },
    /** Of the next `rows` items those whose value has that text in its JSON, and the last key looked at (null: the end). */
    scan: (range: KeyRange, json: string, rows: number) => {
      const last = sql.windowEnd.get({ ...bounds(range), rows }) ?? null;
      return { rows: sql.scan.all({ ...bounds(range, last), json }), last };
    },
    /** Values in the order of the ids; what was deleted meanwhile is left out. */
    values: (ids: number[]) => sql.values.all(JSON.stringify(ids)),
  };
}
