import { setImmediate as nextTurn } from 'node:timers/promises';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import type Database from 'better-sqlite3';
import { optional } from '../../src-main/contract/shared/optional';
import { StoreBackend } from '../../src-main/harness/backends';
import { type Contest, type Outcome, type Part, type Side, sure } from '../contest';
import type { DataName } from '../data';
import { published } from './peer';
import {
  COMMON_MEMORY,
  GLOB,
  memories,
  memoryKey,
  memoryValue,
  NAMESPACE,
  oursFrom,
  plainFrom,
  RARE_MEMORY,
} from './store-data';

/** What the cases need from either backend. */
interface Backend {
  ls(path: string): Answer<{ files?: unknown[] }>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Answer<{ matches?: unknown[] }>;
  glob(pattern: string, path?: string): Answer<{ files?: unknown[] }>;
  read(path: string): Answer<unknown>;
  write(path: string, content: string): Answer<unknown>;
  edit(path: string, from: string, to: string): Answer<unknown>;
}
type Answer<T> = Promise<T & { error?: string }> | (T & { error?: string });

type Question = (backend: Backend) => Promise<Outcome | undefined>;
type Query = (db: Database.Database) => () => Promise<Outcome | undefined> | Outcome | undefined;

type StoreData = Extract<DataName, 'store10k' | 'store100k'>;
const SIZES: Record<StoreData, number> = { store10k: 10_000, store100k: 100_000 };

/**
 * Warm-up runs per side: short operations are fully compiled only after some thousands of calls, and the app runs for hours.
 */
const WARM_UP = 10;

const ours =
  (name: StoreData, ask: Question): Side =>
  ({ data, own }) => {
    const storage = oursFrom(data[name], own);
    const backend = new StoreBackend({ store: storage.store, namespace: NAMESPACE });
    return { run: () => ask(backend), close: () => storage.close() };
  };

const plain =
  (name: StoreData, query: Query): Side =>
  ({ data, own }) => {
    const db = plainFrom(data[name], own);
    return { run: query(db), close: () => void db.close() };
  };

/** In memory: the package has no persistent store. */
const peer =
  (name: StoreData, ask: Question): Side =>
  async () => {
    const { StoreBackend: Published } = await published();
    const store = new InMemoryStore();
    for (const { key, content } of memories(SIZES[name]))
      await store.put(NAMESPACE, key, memoryValue(content));
    const backend = new Published({ store, namespace: NAMESPACE });
    return { run: () => ask(backend) };
  };

const NS = NAMESPACE.join('/');
const count = (things: unknown[] | undefined) => ({ answer: `${things?.length} found` });

const list =
  (path: string): Question =>
  async (backend) =>
    count(sure(await backend.ls(path)).files);

const grep =
  (pattern: string, most: number | null): Question =>
  async (backend) =>
    count(sure(await backend.grep(pattern, '/', null, most)).matches);

const glob: Question = async (backend) => count(sure(await backend.glob(GLOB.pattern, '/')).files);

/** Jumps from the first item of each folder to the first one after that folder. */
const plainRoot: Query = (db) => {
  const next = db
    .prepare<[string, string], string>('SELECT key FROM items WHERE ns = ? AND key >= ? ORDER BY key LIMIT 1')
    .pluck();
  return () => {
    const folders: string[] = [];
    for (let key = next.get(NS, '/'); key !== undefined; ) {
      const folder = key.slice(0, key.indexOf('/', 1));
      folders.push(folder);
      key = next.get(NS, `${folder}0`);
    }
    return count(folders);
  };
};

const plainFolder: Query = (db) => {
  const all = db.prepare(
    'SELECT key, size, modified_at FROM items WHERE ns = ? AND key > ? AND key < ? ORDER BY key',
  );
  return () => count(all.all(NS, '/topic-3/', '/topic-30'));
};

const plainGrep =
  (pattern: string, most: number): Query =>
  (db) => {
    const all = db.prepare(
      'SELECT key, content FROM items WHERE ns = ? AND instr(content, ?) > 0 ORDER BY key LIMIT ?',
    );
    return () => count(all.all(NS, pattern, most));
  };

const plainGlob: Query = (db) => {
  const all = db.prepare('SELECT key, size, modified_at FROM items WHERE ns = ? AND key GLOB ? ORDER BY key');
  return () => count(all.all(NS, GLOB.like));
};

const FIRST = 1_000;

/** The fastest runs, on two cores, quiet and beside ten busy programs: 0.72 to 0.77 for `ls folder`, 0.04 to 0.07 for the
 * rare word, 0.53 to 0.84 for the common one, and 0.46 to 0.64 for `glob`. */
const STEADY = { folder: 1.1, rare: 0.15, common: 1, glob: 1 };

function listings(data: StoreData, rest: { runs: number }): Contest[] {
  const row = (what: string, ask: Question, query: Query, steady?: number): Contest => ({
    row: `store of ${SIZES[data].toLocaleString('en')}: ${what}`,
    unit: 'ms',
    data: [data],
    warmUp: WARM_UP,
    target: { ratio: 3, stall: 16 },
    ours: ours(data, ask),
    limits: { SQLite: plain(data, query) },
    peer: peer(data, ask),
    ...optional({ steady }),
    ...rest,
  });
  return [
    row('ls root', list('/'), plainRoot),
    row('ls folder', list('/topic-3'), plainFolder, STEADY.folder),
  ];
}

function searches(data: StoreData, target: Contest['target']): Contest[] {
  const row = (what: string, ask: Question, query: Query, steady: number): Contest => ({
    row: `store of ${SIZES[data].toLocaleString('en')}: ${what}`,
    unit: 'ms',
    data: [data],
    runs: 9,
    warmUp: WARM_UP,
    target,
    ours: ours(data, ask),
    limits: { SQLite: plain(data, query) },
    peer: peer(data, ask),
    ...(data === 'store10k' ? { steady } : {}),
  });
  return [
    row('grep rare', grep(RARE_MEMORY, null), plainGrep(RARE_MEMORY, -1), STEADY.rare),
    row(
      'grep common, first 1,000',
      grep(COMMON_MEMORY, FIRST),
      plainGrep(COMMON_MEMORY, FIRST),
      STEADY.common,
    ),
    row('glob of 1 in 100', glob, plainGlob, STEADY.glob),
  ];
}

/** Every memory once: a read is so short that a few reads would only time the compiler and the garbage collector. */
const all = Array.from({ length: SIZES.store10k }, (_, number) => memoryKey(number));
/** Fewer are enough to time operations that wait for the disk. */
const some = Array.from({ length: 200 }, (_, number) => memoryKey(number * 7));

/** Operations between two turns of the event loop. An operation that waits for the disk gets a turn alone. */
const READS = 20;
const WRITES = 1;

const each =
  (keys: string[], atOnce: number, operation: (backend: Backend, key: string) => Answer<unknown>): Question =>
  async (backend) => {
    for (const [number, key] of keys.entries()) {
      sure(await operation(backend, key));
      if (number % atOnce === 0) await nextTurn();
    }
    return undefined;
  };

const plainEach =
  (keys: string[], atOnce: number, prepare: (db: Database.Database) => (key: string) => void): Query =>
  (db) => {
    const operation = prepare(db);
    return async () => {
      for (const [number, key] of keys.entries()) {
        operation(key);
        if (number % atOnce === 0) await nextTurn();
      }
      return undefined;
    };
  };

// Plain SQLite is as durable as ours (WAL, synchronous FULL: one fsync per write), with one statement per write, no
// versions, no authors, no text index and no check of parent and child paths.
/** A memory that does not exist yet, in every run: the published package overwrites nothing. */
let written = 0;
const fresh = () => {
  written += 1;
  return `/topic-3/new-${written}.md`;
};
const TEXT = `# New\n${'a line of a memory\n'.repeat(25)}`;
const HEADING = { from: '# Note', to: '# Nota' };

const upsert = (db: Database.Database) =>
  db.prepare(
    `INSERT INTO items (ns, key, size, modified_at, content) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (ns, key) DO UPDATE SET size = excluded.size, modified_at = excluded.modified_at, content = excluded.content`,
  );

function single(
  what: string,
  keys: string[],
  atOnce: number,
  operation: (backend: Backend, key: string) => Answer<unknown>,
  prepare: (db: Database.Database) => (key: string) => void,
): Contest {
  return {
    row: `store of 10,000: ${what}`,
    unit: 'µs',
    data: ['store10k'],
    runs: 9,
    warmUp: WARM_UP,
    per: keys.length,
    target: { ratio: 2, stall: 16 },
    ours: ours('store10k', each(keys, atOnce, operation)),
    limits: { SQLite: plain('store10k', plainEach(keys, atOnce, prepare)) },
    peer: peer('store10k', each(keys, atOnce, operation)),
  };
}

/** Flips the heading of a memory back and forth, so that every edit finds its text. */
function turner() {
  const turned = new Set<string>();
  return (key: string) => {
    const back = turned.delete(key);
    if (!back) turned.add(key);
    return back ? { from: HEADING.to, to: HEADING.from } : HEADING;
  };
}
const turn = turner();

const singles: Contest[] = [
  single(
    'read',
    all,
    READS,
    (backend, key) => backend.read(key),
    (db) => {
      const get = db.prepare('SELECT content, size, modified_at FROM items WHERE ns = ? AND key = ?');
      return (key) => void get.get(NS, key);
    },
  ),
  single(
    'write, durable',
    some,
    WRITES,
    (backend) => backend.write(fresh(), TEXT),
    (db) => {
      const put = upsert(db);
      return () => void put.run(NS, fresh(), TEXT.length, new Date().toISOString(), TEXT);
    },
  ),
  single(
    'edit, durable',
    some,
    WRITES,
    (backend, key) => {
      const { from, to } = turn(key);
      return backend.edit(key, from, to);
    },
    (db) => {
      const get = db
        .prepare<[string, string], string>('SELECT content FROM items WHERE ns = ? AND key = ?')
        .pluck();
      const put = upsert(db);
      return (key) => {
        const { from, to } = turn(key);
        const before = get.get(NS, key) ?? '';
        const after = before.replace(from, () => to);
        if (after === before) throw new Error(`${key} has no heading`);
        put.run(NS, key, Buffer.byteLength(after), new Date().toISOString(), after);
      };
    },
  ),
];

export const store: Part = [
  ...listings('store10k', { runs: 9 }),
  ...searches('store10k', { ratio: 1, stall: 16 }),
  ...listings('store100k', { runs: 9 }).map(({ steady: _, ...contest }) => contest),
  ...searches('store100k', { atMost: 20, stall: 16 }),
  ...singles,
];
