import { yieldToEventLoop } from '../../../../base/yield-to-event-loop';
import { jsonOf, trigramQuery } from './store-patterns';
import type { KeyRange, StoreSearch } from './store-search';
import { contentOf, parse } from './store-values';

/** With more hits than this, they are picked in key order instead of being looked up and sorted. */
const MANY_HITS = 2_000;
/** If at least one in this many items is a hit, reading them in order is fastest. */
const DENSE = 5;
/** Index hits to read before yielding to the event loop: about 2 ms. */
const HITS_PER_SLICE = 4_000;
/** Items to check for hits before yielding to the event loop: about half a millisecond. */
const ITEMS_PER_SLICE = 4_000;
/** Minimum number of texts to read: not every item in the index result contains the literal. */
const MIN_TEXTS = 16;
/** Rows to read before yielding to the event loop: about 2 ms. */
const ROWS_PER_SLICE = 400;

/** An item whose text matches. */
export interface FoundText {
  /** The item's key. */
  key: string;
  /** As it was put. */
  value: Record<string, unknown>;
}

/** The items of a range whose text contains the literal, in key order. */
export async function searchText(
  look: StoreSearch,
  range: KeyRange,
  literal: string,
  limit: number,
): Promise<FoundText[]> {
  const found: FoundText[] = [];
  /** False: that is enough. */
  const take = (rows: { key: string; value: string }[]): boolean => {
    for (const row of rows) {
      if (found.length >= limit) break;
      const value = parse(row.value);
      if (contentOf(value)?.includes(literal)) found.push({ key: row.key, value });
    }
    return found.length < limit;
  };
  const takeAll = async (ids: number[]): Promise<boolean> => {
    for (let at = 0; at < ids.length; ) {
      const count = Math.min(ROWS_PER_SLICE, Math.max(MIN_TEXTS, limit - found.length));
      if (!take(look.values(ids.slice(at, at + count)))) return false;
      at += count;
      await yieldToEventLoop();
    }
    return true;
  };

  const query = trigramQuery(literal);
  const json = jsonOf(literal);
  const hits = query === null ? null : await hitsOf(look, query, json);
  if (query !== null && hits !== null && hits.size < MANY_HITS) {
    await takeAll(look.fewHits(range, query, json));
    return found;
  }
  if (hits !== null) {
    for (;;) {
      const { ids, last } = look.ids(range, ITEMS_PER_SLICE);
      if (!(await takeAll(ids.filter((id) => hits.has(id)))) || last === null) return found;
      range.after = last;
    }
  }
  // Nearly every item contains it, or it is too short for the index: read the next items in order.
  for (;;) {
    const { rows, last } = look.scan(range, json, ROWS_PER_SLICE);
    if (!take(rows) || last === null) return found;
    range.after = last;
    await yieldToEventLoop();
  }
}

/** Items of all namespaces that may contain a text, given as an index query and as JSON; null if nearly all do. */
async function hitsOf(look: StoreSearch, query: string, json: string): Promise<Set<number> | null> {
  const many = Math.max(MANY_HITS, Math.ceil(look.highest() / DENSE));
  // Read unindexed items first. Those indexed after this are found in the index.
  const hits = new Set(look.unindexed(json));
  const most = Math.min(HITS_PER_SLICE, many);
  for (let above = 0; ; await yieldToEventLoop()) {
    const page = look.hits(query, above, most);
    for (const id of page) hits.add(id);
    if (hits.size >= many) return null;
    above = page.at(-1) ?? above;
    if (page.length < most) return hits;
  }
}
