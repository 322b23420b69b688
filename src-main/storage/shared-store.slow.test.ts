import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidNamespaceError } from '@langchain/langgraph-checkpoint';
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { StoreBackend } from '../harness/backends';
import { describeBackend } from '../harness/backends/backend.contract';
import { PostgresTeamStore, type TeamStoreConfig } from '../harness/storage/postgres/postgres-store';
import { SqliteStore } from '../harness/storage/sqlite/store/store';
import { openDatabase } from './database/open';
import { temporaryFolder } from './testing/fixtures';
import { hasPostgres, type PostgresServer, startPostgres } from './testing/postgres';

/** Inside node_modules, so that the bundle finds its packages. */
const bundle = join(import.meta.dirname, `../../node_modules/.cache/deepdesk-shared-${process.pid}`);

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: join(import.meta.dirname, '../harness/backends/testing/child.ts'),
      outDir: bundle,
      target: 'node20',
    },
  });
}, 60_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

/** The output of another process until it exits successfully. */
async function runChild(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(bundle, 'child.js'), ...args], { stdio: 'pipe' });
  let said = '';
  let complaint = '';
  child.stdout.on('data', (data) => {
    said += String(data);
  });
  child.stderr.on('data', (data) => {
    complaint += String(data);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(complaint);
  return said;
}

/** Shown in the test names. */
const noPostgres = hasPostgres ? '' : ' (skipped: no Postgres is there for this system.)';

const words = (text: unknown) => String(text).split(' ').sort();
const TURNS = 40;
const allWords = ['a', 'b'].flatMap((name) => Array.from({ length: TURNS }, (_, turn) => `${name}${turn}`));

describe('one database and two processes', () => {
  it('loses no edit', async () => {
    const file = join(temporaryFolder(), 'deepdesk.sqlite');
    const opened = openDatabase(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    const backend = new StoreBackend({ store: new SqliteStore(opened.value.db), namespace: ['shared'] });
    await backend.write('/list.txt', 'END');
    const done = await Promise.all(['a', 'b'].map((name) => runChild('sqlite', file, name, String(TURNS))));
    expect(done).toEqual([String(TURNS), String(TURNS)]);
    expect(words((await backend.read('/list.txt')).content)).toEqual([...allWords, 'END'].sort());
    opened.value.db.close();
  }, 30_000);
});

describe.skipIf(!hasPostgres)(`on a real Postgres${noPostgres}`, () => {
  let server: PostgresServer;
  let at: Awaited<ReturnType<PostgresServer['database']>>;
  let official: PostgresStore;
  let team: PostgresTeamStore;
  const more: PostgresTeamStore[] = [];
  const another = (config: Partial<TeamStoreConfig> = {}) => {
    const store = new PostgresTeamStore({ connectionOptions: at, ...config });
    more.push(store);
    return store;
  };

  beforeAll(async () => {
    server = await startPostgres();
    at = await server.database();
    official = new PostgresStore({ connectionOptions: await server.database() });
    team = another();
  }, 60_000);
  afterAll(async () => {
    await official?.stop();
    for (const store of more) await store.stop();
    await server?.stop();
  });

  let spaces = 0;
  /** A namespace that no other test uses. */
  const fresh = (name = 'files') => {
    spaces += 1;
    return [name, String(spaces)];
  };

  describeBackend('StoreBackend on the official PostgresStore', async () => ({
    backend: new StoreBackend({ store: official, namespace: fresh() }),
  }));
  describeBackend('StoreBackend on PostgresTeamStore', async () => ({
    backend: new StoreBackend({ store: team, namespace: fresh('user_1@x.com') }),
  }));

  describe('both stores', () => {
    const stores = () => [official, team];
    const value = (content: string) => ({ content, created_at: 'then', modified_at: 'then' });
    const found = async (backend: StoreBackend) => ({
      ls: (await backend.ls('/')).files?.map((file) => file.path),
      glob: (await backend.glob('**/*')).files?.map((file) => file.path),
      grep: (await backend.grep('e')).matches?.map((match) => match.path),
      regex: (await backend.grep('e', '/', null, null, { regex: true })).matches?.map((match) => match.path),
    });

    it('show nothing of namespaces below their own, or of those that start with the same characters', async () => {
      for (const store of stores()) {
        const [name = '', number = ''] = fresh('exact');
        const of = (...labels: string[]) => new StoreBackend({ store, namespace: labels });
        await of(name, number).write('/x.txt', 'mine e');
        await of(name, number, 'b').write('/y.txt', 'below e');
        await of(name, `${number}b`).write('/z.txt', 'beside e');
        const only = ['/x.txt'];
        expect(await found(of(name, number))).toEqual({ ls: only, glob: only, grep: only, regex: only });
        expect((await of(name, number).delete('/y.txt')).kind).toBe('not_found');
        expect((await of(name, number, 'b').read('/y.txt')).content).toBe('below e');
      }
    });

    it('take keys with %, _, *, [ and \\ literally [H9]', async () => {
      for (const store of stores()) {
        const backend = new StoreBackend({ store, namespace: fresh() });
        const odd = ['/100%/a', '/100x/a', '/a_b/a', '/axb/a', '/[1]*/a', '/1/a', "/it's/a"];
        for (const path of odd) await backend.write(path, 'x');
        for (const folder of ['/100%', '/a_b', '/[1]*', "/it's"]) {
          expect((await backend.ls(folder)).files?.map((file) => file.path)).toEqual([`${folder}/a`]);
          expect((await backend.grep('x', folder)).matches).toHaveLength(1);
          expect((await backend.glob('*', folder)).files).toHaveLength(1);
          await backend.delete(folder);
        }
        expect((await backend.glob('**/*')).files?.map((file) => file.path)).toEqual([
          '/1/a',
          '/100x/a',
          '/axb/a',
        ]);
      }
    });

    it('page through more than a page holds, and delete it in one batch [H10, H11]', async () => {
      for (const store of stores()) {
        const namespace = fresh('many');
        const backend = new StoreBackend({ store, namespace });
        const puts = Array.from({ length: 2_100 }, (_, n) => ({
          namespace,
          key: `/d/${n}.txt`,
          value: value(`needle ${n}`),
        }));
        await store.batch(puts);
        await backend.write('/other.md', 'needle');
        expect((await backend.ls('/d')).total).toBe(2_100);
        expect((await backend.glob('*.txt')).files).toHaveLength(2_100);
        expect((await backend.glob('d/*77.txt')).files).toHaveLength(21);
        expect((await backend.grep('needle')).matches).toHaveLength(2_101);
        expect((await backend.delete('/d')).error).toBeUndefined();
        expect((await backend.ls('/')).files?.map((file) => file.path)).toEqual(['/other.md']);
      }
    }, 30_000);

    it('read lines of the older format, skip items that are not files, and keep NUL and lone surrogates [H15]', async () => {
      for (const store of stores()) {
        const namespace = fresh();
        const backend = new StoreBackend({ store, namespace });
        await store.put(namespace, '/old.txt', {
          content: ['one', 'two'],
          created_at: 't',
          modified_at: 't',
        });
        await store.put(namespace, '/odd', { something: true });
        expect((await backend.write('/nul.txt', 'a\0b')).error).toBeUndefined();
        expect((await backend.write('/half.txt', 'a\ud800b')).error).toBeUndefined();
        expect((await backend.ls('/')).files?.map(({ path, size }) => [path, size])).toEqual([
          ['/half.txt', 5],
          ['/nul.txt', 3],
          ['/old.txt', 7],
        ]);
        expect((await backend.read('/nul.txt')).content).toEqual(new Uint8Array([97, 0, 98]));
        expect((await backend.read('/half.txt')).content).toBe('a\ufffdb');
        expect((await backend.grep('two')).matches).toEqual([{ path: '/old.txt', line: 2, text: 'two' }]);
      }
    });
  });

  it('loses no edit when two processes edit one file', async () => {
    const backend = new StoreBackend({ store: team, namespace: ['shared'] });
    await backend.write('/list.txt', 'END');
    const done = await Promise.all(
      ['a', 'b'].map((name) => runChild('postgres', JSON.stringify(at), name, String(TURNS))),
    );
    expect(done).toEqual([String(TURNS), String(TURNS)]);
    expect(words((await backend.read('/list.txt')).content)).toEqual([...allWords, 'END'].sort());
  }, 30_000);

  it('changes an item only if it has the expected value, and only for one of two writers', async () => {
    const namespace = fresh();
    const [one, two] = [team, another()];
    const tries = await Promise.all(
      [one, two].map((store, n) => store.compareAndPut(namespace, '/k', null, { n })),
    );
    expect(tries.filter((done) => done)).toHaveLength(1);
    const first = (await one.get(namespace, '/k'))?.value ?? {};
    const again = await Promise.all(
      [one, two].map((store, n) => store.compareAndPut(namespace, '/k', first, { n: n + 10 })),
    );
    expect(again.filter((done) => done)).toHaveLength(1);
    expect(await one.compareAndPut(namespace, '/k', first, null)).toBe(false);
    const last = (await one.get(namespace, '/k'))?.value ?? {};
    expect(await one.compareAndPut(namespace, '/k', last, null)).toBe(true);
    expect([await one.get(namespace, '/k'), await one.compareAndPut(namespace, '/k', null, null)]).toEqual([
      null,
      true,
    ]);
  });

  it('treats an expired item as absent when it changes one', async () => {
    const namespace = fresh();
    const old = { n: 1 };
    /** Each item expired long ago. */
    const expired = async () => {
      await team.put(namespace, '/k', old, false, { ttl: -1 });
      expect(await team.get(namespace, '/k')).toBeNull();
    };
    await expired();
    expect(await team.compareAndPut(namespace, '/k', old, { n: 2 })).toBe(false);
    expect(await team.compareAndPut(namespace, '/k', old, null)).toBe(false);
    expect(await team.compareAndPut(namespace, '/k', null, null)).toBe(true);
    expect(await team.compareAndPut(namespace, '/k', null, { n: 3 })).toBe(true);
    expect((await team.get(namespace, '/k'))?.value).toEqual({ n: 3 });
  });

  it('starts in an empty database with several processes at the same time', async () => {
    const connectionOptions = await server.database();
    const stores = [1, 2, 3, 4].map(() => another({ connectionOptions }));
    await Promise.all(stores.map((store, n) => store.put(['a'], String(n), { n })));
    expect(await stores[0]?.search(['a'])).toHaveLength(4);
  });

  it('creates nothing if it is not to ensure its tables', async () => {
    const connectionOptions = await server.database();
    const store = another({ connectionOptions, ensureTables: false });
    const calls = [
      () => store.search(['a']),
      () => store.listKeys(['a'], '/'),
      () => store.listChildren(['a'], '/'),
      () => store.searchText(['a'], 'x', 1),
      () => store.compareAndPut(['a'], 'k', null, {}),
      () => store.listNamespaces(),
      () => store.batch([{ namespace: ['a'], key: 'k', value: null }]),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow('"public.store" does not exist');
    await another({ connectionOptions }).put(['a'], '/k', { content: 'x' });
    expect((await store.listKeys(['a'], '/')).map(({ key }) => key)).toEqual(['/k']);
  });

  it('accepts labels of any kind, keeps them apart, and shares plain ones with the official store', async () => {
    const mine = another({ connectionOptions: at, schema: 'labels' });
    const theirs = new PostgresStore({ connectionOptions: at, schema: 'labels' });
    const labels = [['a', 'b'], ['a:b'], ['a.b'], ['a_b'], ['a%'], ['=3a='], ['langgraph', 'é😀']];
    for (const label of labels) await mine.put(label, 'k', { label, kind: 'any' });
    for (const label of labels) {
      expect((await mine.get(label, 'k'))?.value).toEqual({ label, kind: 'any' });
      expect((await mine.search(label)).map((item) => item.namespace)).toEqual([label]);
    }
    expect((await mine.listNamespaces()).sort()).toEqual([...labels].sort());
    expect(await mine.listNamespaces({ prefix: ['*', 'b'] })).toEqual([['a', 'b']]);
    const filtered = await mine.search(['a'], { filter: { kind: 'any' } });
    expect(filtered.map((item) => item.namespace)).toEqual([['a', 'b']]);
    expect((await theirs.get(['a', 'b'], 'k'))?.value).toEqual({ label: ['a', 'b'], kind: 'any' });
    await theirs.stop();
  });

  it("takes pages and refuses namespaces as LangGraph's in-memory store does", async () => {
    const namespace = fresh();
    for (let n = 0; n < 12; n += 1) await team.put(namespace, `k${n}`, { n });
    const page = { limit: Number.POSITIVE_INFINITY, offset: 1.5 };
    for (const options of [page, { ...page, filter: { n: { $gte: 0 } } }])
      expect(await team.search(namespace, options)).toHaveLength(11);
    for (const unusable of [[], ['a', ''], [1]])
      await expect(team.put(unusable as string[], 'k', {})).rejects.toThrow(InvalidNamespaceError);
  });

  it('lists in byte order, whatever the collation of the database, in any page size', async () => {
    const namespace = fresh();
    const keys = ['/B', '/a.txt', '/a/x', '/a/y/z', '/a0', '/b', '/é/1', '/\uffee', '/😀'];
    const order = ['/B', '/a.txt', '/a/', '/a0', '/b', '/é/', '/\uffee', '/😀'];
    for (const key of keys) await team.put(namespace, key, { content: key, modified_at: 'then' });
    expect((await team.listKeys(namespace, '/')).map((one) => one.key)).toEqual(keys);
    const paged: string[] = [];
    for (let after = ''; ; after = paged.at(-1) ?? '') {
      const page = await team.listChildren(namespace, '/', { after, limit: 2 });
      paged.push(...page.map((one) => one.key));
      if (page.length < 2) break;
    }
    expect(paged).toEqual(order);
    expect((await team.listKeys(namespace, '/', { pieces: ['x', '.txt'] })).map((one) => one.key)).toEqual(
      [],
    );
    expect((await team.listKeys(namespace, '/', { pieces: ['.txt'] })).map((one) => one.key)).toEqual([
      '/a.txt',
    ]);
  });

  it('reports when the server is unavailable', async () => {
    const away = another({ connectionOptions: { ...at, host: '/nowhere' } });
    const backend = new StoreBackend({ store: away, namespace: ['files'] });
    const answers = await Promise.all([
      backend.read('/a'),
      backend.write('/a', 'x'),
      backend.ls('/'),
      backend.delete('/a'),
    ]);
    expect(answers.map((answer) => answer.kind)).toEqual(['storage', 'storage', 'storage', 'storage']);
  });
});
