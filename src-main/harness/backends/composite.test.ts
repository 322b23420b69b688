import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryStore } from '@langchain/langgraph-checkpoint';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeBackend } from './backend.contract';
import {
  type CommandRunner,
  type ExecuteOptions,
  isSandboxBackend,
  type SandboxBackendProtocol,
} from './commands';
import { CompositeBackend } from './composite';
import { FilesystemBackend } from './filesystem';
import type { BackendProtocol, FileData, GrepMatch, GrepResult } from './protocol';
import { LocalShellBackend } from './shell/local-shell';
import { StateBackend } from './state';
import { StoreBackend } from './store/store';
import { state } from './testing/state';

const store = () => new StoreBackend({ store: new InMemoryStore(), namespace: ['memories'] });

/** A real shell without a terminal. */
const shellRunner: CommandRunner = {
  run: (command, { cwd }) =>
    new Promise((resolve) =>
      execFile('/bin/sh', ['-c', command], { cwd }, (error, stdout) =>
        resolve({
          output: stdout,
          exitCode: error === null ? 0 : 1,
          truncated: false,
          timedOut: false,
          durationMs: 0,
        }),
      ),
    ),
};

const withFolder = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-composite-'));
  const files = new FilesystemBackend({ rootDir: folder });
  return {
    folder,
    files,
    backend: new CompositeBackend(state(), { '/home/me/proj/': files, '/memories/': store() }),
    forgetsCreation: true,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};

describeBackend('CompositeBackend on its default', async () => ({
  backend: new CompositeBackend(state(), { '/memories/': store() }),
  spentMeansCut: true,
}));
describeBackend('CompositeBackend on a mounted folder', withFolder, '/home/me/proj');
describeBackend('CompositeBackend on a mounted store', withFolder, '/memories');

const paths = (result: { files?: { path: string }[]; matches?: { path: string }[] }) =>
  (result.files ?? result.matches)?.map((entry) => entry.path);

describe('CompositeBackend', () => {
  it('routes by whole path segments, with or without a trailing slash [H5]', async () => {
    const backend = new CompositeBackend(state(), { '/memories/': store() });
    await backend.write('/memories/a.txt', 'in');
    await backend.write('/memories2/b.txt', 'beside');
    await backend.write('/MEMORIES/c.txt', 'P52');
    expect(paths(await backend.ls('/memories'))).toEqual(['/memories/a.txt']);
    expect(paths(await backend.ls('/memories/'))).toEqual(['/memories/a.txt']);
    expect(paths(await backend.ls('/'))).toEqual(['/MEMORIES/', '/memories/', '/memories2/']);
    expect((await backend.read('/memories/../x')).kind).toBe('denied');
  });

  it('lists the folders above a route even if they are otherwise empty [H6]', async () => {
    const { backend, close } = await withFolder();
    const way = (path: string) => ({ path, is_dir: true, size: 0, modified_at: '' });
    expect(await backend.ls('/')).toEqual({ files: [way('/home/'), way('/memories/')], total: 2 });
    expect((await backend.ls('/home')).files).toEqual([way('/home/me/')]);
    expect((await backend.ls('/home/me/')).files).toEqual([way('/home/me/proj/')]);
    expect((await backend.ls('/home/you')).kind).toBe('not_found');
    close();
  });

  it('uses the longest prefix', async () => {
    const inner = state();
    const backend = new CompositeBackend(state(), { '/a/': state(), '/a/b/': inner });
    await backend.write('/a/b/x', 'deep');
    expect((await inner.read('/x')).content).toBe('deep');
    expect(paths(await backend.ls('/a'))).toEqual(['/a/b/']);
  });

  it('searches the default and every route below, with full paths', async () => {
    const { backend, close } = await withFolder();
    await backend.write('/notes.ts', 'needle');
    await backend.write('/home/me/proj/src/a.ts', 'needle');
    await backend.write('/memories/m.ts', 'needle');
    const all = ['/notes.ts', '/home/me/proj/src/a.ts', '/memories/m.ts'];
    expect(paths(await backend.grep('needle'))).toEqual(all);
    expect(paths(await backend.glob('*.ts'))).toEqual(all);
    expect(paths(await backend.glob('**/*.ts', '/'))).toEqual(all);
    expect(paths(await backend.grep('needle', '/home'))).toEqual(all.slice(1, 2));
    expect(paths(await backend.glob('*.ts', '/home/me'))).toEqual(all.slice(1, 2));
    expect(paths(await backend.glob('src/*.ts', '/home/me/proj'))).toEqual(all.slice(1, 2));
    close();
  });

  it('accepts a full path as a pattern', async () => {
    const { backend, close } = await withFolder();
    await backend.write('/home/me/proj/src/a.ts', '');
    await backend.write('/src/b.ts', '');
    const project = ['/home/me/proj/src/a.ts'];
    expect(paths(await backend.glob('/home/me/proj/src/*.ts'))).toEqual(project);
    expect(paths(await backend.glob('/home/me/proj/**/*.ts', '/home/me/proj'))).toEqual(project);
    expect(paths(await backend.glob('me/proj/src/*.ts', '/home'))).toEqual(project);
    expect(paths(await backend.glob('/src/*.ts'))).toEqual(['/src/b.ts']);
    close();
  });

  it('hides what the default has in the place of a route, in listings and searches', async () => {
    const [here, mounted] = [state(), state()];
    for (const path of ['/memories', '/notes/a.md', '/src/a.md']) await here.write(path, 'needle');
    for (const path of ['/a.md', '/b.md']) await mounted.write(path, 'needle');
    const backend = new CompositeBackend(here, { '/memories/': state(), '/notes/': mounted });
    const all = ['/src/a.md', '/notes/a.md', '/notes/b.md'];
    expect(paths(await backend.ls('/'))).toEqual(['/memories/', '/notes/', '/src/']);
    expect(paths(await backend.glob('**'))).toEqual(all);
    expect(paths(await backend.grep('needle'))).toEqual(all);
    expect(await backend.grep('needle', '/', null, 3)).toMatchObject({ truncated: false });
    const blind: BackendProtocol = Object.assign(here, {
      grep: async () => ({
        matches: ['/notes/a.md', '/src/a.md'].map((path) => ({ path, line: 1, text: '' })),
      }),
    });
    expect(paths(await new CompositeBackend(blind, { '/notes/': mounted }).grep('needle'))).toEqual(all);
  });

  it.each([
    ['notes/*.md', ['a.md']],
    ['/notes/*.md', ['a.md']],
    ['*/a.md', ['a.md']],
    ['{src,notes}/*.md', ['a.md']],
    ['{src/x,notes/deep}/*.md', ['deep/a,b.md', 'deep/b.md']],
    ['[mn]otes/**', ['a.md', 'deep/a,b.md', 'deep/b.md']],
    ['**/notes/*.md', ['a.md']],
    ['**/notes/**/*.md', ['a.md', 'deep/a,b.md', 'deep/b.md']],
    ['**/n*/**/b.md', ['deep/b.md']],
    ['**/{notes,x}/**/a,b.md', ['deep/a,b.md']],
    ['**/deep/*.md', ['deep/a,b.md', 'deep/b.md']],
    ['notes', []],
    ['src/*.md', []],
    ['*/notes/*.md', []],
  ])('finds the files of a route by the pattern %s for the whole tree', async (pattern, names) => {
    const mounted = state();
    for (const path of ['/a.md', '/deep/a,b.md', '/deep/b.md']) await mounted.write(path, 'needle');
    const backend = new CompositeBackend(state(), { '/notes/': mounted });
    const found = names.map((name) => `/notes/${name}`);
    expect(paths(await backend.glob(pattern))).toEqual(found);
    expect(paths(await backend.grep('needle', '/', pattern))).toEqual(found);
  });

  it('names the path in the tree in errors', async () => {
    const { backend, close } = await withFolder();
    expect(await backend.read('/home/me/proj/no.txt')).toEqual({
      error: "File '/home/me/proj/no.txt' not found",
      kind: 'not_found',
    });
    close();
  });

  const counting = (found: number, asked: (number | null)[]): BackendProtocol =>
    Object.assign(state(), {
      grep: async (...[, , , maxCount = null]: Parameters<BackendProtocol['grep']>): Promise<GrepResult> => {
        asked.push(maxCount);
        const matches = Array.from(
          { length: Math.min(found, maxCount ?? found) },
          (): GrepMatch => ({ path: '/x', line: 1, text: '' }),
        );
        return { matches, truncated: maxCount !== null && found > maxCount };
      },
    });

  it('shares one budget across all routes, and skips the rest once it is spent [H4]', async () => {
    const asked: (number | null)[] = [];
    const backend = new CompositeBackend(counting(2, asked), {
      '/a/': counting(3, asked),
      '/b/': counting(1, asked),
      '/c/': counting(1, asked),
    });
    const found = await backend.grep('x', '/', null, 6);
    expect({ asked, count: found.matches?.length, truncated: found.truncated }).toEqual({
      asked: [6, 4, 1],
      count: 6,
      truncated: true,
    });
  });

  it('returns more matches than a function call can take as arguments [H3]', async () => {
    const backend = new CompositeBackend(counting(150_000, []), { '/a/': counting(150_000, []) });
    expect((await backend.grep('x')).matches).toHaveLength(300_000);
  });

  it('restores the order of files across interleaved routes [H7]', async () => {
    const { backend, close } = await withFolder();
    const files = ['/a', '/memories/b', '/home/me/proj/c', '/d', '/memories/e'];
    const content = (path: string) => new TextEncoder().encode(path);
    expect(await backend.uploadFiles(files.map((path) => [path, content(path)]))).toEqual(
      files.map((path) => ({ path, error: null })),
    );
    expect(await backend.downloadFiles(files)).toEqual(
      files.map((path) => ({ path, content: content(path), error: null })),
    );
    close();
  });

  it('names a route that cannot delete, and never deletes a mount [H8]', async () => {
    const fixed: BackendProtocol = Object.assign(state(), { delete: undefined });
    const backend = new CompositeBackend(state(), { '/fixed/': fixed });
    expect(await backend.delete('/fixed/x')).toEqual({
      error: "Error: deletion is not available for '/fixed/x' on mounted route '/fixed/'.",
      kind: 'unsupported',
    });
    expect((await backend.delete('/fixed')).kind).toBe('denied');
    expect((await backend.delete('/')).kind).toBe('denied');
  });

  it('runs commands on the chosen backend, else on the default, or not at all [H1]', async () => {
    const shell = (id: string): SandboxBackendProtocol =>
      Object.assign(state(), { id, execute: async () => ({ output: id, exitCode: 0, truncated: false }) });
    const chosen = new CompositeBackend(state(), { '/p/': shell('s1') }, { execute: shell('s1') });
    const byDefault = new CompositeBackend(shell('s2'), {});
    const none = new CompositeBackend(shell(''), { '/p/': shell('s1') });
    expect([chosen.id, (await chosen.execute('x')).output]).toEqual(['s1', 's1']);
    expect([byDefault.id, (await byDefault.execute('x')).output]).toEqual(['s2', 's2']);
    expect(isSandboxBackend(none)).toBe(false);
    expect(await none.execute('x')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining("doesn't support"),
    });
  });

  it('runs the commands of a place where they belong, and applies no path rules there', async () => {
    const shell = (id: string): SandboxBackendProtocol =>
      Object.assign(state(), { id, execute: async () => ({ output: id, exitCode: 0, truncated: false }) });
    const routes = { '/server/': state(), '/docs/': state() };
    const shells = { '/server/': shell('there') };
    const backend = new CompositeBackend(shell('here'), routes, { shells });
    expect(backend.commandPlaces).toEqual(['/server/']);
    expect(backend.shellPrefixes).toEqual(['/server/']);
    expect((await backend.execute('x')).output).toBe('here');
    expect((await backend.execute('x', { place: '/server/' })).output).toBe('there');
    expect(await backend.execute('x', { place: '/docs/' })).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('/docs/'),
    });
  });

  it('can run commands once its backend starts, and no longer when it stops [H1]', async () => {
    const box = Object.assign(state(), {
      id: '',
      execute: async () => ({ output: 'ran', exitCode: 0, truncated: false }),
    });
    const backend = new CompositeBackend(box, { '/memories/': store() });
    expect(isSandboxBackend(backend)).toBe(false);
    box.id = 'started';
    expect([isSandboxBackend(backend), (await backend.execute('x')).output]).toEqual([true, 'ran']);
    box.id = '';
    expect(isSandboxBackend(backend)).toBe(false);
  });

  it('streams output, and passes on cancellation', async () => {
    const stop = new AbortController();
    const box: SandboxBackendProtocol = Object.assign(state(), {
      id: 'box',
      execute: (_command: string, options?: ExecuteOptions) =>
        new Promise<never>((_, reject) => {
          options?.onOutput?.('one ');
          options?.onOutput?.('two');
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
        }),
    });
    const backend = new CompositeBackend(state(), { '/p/': box }, { execute: box });
    const seen: string[] = [];
    const running = backend.execute('x', { signal: stop.signal, onOutput: (text) => seen.push(text) });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    expect(seen).toEqual(['one ', 'two']);
  });

  it('mounts a folder at its real path, so that tools and shell use the same paths', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-composite-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const shell = new LocalShellBackend({ rootDir: folder, runner: shellRunner });
    const backend = new CompositeBackend(state(), { [folder]: shell }, { execute: shell });
    const path = `${folder}/notes/a.txt`;
    expect((await backend.write(path, 'by a tool')).path).toBe(path);
    expect((await backend.execute(`cat '${path}'`)).output).toBe('by a tool');
    await backend.execute(`echo by the shell > '${folder}/b.txt'`);
    expect((await backend.read(`${folder}/b.txt`)).content).toBe('by the shell');
    const said = (await backend.execute("find . -name '*.txt' | sort")).output;
    const found = paths(await backend.glob('*.txt', folder))?.sort();
    expect(found).toEqual([`${folder}/b.txt`, path]);
    expect(said.trim().split('\n')).toEqual(found?.map((one) => one.replace(folder, '.')).sort());
    expect((await backend.execute('pwd')).output.trim()).toBe(folder);
  });

  it('reports link targets as paths in the tree', async () => {
    const { backend, folder, close } = await withFolder();
    await backend.write('/home/me/proj/secrets/k', 'x');
    symlinkSync('secrets', join(folder, 'pub'));
    symlinkSync('/etc', join(folder, 'out'));
    expect(await backend.realPath('/home/me/proj/pub/k')).toBe('/home/me/proj/secrets/k');
    expect(await backend.realPath('/home/me/proj/secrets//k')).toBe('/home/me/proj/secrets/k');
    expect((await backend.realPath('/home/me/proj/out/passwd')).split('/')).toContain('..');
    expect(await backend.realPath('/notes')).toBe('/notes');
    close();
  });

  it('lists a large folder completely if a route is mixed in', async () => {
    const data: FileData = { content: '', mimeType: 'text/plain', created_at: '', modified_at: '' };
    const files = Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`/f${10_000 + n}`, data]));
    const many = new StateBackend({ files: { read: () => files, send: () => undefined } });
    const backend = new CompositeBackend(many, { '/zz/': state() });
    const all = await backend.ls('/', { limit: 5_000 });
    expect([all.files?.length, all.files?.at(-1)?.path, all.truncated]).toEqual([2_501, '/zz/', undefined]);
    const page = await backend.ls('/', { offset: 2_499, limit: 1 });
    expect({ paths: paths(page), next: page.nextOffset, total: page.total }).toEqual({
      paths: ['/f12499'],
      next: 2_500,
      total: 2_501,
    });
  });
});
