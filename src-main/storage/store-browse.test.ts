import { expect, it } from 'vitest';
import { foldText } from '../contract/shared/fold-text';
import { SqliteStore } from '../harness/storage/sqlite/store/store';
import { openStoreBrowse } from './store-browse';
import { temporaryDatabase } from './testing/fixtures';

const NS = ['memories'];
const agent = { by: 'agent', threadId: 't1', callId: 'c1' };

function setUp() {
  const db = temporaryDatabase();
  let now = 1;
  const store = new SqliteStore(db, { now: () => now++ });
  const browse = openStoreBrowse(db);
  const open = db.prepare<[], { n: number }>(
    'SELECT count(*) AS n FROM store_log WHERE seq > (SELECT indexed FROM store_state)',
  );
  return {
    unindexed: () => open.get()?.n,
    put: (key: string, content: string, author: object = { by: 'person' }) =>
      store.put(NS, key, { content, written_by: author }),
    putAll: (entries: [key: string, content: string][]) =>
      store.batch(entries.map(([key, content]) => ({ namespace: NS, key, value: { content } }))),
    remove: (key: string) => store.delete(NS, key),
    found: async (filter: Partial<Parameters<typeof browse.find>[1]>, offset = 0, limit = 10) => {
      const { items, total } = await browse.find([NS], { words: [], ...filter }, { offset, limit });
      return { keys: items.map(({ key }) => key), total };
    },
  };
}

it('finds items by all words, in path or text, in any case and script, most recently changed first', async () => {
  const t = setUp();
  await t.put('/tests.md', 'Run the TESTS with Node');
  await t.put('/color.md', 'Blau ist schön, ÜBERALL');
  await t.put('/zh.md', '请用中文回答问题');
  await t.put('/node/style.md', 'two spaces');
  expect(await t.found({ words: ['node'] })).toEqual({ keys: ['/node/style.md', '/tests.md'], total: 2 });
  expect(await t.found({ words: ['node', 'tests'] })).toEqual({ keys: ['/tests.md'], total: 1 });
  expect(await t.found({ words: ['überall'] })).toEqual({ keys: ['/color.md'], total: 1 });
  expect(await t.found({ words: ['中文回'] })).toEqual({ keys: ['/zh.md'], total: 1 });
  expect(await t.found({ words: ['ist'] })).toEqual({ keys: ['/color.md'], total: 1 });
  await t.put('/tests.md', 'nothing of it');
  expect(await t.found({ words: ['node', 'spaces'] })).toEqual({ keys: ['/node/style.md'], total: 1 });
  await t.remove('/node/style.md');
  expect(await t.found({ words: ['spaces'] })).toEqual({ keys: [], total: 0 });
});

it('finds a word in every way to write its letters, whether it is indexed or not', async () => {
  const t = setUp();
  await t.put('/istanbul.md', 'Flug nach İstanbul');
  await t.put('/dotless.md', 'ısparta');
  await t.put('/kelvin.md', 'in \u212aelvin');
  await t.put('/greek.md', 'ΟΔΟΣ');
  await t.put('/decomposed.md', 'Cafe\u0301 Zentral');
  await t.put('/plain.md', 'ISPARTA');
  const find = async (word: string) => (await t.found({ words: [foldText(word)] })).keys.sort();
  const all = async () => [
    await find('istanbul'),
    await find('İSTANBUL'),
    await find('isparta'),
    await find('kelvin'),
    await find('οδος'),
    await find('CAFÉ'),
  ];
  const expected = [
    ['/istanbul.md'],
    ['/istanbul.md'],
    ['/dotless.md', '/plain.md'],
    ['/kelvin.md'],
    ['/greek.md'],
    ['/decomposed.md'],
  ];
  expect(await all()).toEqual(expected);
  await t.putAll(Array.from({ length: 2_500 }, (_, at) => [`/m/${at}.md`, 'many']));
  expect(t.unindexed()).toBe(0);
  expect(await all()).toEqual(expected);
});

it('filters by author, place and time, and by unverified items', async () => {
  const t = setUp();
  await t.put('/mine.md', 'a');
  await t.put('/theirs.md', 'a', agent);
  await t.put('/doubtful.md', 'a', { ...agent, threadId: 't2', unverified: true });
  expect((await t.found({ by: 'person' })).keys).toEqual(['/mine.md']);
  expect((await t.found({ by: 'agent' })).keys).toEqual(['/doubtful.md', '/theirs.md']);
  expect((await t.found({ by: 'unverified' })).keys).toEqual(['/doubtful.md']);
  expect((await t.found({ threadId: 't1' })).keys).toEqual(['/theirs.md']);
  expect((await t.found({ since: 2 })).keys).toEqual(['/doubtful.md', '/theirs.md']);
  expect((await t.found({ projectId: 'none' })).keys).toEqual([]);
});

it('returns pages of many items, and finds the same whether they are indexed or not', async () => {
  const t = setUp();
  await t.putAll(
    Array.from({ length: 2_500 }, (_, at) => [`/m/${at}.md`, at % 2 === 0 ? 'Even number' : 'odd number']),
  );
  expect(await t.found({}, 2_498)).toEqual({ keys: ['/m/1.md', '/m/0.md'], total: 2_500 });
  expect(await t.found({ words: ['even'] }, 0, 2)).toEqual({
    keys: ['/m/2498.md', '/m/2496.md'],
    total: 1_250,
  });
});
