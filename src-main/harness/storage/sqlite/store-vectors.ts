import type { IndexConfig } from '@langchain/langgraph-checkpoint';
import type { Db } from '../../../base/sqlite/db';
import { yieldToEventLoop } from '../../../base/yield-to-event-loop';
import { encodeNamespace, namespacesBelow } from './store-filter';

/** An item's texts as vectors, to be put beside it; none: it is not found by meaning. */
export type Vectors = Float32Array[];

interface VectorRow {
  item: number;
  part: number;
  vector: Uint8Array;
}

/** Vectors compared before the event loop gets its turn: a few milliseconds. */
const VECTORS_AT_ONCE = 500;

/** Vectors of items, and what compares them. What writes expects a surrounding transaction. */
export function openStoreVectors(db: Db) {
  const remove = db.prepare<[number]>('DELETE FROM store_vectors WHERE item = ?');
  const add = db.prepare<[number, number, Uint8Array]>(
    'INSERT INTO store_vectors (item, part, vector) VALUES (?, ?, ?)',
  );
  const page = db.prepare<
    [{ ns: string; from: string; to: string; item: number; part: number; limit: number }],
    VectorRow
  >(
    `SELECT w.item, w.part, w.vector FROM store_vectors w CROSS JOIN store_items i ON i.id = w.item
     WHERE (w.item, w.part) > (@item, @part) AND i.live = 1 AND (i.ns = @ns OR (i.ns >= @from AND i.ns < @to))
     ORDER BY w.item, w.part LIMIT @limit`,
  );

  return {
    /** Puts an item's vectors in the place of those it had. */
    replace: ({ id, isNew }: { id: number; isNew: boolean }, vectors: Vectors) => {
      if (!isNew) remove.run(id);
      for (const [part, vector] of vectors.entries()) add.run(id, part, new Uint8Array(vector.buffer));
    },
    /** For each item at and below a namespace that has vectors, the highest similarity of one of them. */
    nearest: async (namespace: readonly string[], wanted: Float32Array): Promise<Map<number, number>> => {
      const ns = encodeNamespace(namespace);
      const best = new Map<number, number>();
      for (let last = { item: -1, part: -1 }; ; await yieldToEventLoop()) {
        const { item, part } = last;
        const rows = page.all({ ns, ...namespacesBelow(namespace), item, part, limit: VECTORS_AT_ONCE });
        for (const row of rows) {
          const score = similarity(wanted, floatsOf(row.vector));
          best.set(row.item, Math.max(score, best.get(row.item) ?? Number.NEGATIVE_INFINITY));
          last = row;
        }
        if (rows.length < VECTORS_AT_ONCE) return best;
      }
    },
  };
}

export type StoreVectors = ReturnType<typeof openStoreVectors>;

/** The texts of a value that a configuration wants to have found by meaning. `fields`: of one item, else the store's. */
export function textsOf(value: Record<string, unknown>, config: IndexConfig, fields?: string[]): string[] {
  return (fields ?? config.fields ?? ['$']).flatMap((path) => textsAt(value, path));
}

/** One unit vector for each text, by one request. Throws where the model answers with another number of dimensions. */
export async function embed(texts: string[], config: IndexConfig): Promise<Vectors> {
  if (texts.length === 0) return [];
  const vectors = await config.embeddings.embedDocuments(texts);
  return vectors.map((vector) => unit(vector, config.dims));
}

export async function embedQuery(query: string, config: IndexConfig): Promise<Float32Array> {
  return unit(await config.embeddings.embedQuery(query), config.dims);
}

/** Of unit vectors the cosine of the angle between them: 1 for the same direction. */
function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

function unit(vector: number[], dims: number): Float32Array {
  if (vector.length !== dims)
    throw new Error(`the embedding model gave ${vector.length} dimensions, the store is set to ${dims}`);
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (part) => (length === 0 ? 0 : part / length));
}

/** A copy, since what SQLite gives may begin at any byte. */
const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** LangGraph's paths: `$` for all, `a.b`, `list[0]`, `list[-1]`, `list[*].name`. (What the package exports knows fewer.) */
function textsAt(value: Record<string, unknown>, path: string): string[] {
  if (path === '$') return [JSON.stringify(value)];
  let found: unknown[] = [value];
  for (const step of path.match(/[^.[\]]+|\[[^\]]*\]/g) ?? []) found = found.flatMap((one) => at(one, step));
  return found.flatMap((one) => {
    if (one === null || one === undefined) return [];
    return [typeof one === 'object' ? JSON.stringify(one) : String(one)];
  });
}

function at(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!step.startsWith('['))
    return Object.entries(value).flatMap(([name, one]) => (name === step ? [one] : []));
  if (!Array.isArray(value)) return [];
  return step === '[*]' ? value : [value.at(Number(step.slice(1, -1)))];
}
