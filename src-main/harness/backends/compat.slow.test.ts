import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type BaseCheckpointSaver, InMemoryStore, MemorySaver } from '@langchain/langgraph-checkpoint';
import * as published from 'deepagents';
import { Client } from 'langsmith';
import { LangSmithResourceNotFoundError, Sandbox } from 'langsmith/experimental/sandbox';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { optional } from '../../contract/shared/optional';
import { temporaryDatabase } from '../../storage/testing/fixtures';
import { createDeepAgent } from '../agent/create-deep-agent';
import { ScriptedModel, type ScriptedStep } from '../agent/testing/scripted-model';
import { SqliteSaver } from '../storage/sqlite/checkpointer/checkpointer';
import { SqliteStore } from '../storage/sqlite/store/store';
import { adaptBackendProtocol, adaptSandboxProtocol } from './adapt';
import type { BackendFactory } from './backend-factory';
import { type CommandRunner, isSandboxBackend } from './commands';
import { CompositeBackend } from './composite';
import { ContextHubBackend } from './context-hub/context-hub';
import { FilesystemBackend } from './filesystem';
import { PermissionBackend } from './policy/permissions';
import { PolicyBackend } from './policy/policy';
import { openSandbox } from './providers';
import type { AnyBackend } from './published-protocol';
import { SandboxBackend } from './sandbox/sandbox';
import { LocalShellBackend } from './shell/local-shell';
import { StateBackend } from './state';
import { StoreBackend } from './store/store';
import { startHub } from './testing/hub-server';
import { fakeProvider } from './testing/provider-fakes';

/** LangSmith's client against a server that acts like the Hub. */
const hubClient = async () => {
  const server = await startHub();
  onTestFinished(() => server.close());
  return new Client({ apiUrl: server.url, apiKey: 'test', autoBatchTracing: false });
};

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'deepdesk-compat-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

const runner: CommandRunner = {
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

/** One call per step, and then the end. */
function story(calls: NonNullable<ScriptedStep['calls']>): ScriptedModel {
  let at = 0;
  return new ScriptedModel(() => {
    const call = calls[at++];
    return call === undefined ? { text: 'Done.' } : { calls: [call] };
  });
}

/** Uses every file tool on a fresh backend whose files are at `at`. */
const calls = (at: string, execute: boolean) => [
  { name: 'write_file', args: { file_path: `${at}/notes/a.md`, content: 'alpha\nbeta\ngamma' } },
  { name: 'read_file', args: { file_path: `${at}/notes/a.md`, offset: 1, limit: 1 } },
  { name: 'edit_file', args: { file_path: `${at}/notes/a.md`, old_string: 'beta', new_string: 'BETA $&' } },
  { name: 'read_file', args: { file_path: `${at}/notes/a.md` } },
  { name: 'ls', args: { path: `${at}/notes` } },
  { name: 'glob', args: { pattern: '**/*.md', path: `${at}/` } },
  { name: 'grep', args: { pattern: 'BETA $', path: `${at}/`, output_mode: 'content' } },
  ...(execute ? [{ name: 'execute', args: { command: 'cat notes/a.md' } }] : []),
  { name: 'delete', args: { file_path: `${at}/notes/a.md` } },
  { name: 'read_file', args: { file_path: `${at}/notes/a.md` } },
];

function check(messages: BaseMessage[], at: string, execute: boolean): void {
  const texts = messages.filter((m) => ToolMessage.isInstance(m)).map((m) => m.text);
  const path = `${at}/notes/a.md`;
  const [wrote, page, edited, whole, listed, globbed, found, ...rest] = texts;
  const ran = execute ? rest.shift() : undefined;
  expect(wrote).toContain(`'${path}'`);
  expect(page).toContain('beta');
  expect(page).not.toContain('gamma');
  expect(page).not.toContain('alpha');
  expect(edited).toContain('1 occurrence');
  // Ours numbers the lines. The published one puts a status line before them.
  expect(whole?.replace(/^ +\d+\t/gm, '')).toContain('alpha\nBETA $&\ngamma');
  expect(listed).toContain(path);
  expect(globbed).toContain('notes/a.md');
  expect(found).toContain('2: BETA $&');
  if (execute) expect(ran).toContain('alpha\nBETA $&\ngamma');
  expect(rest[0]).toContain('Deleted');
  expect(rest[1]).toMatch(/not found|ENOENT|no such file/i);
  expect(rest).toHaveLength(2);
}

describe("the published package's harness", () => {
  const play = async (
    backend: published.CreateDeepAgentParams['backend'],
    at: string,
    execute = false,
    store?: InMemoryStore,
  ) => {
    const agent = published.createDeepAgent({
      model: story(calls(at, execute)),
      ...optional({ backend, store }),
    });
    const state = await agent.invoke({ messages: [new HumanMessage('go')] }, { recursionLimit: 100 });
    check(state.messages, at, execute);
  };

  it('runs on our StateBackend', () => play(new StateBackend(), ''));
  it('runs on our FilesystemBackend', () => play(new FilesystemBackend({ rootDir: folder() }), ''));
  it('runs on our StoreBackend, with a separate store and with the store of the run', async () => {
    await play(new StoreBackend({ store: new InMemoryStore(), namespace: ['files'] }), '');
    await play(new StoreBackend({ namespace: ['files'] }), '', false, new InMemoryStore());
  });
  it('runs on our StoreBackend in SQLite', () =>
    play(new StoreBackend({ store: new SqliteStore(temporaryDatabase()), namespace: ['files'] }), ''));
  it('runs on our ContextHubBackend', async () =>
    play(new ContextHubBackend('me/notes', { client: await hubClient() }), ''));
  it('runs on our PolicyBackend and PermissionBackend over a sandbox', async () => {
    const rootDir = folder();
    const client = await published.LocalShellBackend.create({ rootDir, inheritEnv: true });
    const sandbox = new SandboxBackend(client, { root: rootDir });
    await play(new PolicyBackend(sandbox, { rateLimit: { calls: 1_000, perMs: 1 } }), '', true);
    await play(
      new PermissionBackend(new FilesystemBackend({ rootDir: folder() }), [
        { operations: ['write'], paths: ['/secrets/**'], mode: 'deny' },
      ]),
      '',
    );
  });

  it.each<[string, () => BaseCheckpointSaver]>([
    ['in memory', () => new MemorySaver()],
    ['in SQLite', () => new SqliteSaver(temporaryDatabase())],
  ])('keeps the files of our StateBackend with the thread, %s, including deletes', async (_name, saver) => {
    const checkpointer = saver();
    const config = { configurable: { thread_id: 't' }, recursionLimit: 100 };
    const turn = async (...steps: NonNullable<ScriptedStep['calls']>) => {
      const backend = new StateBackend();
      const agent = published.createDeepAgent({ model: story(steps), backend, checkpointer });
      const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] }, config);
      const { files = {} } = (await agent.graph.getState(config)).values as { files?: object };
      return { files: Object.keys(files), last: messages.findLast((m) => ToolMessage.isInstance(m))?.text };
    };
    const write = (path: string) => ({
      name: 'write_file',
      args: { file_path: path, content: `at ${path}` },
    });
    expect((await turn(write('/a'), write('/b'))).files).toEqual(['/a', '/b']);
    expect((await turn({ name: 'delete', args: { file_path: '/a' } })).files).toEqual(['/b']);
    const read = await turn({ name: 'read_file', args: { file_path: '/b' } });
    expect([read.files, read.last?.includes('at /b')]).toEqual([['/b'], true]);
  });
  it('runs on our LocalShellBackend', () =>
    play(new LocalShellBackend({ rootDir: folder(), runner }), '', true));
  it('runs on our CompositeBackend with the folder as a route', () => {
    const shell = new LocalShellBackend({ rootDir: folder(), runner });
    return play(
      new CompositeBackend(new StateBackend(), { '/work/': shell }, { execute: shell }),
      '/work',
      true,
    );
  });
  it('runs on our PolicyBackend', () =>
    play(new PolicyBackend(new StateBackend(), { denyPrefixes: ['/secrets'] }), ''));
  it('runs on our PermissionBackend', () =>
    play(
      new PermissionBackend(new StateBackend(), [
        { operations: ['read', 'write'], paths: ['/secrets/**'], mode: 'deny' },
      ]),
      '',
    ));
  it('runs on our SandboxBackend, over a separate local sandbox', async () => {
    const rootDir = folder();
    const client = await published.LocalShellBackend.create({ rootDir, inheritEnv: true });
    await play(new SandboxBackend(client, { root: rootDir }), '', true);
  });
  it('runs on our in-memory files', async () => {
    const made = await openSandbox('vfs', {});
    if ('error' in made) throw new Error(made.error);
    await play(made.backend, '/vfs');
  });
  it("runs on our CompositeBackend with a provider's sandbox", async () => {
    const root = folder();
    const load = async () => fakeProvider({ className: 'ModalSandbox', isLossy: true, calls: [] });
    const made = await openSandbox('modal', { root }, load);
    if ('error' in made) throw new Error(made.error);
    // Commands start in the root folder of its files.
    const box = made.backend;
    if (!isSandboxBackend(box)) throw new Error('no sandbox');
    const inRoot = Object.assign(Object.create(box) as typeof box, {
      execute: (command: string) => box.execute(`cd '${root}' && ${command}`),
    });
    await play(
      new CompositeBackend(new StateBackend(), { '/work/': inRoot }, { execute: inRoot }),
      '/work',
      true,
    );
  });
  it('runs on its CompositeBackend over our backends', () =>
    play(
      new published.CompositeBackend(new StateBackend(), {
        '/work/': new FilesystemBackend({ rootDir: folder() }),
      }),
      '/work',
    ));
});

const ours = (backend: AnyBackend | BackendFactory, model: ScriptedModel) =>
  createDeepAgent({ model, systemPrompt: 'You are under test.', backend });

describe('our harness', () => {
  const play = async (backend: AnyBackend | BackendFactory, at: string, execute = false) => {
    const agent = ours(backend, story(calls(at, execute)));
    const state = await agent.invoke({ messages: [new HumanMessage('go')] });
    check(state.messages, at, execute);
  };

  it("runs on the package's StateBackend", () => play(new published.StateBackend(), ''));
  it("runs on the package's FilesystemBackend", () =>
    play(new published.FilesystemBackend({ rootDir: folder(), virtualMode: true }), ''));
  it("runs on the package's StoreBackend", () =>
    // With a separate store: in the store of a run its delete fails on LangGraph's wrapper, under its own harness too.
    play(new published.StoreBackend({ namespace: ['files'], store: new InMemoryStore() }), ''));
  it("runs on the package's ContextHubBackend", async () =>
    play(new published.ContextHubBackend('me/notes', { client: await hubClient() }), ''));
  it("runs on a sandbox made from the package's base", async () => {
    const rootDir = folder();
    const shell = await published.LocalShellBackend.create({ rootDir, inheritEnv: true });
    class Local extends published.BaseSandbox {
      readonly id = 'local';
      execute = (command: string) => shell.execute(command);
      uploadFiles = (files: [string, Uint8Array][]) => shell.uploadFiles(files);
      downloadFiles = (paths: string[]) => shell.downloadFiles(paths);
    }
    await play(new Local(), rootDir, true);
  });
  it("runs on the package's LangSmithSandbox, with this machine instead of theirs", async () => {
    const rootDir = folder();
    const shell = await published.LocalShellBackend.create({ rootDir, inheritEnv: true });
    const limits: unknown[] = [];
    // Only their service creates what their client returns.
    const sandbox: Sandbox = Object.assign(Object.create(Sandbox.prototype), {
      name: 'local',
      run: async (command: string, options: { timeout: number }) => {
        limits.push(options.timeout);
        const { output, exitCode } = await shell.execute(command);
        return { stdout: output, stderr: '', exit_code: exitCode };
      },
      write: async (path: string, content: Uint8Array) => {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content);
      },
      read: async (path: string) => {
        if (!existsSync(path)) throw new LangSmithResourceNotFoundError(path);
        return new Uint8Array(readFileSync(path));
      },
    });
    const backend = new published.LangSmithSandbox({ sandbox });
    await play(backend, rootDir, true);
    limits.length = 0;
    const box = adaptSandboxProtocol(backend);
    for (const timeoutMs of [1_500, 0, Number.POSITIVE_INFINITY]) await box.execute('true', { timeoutMs });
    expect(limits).toEqual([2, 1, 1_800]);
  });
  it("runs on the package's CompositeBackend", () =>
    play(
      new published.CompositeBackend(new published.StateBackend(), {
        '/work/': new published.FilesystemBackend({ rootDir: folder(), virtualMode: true }),
      }),
      '/work',
    ));
  it("runs on our CompositeBackend over the package's backends", () =>
    play(
      new CompositeBackend(new StateBackend(), {
        '/work/': adaptBackendProtocol(
          new published.FilesystemBackend({ rootDir: folder(), virtualMode: true }),
        ),
      }),
      '/work',
    ));
  it("runs on the package's LocalShellBackend", async () => {
    const shell = await published.LocalShellBackend.create({
      rootDir: folder(),
      virtualMode: true,
      inheritEnv: true,
    });
    await play(shell, '', true);
  });

  it('runs on a factory whose old state backend returns its changes, and warns once', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    for (let round = 0; round < 2; round += 1)
      await play((runtime: published.BackendRuntime) => new published.StateBackend(runtime), '');
    await play(async () => new StateBackend(), '');
    expect(warn.mock.calls).toEqual([
      ['Backend factories are deprecated: pass a backend instead.', { code: 'DEEPDESK_BACKEND_FACTORY' }],
    ]);
  });

  it("checks at each call whether the factory's backend can run commands [H40]", async () => {
    const play = async (backend: BackendFactory) => {
      const agent = ours(backend, story([{ name: 'execute', args: { command: 'echo hi' } }]));
      const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
      return messages.find((m: BaseMessage) => ToolMessage.isInstance(m))?.text;
    };
    expect(await play(() => new LocalShellBackend({ rootDir: folder(), runner }))).toBe(
      'hi\n\n[Command succeeded with exit code 0]',
    );
    expect(await play(() => new StateBackend())).toContain('Error: Execution not available.');
  });
});

describe('a backend of the first version', () => {
  const old = () => {
    const files = new Map<string, string[]>([['/a.txt', ['one', 'two', 'three']]]);
    const time = '2026-01-01T00:00:00.000Z';
    return {
      id: '',
      routePrefixes: ['/memories/'],
      lsInfo: () => [...files.keys()].map((path) => ({ path })),
      read: (path: string) => (files.get(path) ?? []).map((line, n) => `     ${n + 1}\t${line}`).join('\n'),
      readRaw: (path: string) => {
        const content = files.get(path);
        if (content === undefined) throw new Error(`File '${path}' not found`);
        return { content, created_at: time, modified_at: time };
      },
      grepRaw: (pattern: string) =>
        pattern === '('
          ? 'Invalid pattern'
          : [1, 2, 3].map((line) => ({ path: '/a.txt', line, text: `${line}` })),
      globInfo: async () => [{ path: '/a.txt' }],
      write: (path: string, content: string) => {
        files.set(path, content.split('\n'));
        return { path, filesUpdate: null };
      },
      edit: () => ({ error: 'no' }),
      execute: () => ({ output: 'ran', exitCode: 0, truncated: false }),
    };
  };

  it('acts as one of ours, and only the tool numbers lines', async () => {
    const backend = adaptBackendProtocol(old());
    expect(await backend.ls('/')).toEqual({ files: [{ path: '/a.txt' }], total: 1 });
    expect(await backend.read('/a.txt', 1, 1)).toMatchObject({
      content: 'two',
      totalLines: 3,
      nextOffset: 2,
    });
    expect(await backend.read('/no')).toEqual({ error: "File '/no' not found", kind: 'not_found' });
    expect((await backend.grep('x', '/', null, 2)).truncated).toBe(true);
    expect((await backend.grep('x', '/', null, 3)).matches).toHaveLength(3);
    expect(await backend.grep('(')).toEqual({ error: 'Invalid pattern', kind: 'invalid' });
    expect(await backend.glob('*')).toEqual({ files: [{ path: '/a.txt' }] });
    expect((await backend.readRaw('/a.txt')).data?.content).toBe('one\ntwo\nthree');
    await expect(backend.ls('/', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    );
    expect(adaptBackendProtocol(backend)).toBe(backend);
  });

  it('keeps its routes, and is a sandbox once it has an id', () => {
    const first = old();
    const backend = adaptBackendProtocol(first);
    expect('routePrefixes' in backend && backend.routePrefixes).toEqual(['/memories/']);
    expect(isSandboxBackend(backend)).toBe(false);
    first.id = 'started';
    expect(isSandboxBackend(backend)).toBe(true);
  });

  it('acts as a sandbox where one is required, and returns an error for what it cannot run', async () => {
    const sandbox = adaptSandboxProtocol({ ...old(), id: 'box' });
    expect([isSandboxBackend(sandbox), (await sandbox.execute('x')).output]).toEqual([true, 'ran']);
    const none = adaptSandboxProtocol(new StateBackend());
    expect(isSandboxBackend(none)).toBe(false);
    expect(await none.execute('x')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('Execution not available'),
    });
  });
});
