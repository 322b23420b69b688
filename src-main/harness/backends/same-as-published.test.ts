// Runs the same program on the published package and on ours.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  Annotation,
  Command,
  END,
  MessagesAnnotation,
  START,
  StateGraph,
  StateSchema,
} from '@langchain/langgraph';
import { BaseStore, InMemoryStore } from '@langchain/langgraph-checkpoint';
import type { BackendProtocolV2 } from 'deepagents';
import * as published from 'deepagents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filesValue } from '../agent/middleware/filesystem';
import { adaptBackendProtocol, adaptSandboxProtocol } from './adapt';
import { CompositeBackend } from './composite';
import { FilesystemBackend } from './filesystem';
import { BaseSandbox } from './sandbox/base-sandbox';
import { LocalShellBackend } from './shell/local-shell';
import { StateBackend } from './state';
import { StoreBackend } from './store/store';

const ours = {
  FilesystemBackend,
  adaptBackendProtocol,
  adaptSandboxProtocol,
  BaseSandbox,
  CompositeBackend,
  LocalShellBackend,
  StateBackend,
  StoreBackend,
};
type Library = typeof published;
const both: [string, Library][] = [
  ['the published package', published],
  ['ours', ours as unknown as Library],
];

/** Runs `work` as a node of a graph with the store. */
async function inRun(store: InMemoryStore, config: object, work: () => Promise<unknown>) {
  await new StateGraph(Annotation.Root({ done: Annotation<boolean>() }))
    .addNode('work', async () => {
      await work();
      return { done: true };
    })
    .addEdge(START, 'work')
    .addEdge('work', END)
    .compile({ store })
    .invoke({ done: false }, config);
}

const keysOf = async (store: InMemoryStore) =>
  (await store.search([])).map((item) => [...item.namespace, item.key]).sort();

describe.each(both)('a backend made with a runtime, of %s', (_name, library) => {
  it('keeps two tenants apart with its options', async () => {
    const store = new InMemoryStore();
    for (const tenant of ['anna', 'ben']) {
      const runtime = { state: {}, store };
      const backend = new library.StoreBackend(runtime, { namespace: [tenant, 'files'] });
      await backend.write('/a.txt', `of ${tenant}`);
    }
    expect(await keysOf(store)).toEqual([
      ['anna', 'files', '/a.txt'],
      ['ben', 'files', '/a.txt'],
    ]);
  });

  it('uses the assistant of the runtime, of its configuration, and of the run', async () => {
    const store = new InMemoryStore();
    const runtime = { state: {}, store, assistantId: 'first' } as never;
    await new library.StoreBackend(runtime).write('/a', 'x');
    const configured = { state: {}, store, config: { metadata: { assistant_id: 'second' } } } as never;
    await new library.StoreBackend(configured).write('/a', 'x');
    const backend = new library.StoreBackend();
    await inRun(store, { configurable: { assistant_id: 'third' } }, async () => backend.write('/a', 'x'));
    expect(await keysOf(store)).toEqual([
      ['first', 'filesystem', '/a'],
      ['second', 'filesystem', '/a'],
      ['third', 'filesystem', '/a'],
    ]);
  });

  it('passes the state and the configuration to a namespace factory', async () => {
    const store = new InMemoryStore();
    const namespace = ({ state, config }: { state: unknown; config?: { configurable?: object } }) => [
      (state as { user: string }).user,
      String(Reflect.get(config?.configurable ?? {}, 'place')),
    ];
    const runtime = { state: { user: 'anna' }, store, config: { configurable: { place: 'here' } } } as never;
    await new library.StoreBackend(runtime, { namespace } as never).write('/a', 'x');
    expect(await keysOf(store)).toEqual([['anna', 'here', '/a']]);
  });

  it('rejects an invalid namespace on creation', () => {
    for (const namespace of [[], ['a', '*'], ['']])
      expect(() => new library.StoreBackend({ namespace })).toThrow(/Namespace/);
  });

  it('returns state changes', async () => {
    const data = { content: 'old', mimeType: 'text/plain', created_at: 'then', modified_at: 'then' };
    const runtime = { state: { files: { '/a.txt': data } } } as never;
    const backend = new library.StateBackend(runtime, { fileFormat: 'v1' });
    expect(await backend.read('/a.txt')).toMatchObject({ content: 'old' });
    const { filesUpdate } = await backend.write('/b.txt', 'one\ntwo');
    expect(filesUpdate?.['/b.txt']?.content).toEqual(['one', 'two']);
    const edited = await new library.StateBackend(runtime).edit('/a.txt', 'old', 'new');
    expect(edited.filesUpdate?.['/a.txt']?.content).toBe('new');
    expect((await new library.StateBackend(runtime).delete('/a.txt')).filesUpdate).toEqual({
      '/a.txt': null,
    });
  });

  it('stores lines for older programs', async () => {
    const store = new InMemoryStore();
    const backend = new library.StoreBackend({ store, namespace: ['old'], fileFormat: 'v1' });
    await backend.write('/a.txt', 'one\ntwo');
    const value = (await store.get(['old'], '/a.txt'))?.value;
    expect(value?.content).toEqual(['one', 'two']);
    expect((await backend.read('/a.txt')).content).toBe('one\ntwo');
  });
});

const TEXTS = {
  '/a.json': '{"a": [1, 2]}\n',
  '/b.js': 'export const b = 1;\n',
  '/c.mjs': 'import "./b.js";\n',
  '/d.cjs': 'module.exports = 4;\n',
  '/e.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  '/f.md': '# F\n',
  '/g.html': '<p>g</p>\n',
  '/h': 'no extension\n',
};
const BYTES = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255, 254]);

const pairs: [string, Library, Library][] = [
  ['the published package wrote, ours', published, ours as unknown as Library],
  ['ours wrote, the published package', ours as unknown as Library, published],
];

describe.each(pairs)('what %s', (_name, writer, reader) => {
  /** Everything that both can return about the files of a backend. */
  async function readAll(backend: InstanceType<Library['StoreBackend']>) {
    const read: Record<string, unknown> = {};
    for (const path of Object.keys(TEXTS)) {
      const { content } = (await backend.readRaw(path)).data ?? {};
      const page = (await backend.read(path)).content;
      // The last line break does not start another line in our pages.
      read[path] = page === content || `${String(page)}\n` === content ? content : page;
    }
    const [image] = await backend.downloadFiles(['/i.png']);
    return { read, image: image?.content, bytes: (await backend.read('/i.png')).content };
  }
  const expected = { read: TEXTS, image: BYTES, bytes: BYTES };
  const fill = async (backend: InstanceType<Library['StoreBackend']>) => {
    for (const [path, text] of Object.entries(TEXTS)) await backend.write(path, text);
    await backend.uploadFiles([['/i.png', BYTES]]);
  };

  it('reads from a store', async () => {
    const store = new InMemoryStore();
    await fill(new writer.StoreBackend({ store, namespace: ['shared'] }));
    expect(await readAll(new reader.StoreBackend({ store, namespace: ['shared'] }))).toEqual(expected);
    const found = await new reader.StoreBackend({ store, namespace: ['shared'] }).grep('export');
    expect(found.matches?.map((match) => match.path)).toEqual(['/b.js', '/d.cjs']);
  });

  it('reads from a thread', async () => {
    const State = Annotation.Root({
      ...MessagesAnnotation.spec,
      files: Annotation<Record<string, unknown>>({
        reducer: (a, b) => ({ ...a, ...b }),
        default: () => ({}),
      }),
    });
    let answered: unknown;
    await new StateGraph(State)
      .addNode('write', async () => {
        await fill(new writer.StateBackend() as never);
        return {};
      })
      .addNode('read', async () => {
        answered = await readAll(new reader.StateBackend() as never);
        return {};
      })
      .addEdge(START, 'write')
      .addEdge('write', 'read')
      .addEdge('read', END)
      .compile()
      .invoke({ messages: [] });
    expect(answered).toEqual(expected);
  });
});

/** A backend of the first protocol: it returns lists, and has `error: null` where there is none. */
const firstProtocol = () => {
  const files = new Map([['/a.md', 'hello']]);
  const data = (content: string) => ({ content: content.split('\n'), created_at: '', modified_at: '' });
  return {
    lsInfo: async () => [...files.keys()].map((path) => ({ path, is_dir: false })),
    read: async (path: string) => `     1\t${files.get(path)}`,
    readRaw: async (path: string) => data(files.get(path) ?? ''),
    write: async (path: string, content: string) => {
      files.set(path, content);
      return { path, error: null, filesUpdate: null };
    },
    edit: async (path: string, from: string, to: string) => {
      files.set(path, (files.get(path) ?? '').replace(from, to));
      return { path, error: null, filesUpdate: null, occurrences: 1 };
    },
    grepRaw: async (pattern: string) =>
      [...files].flatMap(([path, text]) => (text.includes(pattern) ? [{ path, line: 1, text }] : [])),
    globInfo: async () => [...files.keys()].map((path) => ({ path })),
  };
};

describe.each(both)('backends of the first protocol, in %s', (_name, library) => {
  const pathsOf = (files: readonly { path: string }[] = []) => files.map(({ path }) => path).sort();

  it('are routes of a composite, and its default', async () => {
    const old = firstProtocol() as never;
    const tree = new library.CompositeBackend(firstProtocol() as never, { '/old/': old });
    expect((await tree.write('/old/b.md', 'goodbye')).error ?? undefined).toBeUndefined();
    expect((await tree.edit('/old/b.md', 'bye', ' night')).error ?? undefined).toBeUndefined();
    expect(pathsOf((await tree.ls('/old/')).files)).toEqual(['/old/a.md', '/old/b.md']);
    expect(pathsOf((await tree.glob('*.md', '/old/')).files)).toEqual(['/old/a.md', '/old/b.md']);
    expect((await tree.grep('good', '/old/')).matches).toEqual([
      { path: '/old/b.md', line: 1, text: 'good night' },
    ]);
    expect((await tree.read('/old/b.md')).content).toMatch(/good night$|goodbye/);
    expect((await tree.read('/a.md')).content).toMatch(/hello$/);
  });

  it('have no error if it is null', async () => {
    const tree = new library.CompositeBackend(new library.StateBackend({ state: {} } as never), {
      '/old/': firstProtocol() as never,
    });
    expect(await tree.edit('/old/a.md', 'hello', 'bye')).toMatchObject({ occurrences: 1 });
    const { error, ...adapted } = await library
      .adaptBackendProtocol(firstProtocol() as never)
      .write('/c', 'x');
    expect([error ?? undefined, adapted.path]).toEqual([undefined, '/c']);
  });

  it('are another object when they are adapted', () => {
    const box = {
      ...firstProtocol(),
      id: 'box',
      execute: async () => ({ output: '', exitCode: 0, truncated: false }),
    };
    const adapted = library.adaptSandboxProtocol(box as never);
    expect(adapted).not.toBe(box);
    expect([adapted.id, typeof adapted.execute, typeof adapted.ls]).toEqual(['box', 'function', 'function']);
  });

  it('are made of three methods that extend BaseSandbox', async () => {
    const files = new Map<string, Uint8Array>();
    class Box extends library.BaseSandbox {
      get id() {
        return 'box';
      }
      async execute(command: string) {
        return { output: command, exitCode: 0, truncated: false };
      }
      async uploadFiles(given: [string, Uint8Array][]) {
        for (const [path, content] of given) files.set(path, content);
        return given.map(([path]) => ({ path, error: null }));
      }
      async downloadFiles(paths: string[]) {
        return paths.map((path) => ({
          path,
          content: files.get(path) ?? null,
          error: files.has(path) ? null : ('file_not_found' as const),
        }));
      }
    }
    const box = new Box();
    expect(await box.execute('true')).toMatchObject({ output: 'true' });
    expect(typeof box.read).toBe('function');
    expect(box.id).toBe('box');
  });

  it('say whether a shell is initialized', async () => {
    const shell = new library.LocalShellBackend({ rootDir: '/' });
    expect(shell.isInitialized).toBe(false);
    await shell.initialize();
    expect(shell.isInitialized).toBe(true);
    await shell.close();
  });
});

describe('a search in a folder', () => {
  const FILES = ['.git/d.yml', '.github/ci.yml', '.gitignore', 'a.yml', 'out/e.yml', 'src/b.yml'];
  function folders(): string {
    const root = mkdtempSync(join(tmpdir(), 'deepdesk-search-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const file of FILES) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), file === '.gitignore' ? 'out/\n' : 'needle\n');
    }
    symlinkSync('a.yml', join(root, 'link.yml'));
    return root;
  }
  const pathsOf = (found: readonly { path: string }[] = []) => found.map(({ path }) => path).sort();
  const ofBoth = (rootDir: string) => ({
    theirs: new published.FilesystemBackend({ rootDir, virtualMode: true }),
    here: new FilesystemBackend({ rootDir }),
  });

  it('leaves out what git ignores and hidden names here, unless they are named', async () => {
    const { theirs, here } = ofBoth(folders());
    expect(pathsOf((await here.glob('*.yml')).files)).toEqual(['/.github/ci.yml', '/a.yml', '/src/b.yml']);
    expect(pathsOf((await theirs.glob('*.yml')).files)).toEqual(['/a.yml', '/link.yml']);
    expect(pathsOf((await here.glob('**/*.yml')).files)).toEqual(['/a.yml', '/src/b.yml']);
    expect(pathsOf((await theirs.glob('**/*.yml')).files)).toEqual(
      expect.arrayContaining(['/.git/d.yml', '/.github/ci.yml', '/a.yml', '/out/e.yml', '/src/b.yml']),
    );
    for (const backend of [theirs, here])
      expect(pathsOf((await backend.glob('.github/*.yml')).files)).toEqual(['/.github/ci.yml']);
    expect(pathsOf((await here.grep('needle')).matches)).toEqual(['/a.yml', '/src/b.yml']);
    expect(pathsOf((await here.grep('needle', '/out')).matches)).toEqual(['/out/e.yml']);
  });

  it('lists the same entries of a folder', async () => {
    const { theirs, here } = ofBoth(folders());
    expect(pathsOf((await here.ls('/')).files)).toEqual(pathsOf((await theirs.ls('/')).files));
  });
});

describe('a page of a file', () => {
  const LINES = 'one\ntwo\nthree\n';
  const places: [string, (library: Library, rootDir: string) => BackendProtocolV2][] = [
    ['a folder', (library, rootDir) => new library.FilesystemBackend({ rootDir, virtualMode: true })],
    ['a store', (library) => new library.StoreBackend({ store: new InMemoryStore(), namespace: ['a'] })],
  ];

  it.each(places)('in %s says which lines it has, and its type, in both', async (_where, make) => {
    const pages = [];
    for (const [, library] of both) {
      const rootDir = mkdtempSync(join(tmpdir(), 'deepdesk-pages-'));
      onTestFinished(() => rmSync(rootDir, { recursive: true, force: true }));
      const backend = make(library, rootDir);
      for (const name of ['/a.txt', '/b.md', '/c.json', '/d.js', '/e.svg', '/f.css', '/g.yml'])
        await backend.write(name, LINES);
      const ofBackend = [];
      for (const [path, ...asked] of [
        ['/a.txt'],
        ['/b.md', 1, 1],
        ['/c.json', 2],
        ['/d.js', 0, 2],
        ['/e.svg'],
        ['/f.css'],
        ['/g.yml', 1],
      ] as [string, number?, number?][]) {
        const { startLine, endLine, totalLines, nextOffset, mimeType } = await backend.read(path, ...asked);
        ofBackend.push({ path, startLine, endLine, totalLines, nextOffset, mimeType });
      }
      pages.push(ofBackend);
    }
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[1]?.[1]).toEqual({
      path: '/b.md',
      startLine: 2,
      endLine: 2,
      totalLines: 3,
      nextOffset: 2,
      mimeType: 'text/markdown',
    });
  });
});

describe('methods of StateBackend', () => {
  it('return immediately there, and promises here: await works on both', async () => {
    const theirs: unknown = new published.StateBackend({ state: {} } as never).read('/a.txt');
    const here: unknown = new StateBackend({ state: {} }).read('/a.txt');
    expect([theirs instanceof Promise, here instanceof Promise]).toEqual([false, true]);
    expect((await here) as object).toMatchObject({ error: expect.stringContaining('not found') });
    expect((await theirs) as object).toMatchObject({ error: expect.stringContaining('not found') });
  });
});

describe('a store that keeps JSON', () => {
  it('returns the bytes that either wrote, though the published package cannot read its own', async () => {
    const inner = new InMemoryStore();
    const store = Object.assign(Object.create(BaseStore.prototype) as BaseStore, {
      batch: async (operations: object[]) =>
        JSON.parse(
          JSON.stringify(await inner.batch(JSON.parse(JSON.stringify(operations)) as never)),
        ) as never,
    });
    const place = { store, namespace: ['shared'] };
    await new StoreBackend(place).uploadFiles([['/ours.png', BYTES]]);
    await new published.StoreBackend(place).uploadFiles([['/theirs.png', BYTES]]);
    const answers = await new StoreBackend(place).downloadFiles(['/ours.png', '/theirs.png']);
    expect(answers.map((answer) => answer.content)).toEqual([BYTES, BYTES]);
    expect((await new published.StoreBackend(place).read('/theirs.png')).error).toContain('valid FileData');
  });
});

describe('the files of a custom graph', () => {
  it('are changed by what a backend returns', async () => {
    const State = new StateSchema({ files: filesValue });
    const graph = new StateGraph(State)
      .addNode('write', async (state) => {
        const { filesUpdate } = await new StateBackend({ state }).write('/a.txt', 'handed back');
        return new Command({ update: { files: filesUpdate } });
      })
      .addEdge(START, 'write')
      .addEdge('write', END)
      .compile();
    const { files } = await graph.invoke({ files: {} });
    expect(files['/a.txt']).toMatchObject({ content: 'handed back' });
  });
});
