import type { IndexConfig } from '@langchain/langgraph-checkpoint';
import type { Db } from '../../../../base/sqlite/db';
import { encodeNamespace, namespacesBelow } from '../../../../base/sqlite/store-namespaces';
import { yieldToEventLoop } from '../../../../base/yield-to-event-loop';

/** The vectors of an item's texts, stored with it. Without any, it is not found by meaning. */
export type Vectors = Float32Array[];

interface VectorRow {
  item: number;
  part: number;
  vector: Uint8Array;
}

/** Vectors to compare before yielding to the event loop: a few milliseconds. */
const VECTORS_PER_SLICE = 500;

/** Vectors of items, and their comparison. Methods that write expect a surrounding transaction. */
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
    /** Replaces an item's vectors. */
    replace: ({ id, isNew }: { id: number; isNew: boolean }, vectors: Vectors) => {
      if (!isNew) remove.run(id);
      for (const [part, vector] of vectors.entries()) add.run(id, part, new Uint8Array(vector.buffer));
    },
    /** The highest similarity of each item with vectors at and below a namespace. */
    nearest: async (namespace: readonly string[], wanted: Float32Array): Promise<Map<number, number>> => {
      const ns = encodeNamespace(namespace);
      const best = new Map<number, number>();
      for (let last = { item: -1, part: -1 }; ; await yieldToEventLoop()) {
        const { item, part } = last;
        const rows = page.all({ ns, ...namespacesBelow(namespace), item, part, limit: VECTORS_PER_SLICE });
        for (const row of rows) {
          const score = similarity(wanted, floatsOf(row.vector));
          best.set(row.item, Math.max(score, best.get(row.item) ?? Number.NEGATIVE_INFINITY));
          last = row;
        }
        if (rows.length < VECTORS_PER_SLICE) return best;
      }
    },
  };
}

export type StoreVectors = ReturnType<typeof openStoreVectors>;

/** The texts of a value that the configuration makes searchable by meaning. `fields`: the item's own, else the store's. */
export function textsOf(value: Record<string, unknown>, config: IndexConfig, fields?: string[]): string[] {
  return (fields ?? config.fields ?? ['$']).flatMap((path) => textsAt(value, path));
}

/** One unit vector for each text, with one request. Throws if the model returns another number of dimensions. */
export async function embed(texts: string[], config: IndexConfig): Promise<Vectors> {
  if (texts.length === 0) return [];
  const vectors = await config.embeddings.embedDocuments(texts);
  return vectors.map((vector) => unit(vector, config.dims));
}

export async function embedQuery(query: string, config: IndexConfig): Promise<Float32Array> {
  return unit(await config.embeddings.embedQuery(query), config.dims);
}

/** The cosine of the angle between unit vectors: 1 for the same direction. */
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

/** A copy, since SQLite's bytes may start at any alignment. */
const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** LangGraph's paths: `$` for all, `a.b`, `list[0]`, `list[-1]`, `list[*].name`. (The package's export supports fewer.) */
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
