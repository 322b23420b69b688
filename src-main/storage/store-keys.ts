import type { Db } from './open';
import { bounds, type KeyRange, type KeyRow } from './store-search';
import { isRefusal } from './store-upkeep';

/** Namespaces whose keys are kept in memory: those that were searched last. */
const MOST_LISTS = 4;
/** Keys of one namespace; about 10 MB. Of larger ones the database is asked each time. */
const MOST_KEYS = 200_000;
/** Rows read before the event loop gets its turn: about 1 ms. */
const ROWS_AT_ONCE = 2_000;
/** Keys compared before the event loop gets its turn: about 2 ms. */
const KEYS_AT_ONCE = 50_000;
/** Changes since the last look that are made one by one; after more, all keys are read anew. */
const MOST_CHANGES = 1_000;

interface Keys {
  /** The version in the log up to which the list is what the database has. */
  upTo: number;
  /** Of files, in the order of their UTF-8 bytes. */
  keys: string[];
  isWhole: boolean;
}

interface Change {
  seq: number;
  ns: string;
  key: string;
  isFile: number;
}

/**
 * The keys of namespaces in memory, for patterns that no index helps with: comparing them here takes a fifth of the time
 * that SQLite needs to walk over their rows. Each look first asks the log what changed since the last, so that what
 * other processes write is seen too.
 */
export function openStoreKeys(db: Db) {
  const newest = db.prepare<[], number | null>('SELECT max(seq) FROM store_log').pluck();
  const page = db
    .prepare<[ns: string, after: string], string>(
      `SELECT key FROM store_items WHERE ns = +? AND key > +? AND live = 1 AND content_size >= 0
       ORDER BY key LIMIT ${ROWS_AT_ONCE}`,
    )
    .pluck();
  // The version in force stays in the log as long as the item, a delete too.
  const changes = db.prepare<[number], Change>(
    `SELECT v.seq, i.ns, i.key, i.live = 1 AND i.content_size >= 0 AS isFile
     FROM store_log v CROSS JOIN store_items i ON i.id = v.item WHERE v.seq > +? ORDER BY v.seq LIMIT ${MOST_CHANGES}`,
  );
  const rowsOf = db.prepare<[keys: string, ns: string], KeyRow>(
    `SELECT i.key, i.content_size AS size, i.modified_at FROM json_each(?) wanted
     CROSS JOIN store_items i ON i.ns = +? AND i.key = wanted.value WHERE i.live = 1 AND i.content_size >= 0`,
  );
  /** Null: there are too many. The last used come last. */
  const lists = new Map<string, Keys | null>();

  /** False: so much changed that all is to be read anew. */
  const catchUp = (ns: string, list: Keys): boolean => {
    const found = changes.all(list.upTo);
    for (const change of found) if (change.ns === ns) place(list.keys, change);
    list.upTo = found.at(-1)?.seq ?? list.upTo;
    return found.length < MOST_CHANGES;
  };

  const readSome = (ns: string, list: Keys): void => {
    const found = page.all(ns, list.keys.at(-1) ?? '');
    for (const key of found) list.keys.push(key);
    list.isWhole = found.length < ROWS_AT_ONCE;
    if (list.keys.length > MOST_KEYS) lists.set(ns, null);
  };

  const readOn = (ns: string, list: Keys): void => {
    if (!db.open || lists.get(ns) !== list) return;
    try {
      // What another's transaction has not kept yet is no state to remember.
      if (!db.inTransaction) readSome(ns, list);
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      lists.delete(ns);
    }
    if (!list.isWhole) setImmediate(readOn, ns, list).unref();
  };

  return {
    /**
     * The next files whose keys are in a range and have these texts after its prefix, in this order, the last one at the
     * end; about `most` of them, and the last key that was looked at (null: the end). Null: the keys are not known yet.
     */
    find: (range: KeyRange, pieces: readonly string[], most: number) => {
      const list = lists.get(range.ns);
      if (!list?.isWhole || db.inTransaction) return null;
      if (!catchUp(range.ns, list)) {
        lists.delete(range.ns);
        return null;
      }
      const { keys } = list;
      const { from, to } = bounds(range);
      const start = indexOf(keys, from);
      const end = Math.min(indexOf(keys, to), start + KEYS_AT_ONCE);
      const fits = tester(range.prefix, pieces);
      const hits: string[] = [];
      let at = start;
      for (; at < end && hits.length < most; at += 1) {
        const key = keys[at];
        if (key !== undefined && fits(key)) hits.push(key);
      }
      const isEnd = at === end && end < start + KEYS_AT_ONCE;
      const rows = hits.length === 0 ? [] : rowsOf.all(JSON.stringify(hits), range.ns);
      return { rows, last: isEnd ? null : (keys[at - 1] ?? null) };
    },
    /** To be told of each look at a namespace: reads its keys, so that later looks find them here. */
    looked: (ns: string): void => {
      const known = lists.get(ns);
      lists.delete(ns);
      const list = known === undefined ? { upTo: newest.get() ?? 0, keys: [], isWhole: false } : known;
      lists.set(ns, list);
      for (const old of lists.keys()) if (lists.size > MOST_LISTS) lists.delete(old);
      if (known === undefined && list !== null) setImmediate(readOn, ns, list).unref();
    },
  };
}

/** Puts a key in its place, or takes it out. */
function place(keys: string[], { key, isFile }: Change): void {
  const at = indexOf(keys, key);
  const isThere = keys[at] === key;
  if (isFile === 1 && !isThere) keys.splice(at, 0, key);
  if (isFile === 0 && isThere) keys.splice(at, 1);
}

/** The place of the first key that is not below `wanted`. */
function indexOf(keys: readonly string[], wanted: string): number {
  const bytes = Buffer.from(wanted);
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(Buffer.from(keys[middle] ?? ''), bytes) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of keys that have the prefix. The end first, and of that the first character: it turns most of them away. */
function tester(prefix: string, pieces: readonly string[]): (key: string) => boolean {
  const end = pieces.at(-1) ?? '';
  const first = end.charCodeAt(0);
  const between = pieces.slice(0, -1);
  return (key) => {
    if (end !== '' && key.charCodeAt(key.length - end.length) !== first) return false;
    if (!key.endsWith(end)) return false;
    let at = prefix.length;
    for (const piece of between) {
      const found = key.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= key.length - end.length;
  };
}
