import type { Db } from '../../../../base/sqlite/db';

export interface KeyRange {
  ns: string;
  prefix: string;
  /** Only keys above this one. */
  after: string | null;
}

/** Number of window ends to cache. */
const MAX_ENDS = 1_000;

/** Above every key that starts with the preceding prefix. */
const END = '\u{10FFFF}';
/** The text directly after another one. */
const next = (key: string) => `${key}\0`;

/** One bound per side. With two, SQLite uses the first for the index and reads on to the second. */
interface Bounds {
  ns: string;
  from: string;
  to: string;
}

/** The keys of a range from `from` up to but excluding `to`. */
export function bounds({ ns, prefix, after }: KeyRange, last: string | null = null): Bounds {
  const to = last === null ? prefix + END : next(last);
  if (after === null) return { ns, from: prefix, to };
  const isAbove = after.startsWith(prefix) || Buffer.compare(Buffer.from(after), Buffer.from(prefix)) > 0;
  return { ns, from: isAbove ? next(after) : prefix, to };
}

// SQLite ignores the value of a parameter behind a plus when it plans. Otherwise it would plan again for each value, which
// takes longer than the query itself.
const IN_RANGE = 'ns = +@ns AND key >= +@from AND key < +@to';
const LISTED = `store_items WHERE ${IN_RANGE} AND live = 1`;
const FILE = 'content_size >= 0';
/** Versions missing from the text index. Every search checks their JSON first, because most are not hits. */
const PENDING = `store_log p CROSS JOIN store_items i ON i.id = p.item
  WHERE p.seq > (SELECT indexed FROM store_state) AND instr(p.value, @json) > 0 AND i.current = p.seq AND i.live = 1`;
const LARGE = 'store_items INDEXED BY store_items_large WHERE large = 1';

export interface KeyRow {
  key: string;
  size: number;
  modified_at: string;
}

export type StoreSearch = ReturnType<typeof openStoreSearch>;

/** GLOB patterns that a key must match. */
export interface KeyPattern {
  /** The fastest pattern to compare, which excludes most keys; the same as `like` if there is none. */
  first: string;
  like: string;
}

/**
 * Caches the ends of windows, because finding one walks over their keys. An outdated end still divides the keys. Once a
 * window's worth of items was added, all ends are searched again.
 */
function rememberedEnds(endNow: (range: KeyRange, rows: number) => string | null) {
  const ends = new Map<string, string | null>();
  let endsAt = 0;
  return (range: KeyRange, rows: number, ids: number): string | null => {
    if (ids - endsAt > rows || ends.size > MAX_ENDS) {
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

/** The statements. Each reads a limited number of rows, so that none blocks the process. */
function prepareSearch(db: Db) {
  const KEY = 'key, content_size AS size, modified_at';
  const keys = db.prepare<[Bounds & { limit: number }], KeyRow>(
    `SELECT ${KEY} FROM ${LISTED} AND ${FILE} ORDER BY key LIMIT +@limit`,
  );
  // The most frequent query. It builds no list and uses positional parameters, which are faster.
  const first = db.prepare<[string, string, string], KeyRow>(
    `SELECT ${KEY} FROM store_items WHERE ns = +? AND key >= +? AND key < +? AND live = 1 AND ${FILE} ORDER BY key LIMIT 1`,
  );
  // The plus before the key keeps SQLite from deriving a second lower bound from the pattern. The pattern comes first,
  // because most keys do not match it.
  const keysLike = db.prepare<[Bounds & KeyPattern], KeyRow>(
    `SELECT ${KEY} FROM store_items WHERE ${IN_RANGE} AND +key GLOB @first AND +key GLOB @like
     AND live = 1 AND ${FILE} ORDER BY key`,
  );
  // Up to the end of the namespace: the pattern starts with the prefix, and if that is short, hardly any key is above it.
  const keysLikeFrom = db.prepare<[ns: string, from: string, first: string, like: string], KeyRow>(
    `SELECT ${KEY} FROM store_items WHERE ns = +? AND key >= +? AND +key GLOB ? AND +key GLOB ?
     AND live = 1 AND ${FILE} ORDER BY key`,
  );
  // Includes deleted items: it only says where to stop.
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
  // CROSS JOIN forces the planner to use the text index first. The other way round needs an index lookup for each item.
  const fewHits = db
    .prepare<[Bounds & { query: string; json: string }], number>(
      `SELECT i.id, i.key FROM store_text f CROSS JOIN store_items i ON i.id = f.rowid
       WHERE f.store_text MATCH @query AND i.live = 1 AND i.ns = +@ns AND i.key >= +@from AND i.key < +@to
       UNION SELECT i.id, i.key FROM ${PENDING} AND i.ns = +@ns AND i.key >= +@from AND i.key < +@to
       UNION SELECT id, key FROM ${LARGE} AND live = 1 AND ${IN_RANGE} ORDER BY 2`,
    )
    .pluck();
  // Checks the value's JSON first, because most values need not be parsed.
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
    /**
     * The files among the next `rows` items whose key matches the GLOB patterns, and the last key checked (null: the end).
     */
    keysLike: (range: KeyRange, { first, like }: KeyPattern, rows: number) => {
      // With hardly more items in all, finding the end costs more than checking the rest.
      const ids = sql.highest.get() ?? 0;
      const isWhole = ids <= 2 * rows;
      if (isWhole && range.prefix.length <= 1) {
        const { ns, from } = bounds(range);
        return { rows: sql.keysLikeFrom.all(ns, from, first, like), last: null };
      }
      const last = isWhole ? null : endOf(range, rows, ids);
      return { rows: sql.keysLike.all({ ...bounds(range, last), first, like }), last };
    },
    /** Items of all namespaces above an id that match an index query. */
    hits: (query: string, above: number, limit: number) => sql.hits.all(query, above, limit),
    /** Items missing from the index: those whose JSON contains that text, and all large ones. */
    unindexed: (json: string) => sql.unindexed.all({ json }),
    /** At least the number of items. */
    highest: () => sql.highest.get() ?? 0,
    /**
     * All items that may contain a text, by key, for queries with few hits. The text is given as an index query and as JSON.
     */
    fewHits: (range: KeyRange, query: string, json: string) =>
      sql.fewHits.all({ ...bounds(range), query, json }),
    /** The next `rows` items by key, and their last key (null: the end). */
    ids: (range: KeyRange, rows: number) => {
      const found = sql.ids.all({ ...bounds(range), limit: rows });
      const last = found.length < rows ? undefined : found.at(-1);
      return { ids: found, last: last === undefined ? null : (sql.keyOf.get(last) ?? null) };
    },
    /** The items among the next `rows` whose JSON contains that text, and the last key checked (null: the end). */
    scan: (range: KeyRange, json: string, rows: number) => {
      const last = sql.windowEnd.get({ ...bounds(range), rows }) ?? null;
      return { rows: sql.scan.all({ ...bounds(range, last), json }), last };
    },
    /** Values in the order of the ids, without deleted items. */
    values: (ids: number[]) => sql.values.all(JSON.stringify(ids)),
  };
}
