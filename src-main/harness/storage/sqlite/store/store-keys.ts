import type { Db } from '../../../../base/sqlite/db';
import { isSqliteError } from '../../../../base/sqlite/sqlite-error';
import { bounds, type KeyRange, type KeyRow } from './store-search';

/** Namespaces whose keys stay in memory: the most recently searched ones. */
const MAX_LISTS = 4;
/** Keys of one namespace, about 10 MB. For larger ones the database is queried each time. */
const MAX_KEYS = 200_000;
/** Rows to read before yielding to the event loop: about 1 ms. */
const ROWS_PER_SLICE = 2_000;
/** Keys to compare before yielding to the event loop: about 2 ms. */
const KEYS_PER_SLICE = 50_000;
/** Changes since the last check that are applied one by one. After more, all keys are read again. */
const MAX_CHANGES = 1_000;

interface Keys {
  /** The version in the log up to which the list matches the database. */
  upTo: number;
  /** In key order. */
  blocks: Block[];
  isWhole: boolean;
}

/** Never empty. */
interface Block {
  /** Keys of files, in the order of their UTF-8 bytes. */
  keys: string[];
  /**
   * All keys, each between two `BETWEEN`: searching one text for a suffix takes a fraction of the time of testing each key,
   * even before JIT compilation. Created on the first search; null if a key contains that separator.
   */
  text?: string | null;
}

const BETWEEN = '\n';

interface Change {
  seq: number;
  ns: string;
  key: string;
  isFile: number;
}

/**
 * Keeps the keys of namespaces in memory, for patterns that no index supports. Comparing them here takes a fifth of the time
 * that SQLite needs to walk its rows. Each search first reads new changes from the log, so that it sees writes of other
 * processes too.
 */
export function openStoreKeys(db: Db) {
  const newest = db.prepare<[], number | null>('SELECT max(seq) FROM store_log').pluck();
  const page = db
    .prepare<[ns: string, after: string], string>(
      `SELECT key FROM store_items WHERE ns = +? AND key > +? AND live = 1 AND content_size >= 0
       ORDER BY key LIMIT ${ROWS_PER_SLICE}`,
    )
    .pluck();
  // The current version stays in the log as long as the item, even if it is a delete.
  const changes = db.prepare<[number], Change>(
    `SELECT v.seq, i.ns, i.key, i.live = 1 AND i.content_size >= 0 AS isFile
     FROM store_log v CROSS JOIN store_items i ON i.id = v.item WHERE v.seq > +? ORDER BY v.seq LIMIT ${MAX_CHANGES}`,
  );
  const rowsOf = db.prepare<[keys: string, ns: string], KeyRow>(
    `SELECT i.key, i.content_size AS size, i.modified_at FROM json_each(?) wanted
     CROSS JOIN store_items i ON i.ns = +? AND i.key = wanted.value WHERE i.live = 1 AND i.content_size >= 0`,
  );
  /** Null: too many keys. The most recently used come last. */
  const lists = new Map<string, Keys | null>();

  /** False: there are so many changes that everything must be read again. */
  const catchUp = (ns: string, list: Keys): boolean => {
    const found = changes.all(list.upTo);
    for (const change of found) if (change.ns === ns) place(list.blocks, change);
    list.upTo = found.at(-1)?.seq ?? list.upTo;
    return found.length < MAX_CHANGES;
  };

  const readSome = (ns: string, list: Keys): void => {
    const keys = page.all(ns, list.blocks.at(-1)?.keys.at(-1) ?? '');
    if (keys.length > 0) list.blocks.push({ keys });
    list.isWhole = keys.length < ROWS_PER_SLICE;
    if (list.blocks.length * ROWS_PER_SLICE > MAX_KEYS) lists.set(ns, null);
  };

  const readOn = (ns: string, list: Keys): void => {
    if (!db.open || lists.get(ns) !== list) return;
    try {
      // Do not cache uncommitted state of a transaction.
      if (!db.inTransaction) readSome(ns, list);
    } catch (thrown) {
      if (!isSqliteError(thrown)) throw thrown;
      lists.delete(ns);
    }
    if (!list.isWhole) setImmediate(readOn, ns, list).unref();
  };

  return {
    /**
     * The next files whose keys are in a range and contain these texts in order after its prefix, with the last one at the
     * end. Returns about `most` of them, and the last key checked (null: the end). Null: the keys are not known yet.
     */
    find: (range: KeyRange, pieces: readonly string[], most: number) => {
      const list = lists.get(range.ns);
      if (!list?.isWhole || db.inTransaction) return null;
      if (!catchUp(range.ns, list)) {
        lists.delete(range.ns);
        return null;
      }
      const { hits, last } = search(list.blocks, range, pieces, most);
      const rows = hits.length === 0 ? [] : rowsOf.all(JSON.stringify(hits), range.ns);
      return { rows, last };
    },
    /** Call this on each search of a namespace. It reads the keys, so that later searches find them here. */
    looked: (ns: string): void => {
      const known = lists.get(ns);
      lists.delete(ns);
      const list = known === undefined ? { upTo: newest.get() ?? 0, blocks: [], isWhole: false } : known;
      lists.set(ns, list);
      for (const old of lists.keys()) if (lists.size > MAX_LISTS) lists.delete(old);
      if (known === undefined && list !== null) setImmediate(readOn, ns, list).unref();
    },
  };
}

/** Matching keys, about `most` of them, and the last key checked (null: all were checked). */
function search(blocks: readonly Block[], range: KeyRange, pieces: readonly string[], most: number) {
  const { from, to } = bounds(range);
  const fits = tester(range.prefix, pieces);
  const end = pieces.at(-1) ?? '';
  const hits: string[] = [];
  const first = blockOf(blocks, from);
  let looked = 0;
  for (const block of blocks.slice(first)) {
    const { keys } = block;
    const start = looked === 0 ? indexOf(keys, from) : 0;
    const stop = isBefore(keys.at(-1) ?? '', to) ? keys.length : indexOf(keys, to);
    const text = stop - start === keys.length && end !== '' && !end.includes(BETWEEN) ? textOf(block) : null;
    if (text === null) searchKeys(keys.slice(start, stop), fits, hits, most);
    else searchText(text, end, fits, hits, most);
    if (hits.length >= most) return { hits, last: hits.at(-1) ?? null };
    if (stop < keys.length) break;
    looked += keys.length;
    if (looked >= KEYS_PER_SLICE) return { hits, last: keys.at(-1) ?? null };
  }
  return { hits, last: null };
}

function searchKeys(keys: readonly string[], fits: Test, hits: string[], most: number): void {
  for (const key of keys) if (hits.length < most && fits(key)) hits.push(key);
}

function searchText(text: string, end: string, fits: Test, hits: string[], most: number): void {
  const wanted = end + BETWEEN;
  for (
    let at = text.indexOf(wanted);
    at !== -1 && hits.length < most;
    at = text.indexOf(wanted, at + wanted.length)
  ) {
    const key = text.slice(text.lastIndexOf(BETWEEN, at - 1) + 1, at + end.length);
    if (fits(key)) hits.push(key);
  }
}

function textOf(block: Block): string | null {
  const { keys } = block;
  if (block.text === undefined)
    block.text = keys.some((key) => key.includes(BETWEEN)) ? null : BETWEEN + keys.join(BETWEEN) + BETWEEN;
  return block.text;
}

/** Inserts a key in order, or removes it. */
function place(blocks: Block[], { key, isFile }: Change): void {
  const number = Math.min(blockOf(blocks, key), blocks.length - 1);
  const block = blocks[number];
  if (block === undefined) {
    if (isFile === 1) blocks.push({ keys: [key] });
    return;
  }
  const { keys } = block;
  const at = indexOf(keys, key);
  const isThere = keys[at] === key;
  if (isThere === (isFile === 1)) return;
  if (isFile === 1) keys.splice(at, 0, key);
  else keys.splice(at, 1);
  delete block.text;
  if (keys.length === 0) blocks.splice(number, 1);
  else if (keys.length > 2 * ROWS_PER_SLICE)
    blocks.splice(number + 1, 0, { keys: keys.splice(ROWS_PER_SLICE) });
}

/** Index of the first block whose last key is not below `wanted`. */
const blockOf = (blocks: readonly Block[], wanted: string): number =>
  firstNotBelow(blocks.length, wanted, (at) => blocks[at]?.keys.at(-1) ?? '');

/** Index of the first key that is not below `wanted`. */
const indexOf = (keys: readonly string[], wanted: string): number =>
  firstNotBelow(keys.length, wanted, (at) => keys[at] ?? '');

function firstNotBelow(count: number, wanted: string, keyAt: (at: number) => string): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(keyAt(middle), wanted)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isBefore = (key: string, other: string): boolean =>
  Buffer.compare(Buffer.from(key), Buffer.from(other)) < 0;

type Test = (key: string) => boolean;

/** Tests keys that have the prefix. It checks the end first, and its first character before that: this rejects most keys. */
function tester(prefix: string, pieces: readonly string[]): Test {
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
