import { Embeddings } from '@langchain/core/embeddings';
import { type BaseStore, type IndexConfig, InMemoryStore } from '@langchain/langgraph-checkpoint';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../../../../../src-renderer/i18n/errors';
import type { Db } from '../../../../base/sqlite/db';
import { CallId, ThreadId } from '../../../../contract/ids';
import { optional } from '../../../../contract/shared/optional';
import { openDatabase } from '../../../../storage/database/open';
import { migrations } from '../../../../storage/migrations';
import { first } from '../../../../storage/migrations/001-first';
import { temporaryDatabase, temporaryFolder } from '../../../../storage/testing/fixtures';
import { StoreBackend } from '../../../backends';
import { SqliteStore } from './store';
import { openStoreTables } from './store-tables';

const ns = ['memories'];
const keysOf = (found: { key: string }[]) => found.map((one) => one.key);

/** Counts a few words. Texts with the same proportion are near. */
class CountingEmbeddings extends Embeddings {
  readonly asked: string[][] = [];

  constructor(private readonly words: string[]) {
    super({});
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    this.asked.push(documents);
    return documents.map((text) => this.words.map((word) => text.split(word).length - 1));
  }

  async embedQuery(document: string): Promise<number[]> {
    const [vector = []] = await this.embedDocuments([document]);
    return vector;
  }
}

const words = ['tea', 'coffee', 'rain'];
const config = (fields?: string[]): IndexConfig => ({
  dims: words.length,
  embeddings: new CountingEmbeddings(words),
  ...optional({ fields }),
});

describe('search with an embedding model', () => {
  it("matches LangGraph's in-memory store", async () => {
    const play = async (store: BaseStore) => {
      const put = (key: string, text: string, more: object = {}) => store.put(ns, key, { text, ...more });
      await put('drinks', 'tea tea coffee', { kind: 'a' });
      await put('weather', 'rain rain rain', { kind: 'b' });
      await put('both', 'tea rain', { kind: 'b', notes: ['coffee coffee', 'rain'] });
      await store.put(ns, 'hidden', { text: 'tea' }, false);
      await store.put(['memories', 'below'], 'deep', { text: 'tea tea tea coffee' });
      await store.put(['other'], 'x', { text: 'tea' });
      await put('changed', 'rain');
      await put('changed', 'coffee');
      await put('gone', 'tea');
      await store.delete(ns, 'gone');
      const search = async (...args: Parameters<BaseStore['search']>) =>
        (await store.search(...args)).map(({ key, score }) => [key, score?.toFixed(4)]);
      return [
        await search(ns, { query: 'tea', limit: 3 }),
        await search(ns, { query: 'coffee', limit: 2, offset: 1 }),
        await search(ns, { query: 'rain', filter: { kind: 'b' }, limit: 2 }),
        await search(ns, { query: 'tea', limit: 10 }),
        keysOf(await store.search(ns, { limit: 3 })),
      ];
    };
    for (const fields of [['text'], ['text', 'notes[*]'], ['notes[-1]', 'text'], undefined]) {
      const ours = new SqliteStore(temporaryDatabase(), { index: config(fields) });
      expect(await play(ours)).toEqual(await play(new InMemoryStore({ index: config(fields) })));
    }
  });

  it('calls the model once per batch, keeps the vectors, and changes nothing if the model fails', async () => {
    const db = temporaryDatabase();
    const embeddings = new CountingEmbeddings(words);
    const store = new SqliteStore(db, { index: { dims: words.length, embeddings, fields: ['content'] } });
    await store.batch(
      ['tea', 'coffee'].map((content) => ({ namespace: ns, key: `/${content}`, value: { content } })),
    );
    expect(embeddings.asked).toEqual([['tea', 'coffee']]);
    const again = new SqliteStore(db, { index: config(['content']) });
    expect(keysOf(await again.search(ns, { query: 'coffee', limit: 1 }))).toEqual(['/coffee']);
    const wrong = new SqliteStore(db, { index: { dims: 7, embeddings } });
    await expect(wrong.put(ns, '/tea', { content: 'rain' })).rejects.toThrow('3 dimensions');
    expect((await again.get(ns, '/tea'))?.value).toEqual({ content: 'tea' });
  });

  it('keeps vectors of files that a backend writes and edits', async () => {
    const store = new SqliteStore(temporaryDatabase(), { index: config(['content']) });
    const backend = new StoreBackend({ store, namespace: ns });
    await backend.write('/a.md', 'tea');
    await backend.write('/b.md', 'rain');
    await Promise.all([backend.edit('/a.md', 'tea', 'coffee'), backend.edit('/b.md', 'rain', 'tea')]);
    expect(keysOf(await store.search(ns, { query: 'coffee', limit: 1 }))).toEqual(['/a.md']);
    expect(keysOf(await store.search(ns, { query: 'tea', limit: 1 }))).toEqual(['/b.md']);
  });
});

describe('search without an embedding model', () => {
  it('finds words case-insensitively, with the most matches first', async () => {
    let time = 0;
    const store = new SqliteStore(temporaryDatabase(), { now: () => ++time });
    for (const [key, content] of Object.entries({ a: 'Green tea', b: 'black TEA and milk', c: 'coffee' }))
      await store.put(ns, key, { content, kind: key });
    expect(keysOf(await store.search(ns, { query: 'tea, milk?' }))).toEqual(['b', 'a']);
    expect(keysOf(await store.search(ns, { query: 'TEA' }))).toEqual(['b', 'a']);
    expect(keysOf(await store.search(ns, { query: 'tea', filter: { kind: 'a' } }))).toEqual(['a']);
    expect(keysOf(await store.search(ns, { query: 'tea', limit: 1, offset: 1 }))).toEqual(['a']);
    expect(keysOf(await store.search(ns, { query: 'zzz' }))).toEqual([]);
    expect(keysOf(await store.search(ns, { query: ' ' }))).toEqual(['a', 'b', 'c']);
  });
});

describe('texts indexed some writes later', () => {
  const content = fc.stringMatching(/^[ab c"\\\n中😀]{0,12}$/u);
  const step = fc.oneof(
    fc.record({ key: fc.nat(90), content }),
    fc.record({ key: fc.nat(90), content: fc.constant(null) }),
  );

  it('are found as in a full scan after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 50, maxLength: 200 }),
        fc.array(fc.stringMatching(/^[ab c"\\中😀]{1,4}$/u), { minLength: 3, maxLength: 3 }),
        async (steps, literals) => {
          const db = temporaryDatabase();
          const store = new SqliteStore(db);
          const plain = new Map<string, string>();
          for (const { key, content } of steps) {
            const name = `/${key}`;
            if (content === null) {
              await store.delete(ns, name);
              plain.delete(name);
            } else {
              await store.put(ns, name, { content });
              plain.set(name, content);
            }
          }
          for (const literal of literals) {
            const expected = [...plain].filter(([, text]) => text.includes(literal)).map(([key]) => key);
            expect(keysOf(await store.searchText(ns, literal, 1_000))).toEqual(expected.sort());
          }
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);

  it('are indexed once writes pause, by the process that wrote or searches', async () => {
    const db = temporaryDatabase();
    const waiting = () => openStoreTables(db).countPending();
    const store = new SqliteStore(db);
    await store.batch(
      Array.from({ length: 3_000 }, (_, n) => ({
        namespace: ns,
        key: `/${n}`,
        value: { content: `text ${n}` },
      })),
    );
    expect(waiting()).toBe(0);
    for (let n = 0; n < 64; n += 1) await store.put(ns, `/more${n}`, { content: 'more' });
    expect(waiting()).toBe(64);
    expect((await store.searchText(ns, 'more', 99)).length).toBe(64);
    await vi.waitFor(() => expect(waiting()).toBe(0));
    await store.put(ns, '/7', { content: 'other' });
    expect(keysOf(await store.searchText(ns, 'text 77', 99))).toEqual(
      ['/77', ...Array.from({ length: 10 }, (_, n) => `/77${n}`)].sort(),
    );
    expect(keysOf(await store.searchText(ns, 'other', 99))).toEqual(['/7']);
  });

  it('stay in every search while another process writes', async () => {
    const file = `${temporaryFolder()}/d.sqlite`;
    const [one, other] = [openDatabase(file), openDatabase(file)];
    if (!one.ok || !other.ok) throw new Error('not opened');
    const store = new SqliteStore(one.value.db);
    await store.put(ns, '/a', { content: 'needle' });
    other.value.db.exec('BEGIN IMMEDIATE');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await store.searchText(ns, 'needle', 9);
      vi.advanceTimersByTime(1_000);
    } finally {
      vi.useRealTimers();
    }
    expect(openStoreTables(one.value.db).countPending()).toBe(1);
    expect(keysOf(await store.searchText(ns, 'needle', 9))).toEqual(['/a']);
    other.value.db.exec('COMMIT');
    await vi.waitFor(() => expect(openStoreTables(one.value.db).countPending()).toBe(0));
    one.value.db.close();
    other.value.db.close();
  });
});

describe('a search with many hits', () => {
  let store: SqliteStore;
  beforeEach(async () => {
    store = new SqliteStore(temporaryDatabase());
    await store.batch(
      Array.from({ length: 12_000 }, (_, n) => ({
        namespace: n % 2 === 0 ? ns : ['other'],
        key: `/d${n % 7}/${String(n).padStart(5, '0')}.md`,
        value: { content: `text ${n} ${n % 6 === 0 ? 'sixth' : ''} ${n % 4_000 === 0 ? 'rare' : ''}` },
      })),
    );
  }, 30_000);

  it('finds the same with every strategy and page size', async () => {
    for (const [literal, count] of Object.entries({ rare: 3, sixth: 2_000, text: 6_000, x: 6_000 })) {
      const paged: string[] = [];
      for (let after: string | undefined; ; after = paged.at(-1)) {
        const page = await store.searchText(ns, literal, 1_500, after === undefined ? {} : { after });
        paged.push(...keysOf(page));
        if (page.length < 1_500) break;
      }
      expect([literal, paged.length]).toEqual([literal, count]);
      expect(paged).toEqual([...new Set(paged)].sort());
    }
    const some = await store.searchText(ns, 'sixth', 9_999, { prefix: '/d3/' });
    expect(some.length).toBe(286);
  });

  it('finds items that are not indexed yet, and no deleted ones', async () => {
    await store.put(ns, '/d3/a.md', { content: 'a sixth that is new' });
    await store.delete(ns, '/d3/00024.md');
    await store.put(ns, '/d6/00006.md', { content: 'no more' });
    const found = keysOf(await store.searchText(ns, 'sixth', 9_999));
    expect(found.length).toBe(1_999);
    expect(found).toContain('/d3/a.md');
    expect(found).not.toContain('/d3/00024.md');
    expect(found).not.toContain('/d6/00006.md');
    expect(keysOf(await store.searchText(ns, 'sixth', 1, { prefix: '/d3/', after: '/d3/11994.md' }))).toEqual(
      ['/d3/a.md'],
    );
  });

  it('lists by pieces of keys', async () => {
    const found = await store.listKeys(ns, '/d', { pieces: ['00', '8.md'] });
    expect(keysOf(found)).toEqual(
      keysOf(await store.listKeys(ns, '/')).filter((key) => /^\/d.*00.*8\.md$/.test(key)),
    );
    expect(found.length).toBeGreaterThan(20);
  });
});

describe('a database from before the version log', () => {
  it('keeps items, versions, authors, vectors and what is still to be indexed', async () => {
    const file = `${temporaryFolder()}/d.sqlite`;
    const old = openDatabase(file, { migrations: migrations.slice(0, 8) });
    if (!old.ok) throw new Error(inEnglish(old.error));
    const { db } = old.value;
    const item = db.prepare(
      `INSERT INTO store_items (id, ns, key, version, live, content_size, modified_at, indexed, created_at, updated_at)
       VALUES (?, '["memories"]', ?, ?, ?, 4, 'm', ?, 1, ?)`,
    );
    const version = db.prepare(
      'INSERT INTO store_versions (item, version, at, size, author, thread_id, call_id, value) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const value = (content: string) => JSON.stringify({ content });
    item.run(3, '/twice', 2, 1, 1, 20);
    version.run(3, 1, 10, 100, 'agent', 't1', 'c1', value('first needle'));
    version.run(3, 2, 20, 100, 'person', null, null, value('second needle'));
    item.run(7, '/gone', 2, 0, 1, 12);
    version.run(7, 1, 11, 100, null, null, null, value('gone needle'));
    version.run(7, 2, 12, 0, null, null, null, null);
    item.run(9, '/waits', 1, 1, 0, 5);
    version.run(9, 1, 5, 100, null, null, null, value('waiting needle'));
    db.prepare('INSERT INTO store_text (rowid, text) VALUES (?, ?)').run(3, 'second needle');
    db.prepare('INSERT INTO store_vectors (item, part, vector) VALUES (3, 0, ?)').run(
      new Uint8Array(Float32Array.of(1, 0, 0).buffer),
    );
    db.close();
    const opened = openDatabase(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    const store = new SqliteStore(opened.value.db, { index: config(['content']) });
    expect(opened.value.db.pragma('foreign_key_check')).toEqual([]);
    expect(openStoreTables(opened.value.db).countPending()).toBe(1);
    expect(keysOf(await store.searchText(ns, 'needle', 9))).toEqual(['/twice', '/waits']);
    expect(keysOf(await store.search(ns, { query: 'tea', limit: 1 }))).toEqual(['/twice']);
    expect(
      (await store.versions(ns, '/twice')).map(({ version, at, value }) => [version, at, value?.content]),
    ).toEqual([
      [2, 20, 'second needle'],
      [1, 10, 'first needle'],
    ]);
    const [t1, c1] = [ThreadId.parse('t1'), CallId.parse('c1')];
    expect(await store.writtenBy(t1, c1)).toEqual([{ namespace: ns, key: '/twice', version: 1 }]);
    expect((await store.restore(ns, '/gone', 1))?.value).toEqual({ content: 'gone needle' });
    await store.put(ns, '/new', { content: 'new needle' });
    await vi.waitFor(() => expect(openStoreTables(opened.value.db).countPending()).toBe(0));
    expect(keysOf(await store.searchText(ns, 'needle', 9))).toEqual(['/gone', '/new', '/twice', '/waits']);
    expect(keysOf(await store.search(ns))).toEqual(['/twice', '/gone', '/waits', '/new']);
    store.prune(0);
    expect((await store.versions(ns, '/twice')).map((one) => one.version)).toEqual([2]);
    opened.value.db.close();
  });
});

describe('a database of the first version', () => {
  it('can be listed and searched as before', async () => {
    const file = `${temporaryFolder()}/d.sqlite`;
    const old = openDatabase(file, { migrations: [first] });
    if (!old.ok) throw new Error(inEnglish(old.error));
    fill(old.value.db);
    old.value.db.close();
    const opened = openDatabase(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    const store = new SqliteStore(opened.value.db);
    expect(await store.listKeys(ns, '/')).toEqual([
      { key: '/b.dat', size: 3, modified_at: 'm' },
      { key: '/large', size: 9, modified_at: 'm' },
      { key: '/text', size: 11, modified_at: 'm' },
    ]);
    expect(keysOf(await store.searchText(ns, 'text', 9))).toEqual(['/large', '/text']);
    opened.value.db.close();
  });

  function fill(db: Db): void {
    const add = (id: number, key: string, value: object, size: number, indexed: number, text: string) => {
      db.prepare(
        `INSERT INTO store_items (id, ns, key, version, live, content_size, modified_at, indexed, created_at, updated_at)
         VALUES (?, '["memories"]', ?, 1, 1, ?, 'm', ?, 1, 1)`,
      ).run(id, key, size, indexed);
      db.prepare('INSERT INTO store_versions (item, version, at, size, value) VALUES (?, 1, 1, 1, ?)').run(
        id,
        JSON.stringify(value),
      );
      if (indexed === 1) db.prepare('INSERT INTO store_text (rowid, text) VALUES (?, ?)').run(id, text);
    };
    add(1, '/text', { content: 'some text..' }, 11, 1, 'some text..');
    add(2, '/large', { content: 'also text' }, 9, 0, '');
    add(3, '/b.dat', { content: 'AAEC', encoding: 'base64' }, 0, 1, '');
    add(4, '/odd', { something: true }, 0, 1, '');
  }
});
