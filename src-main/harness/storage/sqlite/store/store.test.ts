import {
  type BaseStore,
  InMemoryStore,
  InvalidNamespaceError,
  type PutOperation,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../../base/sqlite/db';
import { CallId, ThreadId } from '../../../../contract/ids';
import { temporaryDatabase } from '../../../../storage/testing/fixtures';
import { SqliteStore } from './store';

let db: Db;
let store: SqliteStore;
let time: number;
beforeEach(() => {
  db = temporaryDatabase();
  time = 1_000;
  store = new SqliteStore(db, { now: () => time });
});

const ns = ['memories', 'me@x.com'];
const file = (content: string | string[], more: Record<string, unknown> = {}) => ({
  content,
  modified_at: '2026-01-01',
  ...more,
});
const keysOf = (found: { key: string }[]) => found.map((one) => one.key);

describe('SqliteStore as a LangGraph store', () => {
  it('matches the in-memory store', async () => {
    const play = async (one: BaseStore) => {
      const a = ['docs', 'a'];
      await one.put(a, 'x', { n: 1, tag: 'red' });
      await one.put(a, 'y', { n: 5, tag: 'blue' });
      await one.put(['docs', 'b', 'deep'], 'x', { n: 9, tag: 'red' });
      await one.put(['other'], 'z', { n: 3 });
      await one.put(a, 'x', { n: 2, tag: 'red' });
      const search = async (...args: Parameters<BaseStore['search']>) =>
        (await one.search(...args)).map(({ namespace, key, value }) => ({ namespace, key, value }));
      const answers: unknown[] = [
        (await one.get(a, 'x'))?.value,
        await one.get(a, 'absent'),
        await search(['docs']),
        await search([]),
        await search(['docs'], { limit: 1, offset: 1 }),
        await search(['docs'], { filter: { tag: 'red' }, limit: 1, offset: 1 }),
        await search([], { filter: { n: { $gte: 3, $lt: 9 } } }),
        await search([], { filter: { n: { $in: [1, 2] }, tag: { $ne: 'blue' } } }),
        await one.listNamespaces(),
        await one.listNamespaces({ prefix: ['docs'], maxDepth: 2 }),
        await one.listNamespaces({ prefix: ['*', 'b'] }),
        await one.listNamespaces({ suffix: ['deep'], limit: 1 }),
        await one.listNamespaces({ offset: 1, limit: 1 }),
      ];
      await one.delete(a, 'x');
      await one.delete(a, 'absent');
      answers.push(await one.get(a, 'x'), await search(['docs', 'a']));
      const operations: [SearchOperation, PutOperation, PutOperation] = [
        { namespacePrefix: a },
        { namespace: a, key: 'new', value: { n: 6 } },
        { namespace: a, key: 'new', value: { n: 7 } },
      ];
      const [before] = await one.batch(operations);
      answers.push(keysOf(before), (await one.get(a, 'new'))?.value);
      return answers;
    };
    expect(await play(store)).toEqual(await play(new InMemoryStore()));
  });

  it('matches a prefix by whole labels', async () => {
    for (const namespace of [['a'], ['a', 'b'], ['ab'], ['a,"b'], ['a"']])
      await store.put(namespace, 'k', {});
    const found = await store.search(['a'], { limit: 100 });
    expect(found.map((one) => one.namespace)).toEqual([['a'], ['a', 'b']]);
  });

  it('keeps creation and change times of a key, and change times only increase', async () => {
    await store.put(ns, 'k', { n: 1 });
    time = 500;
    await store.put(ns, 'k', { n: 2 });
    const item = await store.get(ns, 'k');
    expect([item?.createdAt.getTime(), item?.updatedAt.getTime()]).toEqual([1_000, 1_001]);
    expect((await new SqliteStore(db).get(ns, 'k'))?.value).toEqual({ n: 2 });
  });

  it('refuses a namespace without labels and changes nothing in that batch', async () => {
    const batch = store.batch([
      { namespace: ns, key: 'k', value: {} },
      { namespace: [], key: 'k', value: {} },
    ]);
    await expect(batch).rejects.toThrow('label');
    expect(await store.get(ns, 'k')).toBe(null);
  });

  it.each([[[]], [['a', '']], [[1]]])(
    "refuses the namespace %j with LangGraph's error",
    async (namespace) => {
      for (const other of [store, new InMemoryStore()])
        await expect(other.put(namespace as string[], 'k', {})).rejects.toThrow(InvalidNamespaceError);
    },
  );

  it('refuses a value that is missing', async () => {
    await expect(store.put(ns, 'k', undefined as never)).rejects.toThrow('null to delete the item');
  });

  it.each([
    { limit: Number.POSITIVE_INFINITY },
    { limit: Number.POSITIVE_INFINITY, filter: { n: { $gte: 0 } } },
    { limit: Number.POSITIVE_INFINITY, query: 'word' },
    { limit: 12.9 },
    { limit: 2.5, offset: 1 },
    { limit: 0 },
  ])('searches a page of %o like the in-memory store', async (options) => {
    const memory = new InMemoryStore();
    for (let n = 0; n < 12; n += 1)
      for (const other of [store, memory])
        await other.put(['memories', 'me'], `k${n}`.padStart(4), { n, text: 'word' });
    const [ours, theirs] = await Promise.all(
      [store, memory].map((other) => other.search(['memories'], options)),
    );
    expect(ours).toHaveLength(theirs?.length ?? -1);
  });
});

describe('an atomic change', () => {
  it('gets the current value, puts, deletes or keeps it, and adds a version for each change', async () => {
    await store.put(ns, '/a', { n: 1 });
    await store.put(ns, '/d/b', file('below'));
    const seen = await store.change?.(ns, '/a', ({ value, isThere, isAnyBelow }) => ({
      value: { n: Number(value?.n) + 1 },
      around: [isThere('/a'), isThere('/d'), isAnyBelow('/d/'), isAnyBelow('/a/')],
    }));
    expect(seen?.around).toEqual([true, false, true, false]);
    await store.change?.(ns, '/new', ({ value }) => ({ value: { was: value } }));
    await store.change?.(ns, '/a', () => ({}));
    expect((await store.get(ns, '/a'))?.value).toEqual({ n: 2 });
    await store.change?.(ns, '/a', () => ({ value: null }));
    await store.change?.(ns, '/a', ({ value }) => ({ value: { again: value } }));
    expect((await store.versions(ns, '/a')).map((one) => one.value)).toEqual([
      { again: null },
      null,
      { n: 2 },
      { n: 1 },
    ]);
    expect((await store.versions(ns, '/new')).map((one) => one.value)).toEqual([{ was: null }]);
  });

  it('changes nothing if the callback throws', async () => {
    await store.put(ns, '/a', { n: 1 });
    const broken = store.change?.(ns, '/a', () => {
      throw new RangeError('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect((await store.versions(ns, '/a')).length).toBe(1);
    await store.put(ns, '/a', { n: 2 });
    expect((await store.get(ns, '/a'))?.value).toEqual({ n: 2 });
  });
});

describe('a listing', () => {
  beforeEach(async () => {
    for (const key of ['/a.txt', '/a/x', '/a/y/z', '/a0', '/b%_*[1]', '/b%', '/é/1', '/😀'])
      await store.put(ns, key, file(key));
    await store.put([...ns, 'below'], '/a/hidden', file(''));
  });

  it('returns keys by a literal prefix in pages, with sizes in bytes', async () => {
    expect(await store.listKeys(ns, '/b%')).toEqual([
      { key: '/b%', size: 3, modified_at: '2026-01-01' },
      { key: '/b%_*[1]', size: 8, modified_at: '2026-01-01' },
    ]);
    const first = await store.listKeys(ns, '/', { limit: 3 });
    expect(keysOf(first)).toEqual(['/a.txt', '/a/x', '/a/y/z']);
    expect(keysOf(await store.listKeys(ns, '/', { after: '/a/y/z' }))).toEqual([
      '/a0',
      '/b%',
      '/b%_*[1]',
      '/é/1',
      '/😀',
    ]);
    expect(await store.listKeys(['memories'], '/')).toEqual([]);
  });

  it('returns each folder once with any page size', async () => {
    const whole = await store.listChildren(ns, '/');
    expect(whole.map((one) => [one.key, one.isDirectory])).toEqual([
      ['/a.txt', false],
      ['/a/', true],
      ['/a0', false],
      ['/b%', false],
      ['/b%_*[1]', false],
      ['/é/', true],
      ['/😀', false],
    ]);
    const paged: typeof whole = [];
    for (let page = await store.listChildren(ns, '/', { limit: 2 }); page.length > 0; ) {
      paged.push(...page);
      page = await store.listChildren(ns, '/', { limit: 2, after: page.at(-1)?.key ?? '' });
    }
    expect(paged).toEqual(whole);
    expect(keysOf(await store.listChildren(ns, '/a/'))).toEqual(['/a/x', '/a/y/']);
  });

  it('skips a folder however much it contains', async () => {
    await store.batch(
      Array.from({ length: 1_000 }, (_, index) => ({ namespace: ns, key: `/m/${index}`, value: file('') })),
    );
    expect(keysOf(await store.listChildren(ns, '/', { after: '/b%_*[1]' }))).toEqual(['/m/', '/é/', '/😀']);
  });
});

describe('a text search', () => {
  const search = async (literal: string, limit = 100, options = {}) =>
    keysOf(await store.searchText(ns, literal, limit, options));

  it('is exact: case, punctuation, quotes, whitespace, any language', async () => {
    const texts: Record<string, string | string[]> = {
      '/1': 'The "Quick" fox OR NOT\nline two',
      '/2': 'the "quick" fox',
      '/3': ['in', 'lines'],
      '/4': '中文搜索 works 😀😀😀',
      '/5': 'abcxbcd',
      '/6': 'a\\b%c_d*',
    };
    for (const [key, content] of Object.entries(texts)) await store.put(ns, key, file(content));
    const asked = [
      '"Quick"',
      'quick',
      'OR NOT\nline',
      'n\nl',
      '中文搜',
      '文',
      '😀😀😀',
      'abcd',
      '\\b%',
      'c_d*',
      'zzz',
      'x',
    ];
    const found = Object.fromEntries(
      await Promise.all(asked.map(async (literal) => [literal, await search(literal)] as const)),
    );
    const expected = Object.fromEntries(
      asked.map((literal) => [
        literal,
        Object.keys(texts).filter((key) => [texts[key]].flat().join('\n').includes(literal)),
      ]),
    );
    expect(found).toEqual(expected);
  });

  it('finds current values in this namespace below the prefix, page by page', async () => {
    for (const key of ['/a/1', '/a/2', '/a/3', '/b/1']) await store.put(ns, key, file(`needle in ${key}`));
    await store.put([...ns, 'x'], '/a/9', file('needle'));
    await store.put(ns, '/a/2', file('gone'));
    await store.delete(ns, '/a/3');
    await store.put(ns, '/a/4', file('needle', { encoding: 'base64' }));
    expect(await search('needle')).toEqual(['/a/1', '/b/1']);
    expect(await search('needle', 1, { after: '/a/1' })).toEqual(['/b/1']);
    expect(await search('needle', 9, { prefix: '/b/' })).toEqual(['/b/1']);
    expect((await store.searchText(ns, 'needle', 1))[0]?.value).toEqual(file('needle in /a/1'));
  });

  it('finds contents too large for the index, and texts that nearly all items contain', async () => {
    await store.put(ns, '/large', file(`${'x'.repeat(300_000)} needle`));
    await store.batch(
      Array.from({ length: 2_500 }, (_, index) => ({
        namespace: ns,
        key: `/n/${index}`,
        value: file('common text'),
      })),
    );
    expect(await search('needle')).toEqual(['/large']);
    expect((await search('common', 10_000)).length).toBe(2_500);
    expect(await search('common', 2)).toEqual(['/n/0', '/n/1']);
  });
});

describe('versions', () => {
  const t1 = ThreadId.parse('t1');
  const call = CallId.parse('c1');

  it('are all kept with their authors, and any can be restored', async () => {
    const [one, two, three] = [
      file('one', { written_by: { by: 'person' } }),
      file('two', { written_by: { by: 'agent', threadId: 't1', callId: 'c1' } }),
      file('three'),
    ];
    for (const value of [one, two, three]) await store.put(ns, '/k', value);
    await store.delete(ns, '/k');
    expect(
      (await store.versions(ns, '/k')).map(({ version, author, value }) => ({ version, author, value })),
    ).toEqual([
      { version: 4, author: null, value: null },
      { version: 3, author: null, value: three },
      { version: 2, author: { by: 'agent', threadId: t1, callId: call }, value: two },
      { version: 1, author: { by: 'person' }, value: one },
    ]);
    expect(await store.writtenBy(t1, call)).toEqual([{ namespace: ns, key: '/k', version: 2 }]);
    expect(await store.restore(ns, '/k', 4)).toBe(null);
    expect((await store.restore(ns, '/k', 1))?.value).toEqual(one);
    expect((await store.get(ns, '/k'))?.value).toEqual(one);
    expect(keysOf(await store.searchText(ns, 'one', 9))).toEqual(['/k']);
  });

  it('are dropped beyond the budget, oldest first, but never the current one or the last deleted value', async () => {
    const text = 'x'.repeat(1_000);
    for (let n = 0; n < 5; n += 1) await store.put(ns, '/k', file(`${n}${text}`));
    await store.put(ns, '/gone', file(`first ${text}`));
    await store.put(ns, '/gone', file(`last ${text}`));
    await store.delete(ns, '/gone');
    store.prune(4_500);
    expect((await store.versions(ns, '/k')).map((one) => one.version)).toEqual([5, 4]);
    expect((await store.versions(ns, '/gone')).map((one) => one.version)).toEqual([3, 2, 1]);
    store.prune(0);
    expect((await store.versions(ns, '/k')).map((one) => one.version)).toEqual([5]);
    expect((await store.versions(ns, '/gone')).map((one) => one.version)).toEqual([3, 2]);
  });
});
