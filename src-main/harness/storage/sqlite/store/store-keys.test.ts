import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inEnglish } from '../../../../../src-renderer/i18n/errors';
import type { Db } from '../../../../base/sqlite/db';
import { encodeNamespace } from '../../../../base/sqlite/store-namespaces';
import { openDatabase } from '../../../../storage/database/open';
import { temporaryFolder } from '../../../../storage/testing/fixtures';
import { SqliteStore } from './store';
import { openStoreKeys } from './store-keys';

const NS = ['memories'];
const ns = encodeNamespace(NS);
const all = { ns, prefix: '', after: null };

const open: Db[] = [];
let file: string;
let store: SqliteStore;
let keys: ReturnType<typeof openStoreKeys>;

function database(): Db {
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  open.push(opened.value.db);
  return opened.value.db;
}

const put = (key: string, of = store) => of.put(NS, key, { content: key, modified_at: 'm' });
const found = (pieces: string[], range: { prefix?: string; after?: string | null } = {}) =>
  keys.find({ ...all, ...range }, pieces, 9_999)?.rows.map(({ key }) => key);

async function known(): Promise<void> {
  keys.looked(ns);
  await vi.waitFor(() => expect(keys.find(all, ['x'], 1)).not.toBe(null));
}

beforeEach(() => {
  file = `${temporaryFolder()}/d.sqlite`;
  const db = database();
  store = new SqliteStore(db);
  keys = openStoreKeys(db);
});
afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

describe('keys in memory', () => {
  it('are known only after a scan of the namespace', async () => {
    await put('/a.md');
    expect(found(['.md'])).toBe(undefined);
    await known();
    expect(keys.find(all, ['.md'], 9)).toEqual({
      rows: [{ key: '/a.md', size: 5, modified_at: 'm' }],
      last: null,
    });
  });

  it('follow writes and deletes of this and other processes, in this namespace only', async () => {
    await put('/a.md');
    await put('/b.md');
    await known();
    await put('/0.md', new SqliteStore(database()));
    await put('/ab.md');
    await store.put(NS, '/no-file.md', { something: true });
    await store.put(['memories', 'below'], '/c.md', { content: '' });
    await store.delete(NS, '/a.md');
    expect(found(['.md'])).toEqual(['/0.md', '/ab.md', '/b.md']);
    await put('/a.md');
    expect(found(['.md'])).toEqual(['/0.md', '/a.md', '/ab.md', '/b.md']);
  });

  it('are read again after too many changes', async () => {
    await put('/a.md');
    await known();
    await store.batch(
      Array.from({ length: 1_500 }, (_, n) => ({
        namespace: NS,
        key: `/n${n}.md`,
        value: { content: '' },
      })),
    );
    expect(found(['.md'])).toBe(undefined);
    await known();
    expect(found(['.md'])?.length).toBe(1_501);
  });

  it('report where a search stopped that found enough', async () => {
    for (const key of ['/a', '/b', '/c']) await put(key);
    await known();
    const page = keys.find(all, ['/', ''], 2);
    expect([page?.rows.length, page?.last]).toEqual([2, '/b']);
    expect(found(['/', ''], { after: '/b' })).toEqual(['/c']);
  });

  it('stay in order across several blocks, whatever is added or removed', async () => {
    const name = (n: number) => `/n${String(n).padStart(5, '0')}.md`;
    const many = (from: number, to: number, value: object | null) =>
      store.batch(
        Array.from({ length: to - from }, (_, n) => ({
          namespace: NS,
          key: name(from + n),
          value: value === null ? null : { ...value },
        })),
      );
    for (let from = 0; from < 5_000; from += 1_000) await many(from, from + 1_000, { content: '' });
    await known();
    expect(found(['77.md'])?.length).toBe(50);
    // Few enough to be followed one by one, and spread over all blocks. One block is removed entirely.
    await many(100, 1_000, null);
    expect(found(['77.md'])?.length).toBe(41);
    await many(1_000, 1_900, null);
    expect(found(['77.md'])?.length).toBe(32);
    await many(1_900, 2_100, null);
    await put('/n02050.md');
    expect(found(['77.md'])?.length).toBe(30);
    for (let from = 5_000; from < 9_500; from += 900) {
      await many(from, from + 900, { content: '' });
      expect(found(['x.md'])).toEqual([]);
    }
    const wanted = [...Array(95).keys()]
      .map((n) => name(n * 100 + 77))
      .filter((key) => key < '/n001' || key > '/n021');
    expect(found(['77.md'])).toEqual(wanted);
    expect(found(['50.md'], { prefix: '/n02', after: '/n01' })).toEqual(
      [...Array(10).keys()].map((n) => name(2_050 + n * 100)),
    );
    expect(keys.find(all, ['77.md'], 3)?.last).toBe(wanted[2]);
  });

  it('may contain line breaks', async () => {
    for (const key of ['/a\nb.md', '/c.md', '/\n.md']) await put(key);
    await known();
    expect(found(['b.md'])).toEqual(['/a\nb.md']);
    expect(found(['.md'])).toEqual(['/\n.md', '/a\nb.md', '/c.md']);
  });

  it('are not read inside a transaction that may be rolled back', async () => {
    const db = database();
    const others = openStoreKeys(db);
    await put('/a.md');
    db.exec('BEGIN');
    others.looked(ns);
    expect(others.find(all, ['.md'], 9)).toBe(null);
    db.exec('ROLLBACK');
    await vi.waitFor(() => expect(others.find(all, ['.md'], 9)?.rows.length).toBe(1));
  });

  it('match the same patterns as in SQLite, whatever their names', async () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', '/', '.', '\u{1F600}', '\uFFFD'),
      maxLength: 6,
    });
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '\u{1F600}'), maxLength: 2 });
    await known();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: name, isGone: fc.boolean() }), { maxLength: 12 }),
        piece,
        fc.array(piece, { minLength: 1, maxLength: 3 }),
        name,
        async (changes, prefix, pieces, after) => {
          for (const { key, isGone } of changes)
            if (isGone) await store.delete(NS, `/${key}`);
            else await put(`/${key}`);
          const pattern = [prefix, ...pieces].join('*');
          const wanted = open[0]
            ?.prepare<[string, string, string], string>(
              'SELECT key FROM store_items WHERE ns = ? AND key GLOB ? AND key > ? AND live = 1 ORDER BY key',
            )
            .pluck()
            .all(ns, pattern, after);
          expect(found(pieces, { prefix, after })).toEqual(wanted);
        },
      ),
      { numRuns: 100 },
    );
  });
});
