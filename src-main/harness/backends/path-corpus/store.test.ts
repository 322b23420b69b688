import { type BaseStore, InMemoryStore } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';
import { temporaryDatabase } from '../../../storage/testing/fixtures';
import { SqliteStore } from '../../storage/sqlite/store/store';
import { CompositeBackend, StateBackend, StoreBackend } from '../index';
import type { BackendProtocol, FilesUpdate } from '../protocol';
import { fileDataReducer } from '../protocol';

const stores: Record<string, () => BaseStore> = {
  SqliteStore: () => new SqliteStore(temporaryDatabase()),
  InMemoryStore: () => new InMemoryStore(),
};
const paths = (listing: { files?: { path: string }[] }) => listing.files?.map((file) => file.path);

/** As in the app: memories are a route beside the thread's files. */
function mounted(store: BaseStore): { backend: BackendProtocol; memories: StoreBackend } {
  let files = fileDataReducer(undefined, undefined);
  const state = new StateBackend({
    files: {
      read: () => files,
      send: (update: FilesUpdate) => {
        files = fileDataReducer(files, update);
      },
    },
  });
  const memories = new StoreBackend({ store, namespace: ['memories'] });
  return { backend: new CompositeBackend(state, { '/memories/': memories }), memories };
}

describe.each(Object.entries(stores))('the path corpus on %s', (_, make) => {
  const bare = () => new StoreBackend({ store: make(), namespace: ['memories'] });

  /** Expects a file to be stored under exactly this name, seen by every tool, and changed and deleted without others. */
  async function expectLiteral(backend: BackendProtocol, path: string, beside: string): Promise<void> {
    for (const one of [path, beside]) {
      expect(await backend.read(one)).toMatchObject({ kind: 'not_found' });
      expect((await backend.write(one, `text of ${one.length}`)).path).toBe(one);
    }
    expect(new Set(paths(await backend.ls('/')))).toEqual(new Set([path, beside]));
    expect(new Set(paths(await backend.glob('**/*')))).toEqual(new Set([path, beside]));
    const found = await backend.grep('text of', path);
    expect(found.matches).toEqual([{ path, line: 1, text: `text of ${path.length}` }]);
    expect((await backend.edit(path, 'text', 'word')).occurrences).toBe(1);
    expect((await backend.delete?.(path))?.path).toBe(path);
    expect(paths(await backend.ls('/'))).toEqual([beside]);
  }

  it('keeps composed and decomposed names apart [P40]', () =>
    expectLiteral(bare(), '/\u00e9.md', '/e\u0301.md'));
  it('keeps similar Cyrillic and Latin letters apart [P41]', () =>
    expectLiteral(bare(), '/\u0430.md', '/a.md'));
  it('keeps a name with a right-to-left override [P43]', () =>
    expectLiteral(bare(), '/a\u202edm.exe', '/a.md'));
  it('keeps a name with a zero-width character [P44]', () => expectLiteral(bare(), '/a\u200b.md', '/a.md'));
  it('keeps a name with a newline [P47]', () => expectLiteral(bare(), '/two\nlines.md', '/two'));
  it('keeps a name with an escape sequence [P48]', () => expectLiteral(bare(), '/\u001b[2J.md', '/[2J.md'));
  it('keeps names that look like options [P49]', () => expectLiteral(bare(), '/-rf', '/--help'));
  it('keeps names apart that differ only in case [P51]', () =>
    expectLiteral(bare(), '/ReadMe.md', '/README.md'));
  it('keeps a tilde inside a name [P14]', () => expectLiteral(bare(), '/a~b', '/a'));
  it.each(['%', '_', '*', '?', '[a]', '{a,b}', "it's", '"', '$&', ':', 'nul.txt', 'f.'])(
    'keeps the name %j byte for byte [H9, P30, P31, P32]',
    async (name) => expectLiteral(bare(), `/${name}`, '/aa'),
  );

  it('does not confuse /MEMORIES/ with the memories [P52]', async () => {
    const { backend, memories } = mounted(make());
    await backend.write('/MEMORIES/x.md', 'scratch');
    expect(paths(await memories.ls('/'))).toEqual([]);
    expect((await backend.read('/memories/x.md')).kind).toBe('not_found');
  });

  it('lets no path lead out of the memories or into them [P126]', async () => {
    const { backend, memories } = mounted(make());
    await backend.write('/x', 'scratch');
    await memories.write('/y', 'memory');
    for (const path of [
      '/memories/../x',
      '/memories/a/../../x',
      '/a/../memories/y',
      '/memories/..',
      '/memories/..\\x',
    ]) {
      const answers = await Promise.all([
        backend.read(path),
        backend.readRaw(path),
        backend.write(path, 'new'),
        backend.edit(path, 'scratch', 'new'),
        backend.delete?.(path),
        backend.ls(path),
        backend.grep('m', path),
        backend.glob('*', path),
      ]);
      for (const answer of answers) expect(['denied', 'invalid']).toContain(answer?.kind);
    }
    expect((await backend.glob('../*', '/memories')).kind).toBe('denied');
    expect([(await backend.read('/x')).content, (await memories.read('/y')).content]).toEqual([
      'scratch',
      'memory',
    ]);
  });

  it('rejects a memory of 10 MB in every operation, and keeps the old content [P128]', async () => {
    const backend = bare();
    const large = 'x'.repeat(10 * 1024 * 1024);
    await backend.write('/a.md', 'kept');
    expect(await backend.write('/a.md', large)).toEqual({
      error: "'/a.md' is too large to be stored (at most 5242880 bytes).",
      kind: 'too_large',
    });
    expect((await backend.edit('/a.md', 'kept', large)).kind).toBe('too_large');
    expect(await backend.uploadFiles([['/a.md', new Uint8Array(10 * 1024 * 1024)]])).toEqual([
      { path: '/a.md', error: expect.any(String) },
    ]);
    expect((await backend.write('/new.md', large)).kind).toBe('too_large');
    expect((await backend.read('/a.md')).content).toBe('kept');
    expect(paths(await backend.ls('/'))).toEqual(['/a.md']);
  });
});

describe('the path corpus on SqliteStore', () => {
  it('deletes a subtree in one change that succeeds or fails as a whole [H10]', async () => {
    const db = temporaryDatabase();
    const backend = new StoreBackend({ store: new SqliteStore(db), namespace: ['memories'] });
    for (const path of ['/d/a', '/d/b', '/d/c']) await backend.write(path, 'x');
    db.exec(`CREATE TRIGGER refuse BEFORE UPDATE ON store_items WHEN new.key = '/d/b' AND new.live = 0
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    expect((await backend.delete('/d')).kind).toBe('storage');
    expect(paths(await backend.ls('/d'))).toEqual(['/d/a', '/d/b', '/d/c']);
    db.exec('DROP TRIGGER refuse');
    expect((await backend.delete('/d')).error).toBeUndefined();
    expect(paths(await backend.ls('/'))).toEqual([]);
  });

  it('pages through a listing of thousands of files and folders [H11]', async () => {
    const store = new SqliteStore(temporaryDatabase());
    const backend = new StoreBackend({ store, namespace: ['memories'] });
    const names = Array.from(
      { length: 2_500 },
      (_, n) => `/${String(n).padStart(4, '0')}${n % 2 ? '/deep' : ''}`,
    );
    await store.batch(names.map((key) => ({ namespace: ['memories'], key, value: { content: 'x' } })));
    const listed = await backend.ls('/');
    expect(listed.total).toBe(2_500);
    expect(paths(listed)).toEqual(names.map((name) => name.replace('/deep', '/')));
    const page = await backend.ls('/', { offset: 2_400, limit: 1_000 });
    expect([page.files?.length, page.truncated]).toEqual([100, undefined]);
  });

  it('skips items that are not files, and says so when one is requested [H15]', async () => {
    const store = new SqliteStore(temporaryDatabase());
    const backend = new StoreBackend({ store, namespace: ['memories'] });
    await store.put(['memories'], '/odd', { something: true });
    await store.put(['memories'], '/wrong', { content: 7 });
    await store.put(['memories'], '/old.md', { content: ['one', 'two'] });
    expect((await backend.ls('/')).files?.map(({ path, size }) => [path, size])).toEqual([['/old.md', 7]]);
    expect(paths(await backend.glob('**/*'))).toEqual(['/old.md']);
    expect((await backend.read('/odd')).kind).toBe('not_found');
    expect((await backend.read('/old.md', 1)).content).toBe('two');
    // A file may replace it.
    expect((await backend.write('/odd', 'text')).error).toBeUndefined();
    expect((await backend.read('/odd')).content).toBe('text');
  });
});
