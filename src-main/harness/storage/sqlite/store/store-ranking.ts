import type { IndexConfig, SearchItem, SearchOperation } from '@langchain/langgraph-checkpoint';
import { encodeNamespace } from '../../../../base/sqlite/store-namespaces';
import { yieldToEventLoop } from '../../../../base/yield-to-event-loop';
import { matchesFilter, pageOf } from '../../store-filter';
import type { ItemRow, StoreTables } from './store-tables';
import { embedQuery, type StoreVectors } from './store-vectors';

/** Items to read before yielding to the event loop: a few milliseconds. */
const ITEMS_PER_SLICE = 400;
const WORD = /[\p{L}\p{N}]+/gu;

type Wanted = Omit<SearchOperation, 'query'> & { query: string };
type Scored = { row: ItemRow; score: number };

export interface Ranking {
  tables: StoreTables;
  vectors: StoreVectors;
  index: IndexConfig | undefined;
  itemOf(row: ItemRow): SearchItem;
}

/**
 * Semantic search: the nearest first, then items without vectors. Without an embedding model, it searches for words,
 * case-insensitively: items with the most matches first, then the most recently changed.
 */
export async function rank(ranking: Ranking, wanted: Wanted): Promise<SearchItem[]> {
  const { offset, limit } = pageOf(wanted);
  const scored =
    ranking.index === undefined
      ? await byWords(ranking, wanted)
      : await byMeaning(ranking, ranking.index, wanted);
  return scored.slice(offset, offset + limit);
}

async function byMeaning(ranking: Ranking, index: IndexConfig, wanted: Wanted): Promise<SearchItem[]> {
  const { namespacePrefix } = wanted;
  const { offset, limit } = pageOf(wanted);
  const near = await ranking.vectors.nearest(namespacePrefix, await embedQuery(wanted.query, index));
  const order = [...near].sort(([, a], [, b]) => b - a);
  const found: SearchItem[] = [];
  for (let at = 0; at < order.length && found.length < offset + limit; at += ITEMS_PER_SLICE) {
    const page = order.slice(at, at + ITEMS_PER_SLICE);
    const rows = new Map(ranking.tables.byIds(page.map(([id]) => id)).map((row) => [row.id, row]));
    for (const [id, score] of page) {
      const row = rows.get(id);
      const item = row === undefined ? null : accepted(ranking, row, wanted);
      if (item !== null) found.push({ ...item, score });
    }
    await yieldToEventLoop();
  }
  if (found.length >= offset + limit) return found;
  for await (const row of rowsBelow(ranking, namespacePrefix)) {
    const item = near.has(row.id) ? null : accepted(ranking, row, wanted);
    if (item !== null && found.push(item) >= offset + limit) break;
  }
  return found;
}

async function byWords(ranking: Ranking, wanted: Wanted): Promise<SearchItem[]> {
  const words = [...new Set(wanted.query.toLowerCase().match(WORD) ?? [])];
  const found: Scored[] = [];
  for await (const row of rowsBelow(ranking, wanted.namespacePrefix)) {
    const text = row.value.toLowerCase();
    const score = words.filter((word) => text.includes(word)).length / words.length;
    if (score > 0 && accepted(ranking, row, wanted) !== null) found.push({ row, score });
  }
  return found
    .sort((a, b) => b.score - a.score || b.row.updated - a.row.updated)
    .map(({ row, score }) => ({ ...ranking.itemOf(row), score }));
}

function accepted(ranking: Ranking, row: ItemRow, { filter }: Wanted): SearchItem | null {
  const item = ranking.itemOf(row);
  return filter === undefined || matchesFilter(item.value, filter) ? item : null;
}

async function* rowsBelow({ tables }: Ranking, namespace: string[]): AsyncGenerator<ItemRow> {
  const ns = encodeNamespace(namespace);
  for (let id = -1; ; await yieldToEventLoop()) {
    const rows = tables.belowAfter(namespace, ns, id, ITEMS_PER_SLICE);
    yield* rows;
    id = rows.at(-1)?.id ?? id;
    if (rows.length < ITEMS_PER_SLICE) return;
  }
}
