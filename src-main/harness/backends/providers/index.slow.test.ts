import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DenoSandbox } from '@langchain/deno';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { describeBackend } from '../backend.contract';
import { isSandboxBackend } from '../commands';
import { type Failure, isFailure } from '../failure';
import { bareBin, localBox } from '../testing/local-box';
import { denoSandbox, fakeProvider } from '../testing/provider-fakes';
import { runCommand } from './commands';
import { type OpenedSandbox, openSandbox } from './index';

const makeFolder = () => mkdtempSync(join(tmpdir(), 'deepdesk-provider-'));

/** Zombies, whose parent has not noticed yet, do not count. */
function isAlive(pid: string): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const opened = (made: OpenedSandbox | Failure): OpenedSandbox => {
  if (isFailure(made)) throw new Error(made.error);
  return made;
};

const fakes = {
  modal: { className: 'ModalSandbox', isLossy: true },
  daytona: { className: 'DaytonaSandbox', isLossy: false },
} as const;

for (const kind of ['modal', 'daytona'] as const)
  describeBackend(`openSandbox('${kind}') on a package with its shape`, async () => {
    const root = makeFolder();
    const made = opened(
      await openSandbox(kind, { root }, async () => fakeProvider({ ...fakes[kind], calls: [] })),
    );
    return {
      backend: made.backend,
      forgetsCreation: true,
      close: () => rmSync(root, { recursive: true, force: true }),
    };
  });

describe("Deno's published package", () => {
  /** Its SDK, which this machine stands in for. We do not depend on it, so it is resolved by name. */
  const sdk = '@deno/sandbox';
  const closed: string[] = [];
  let token: string | undefined;
  beforeEach(async () => {
    token = process.env.DENO_DEPLOY_TOKEN;
    closed.length = 0;
    const { Sandbox } = await import(/* @vite-ignore */ sdk);
    vi.spyOn(Sandbox, 'create').mockImplementation(async () => denoSandbox(closed));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    if (token === undefined) delete process.env.DENO_DEPLOY_TOKEN;
    else process.env.DENO_DEPLOY_TOKEN = token;
  });
  const auth = { token: 'test' };

  describeBackend("openSandbox('deno')", async () => {
    const root = makeFolder();
    const made = opened(await openSandbox('deno', { root, auth }));
    return {
      backend: made.backend,
      forgetsCreation: true,
      close: () => rmSync(root, { recursive: true, force: true }),
    };
  });

  it('changes bytes in its transfer, and not in ours', async () => {
    const root = makeFolder();
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const blob = Uint8Array.from({ length: 3 * 1024 * 1024 }, (_, n) => (n * 7919) % 256);
    writeFileSync(join(root, 'in.bin'), blob);
    const theirs = await DenoSandbox.create({ auth });
    const [changed] = await theirs.downloadFiles([join(root, 'in.bin')]);
    expect(Buffer.from(changed?.content ?? []).equals(blob)).toBe(false);

    const { backend } = opened(await openSandbox('deno', { root, auth }));
    expect(await backend.uploadFiles?.([['/out.bin', blob]])).toEqual([{ path: '/out.bin', error: null }]);
    expect(readFileSync(join(root, 'out.bin')).equals(blob)).toBe(true);
    const got = (await backend.downloadFiles?.(['/in.bin', '/no', '/'])) ?? [];
    expect(Buffer.from(got[0]?.content ?? []).equals(blob)).toBe(true);
    expect(got.slice(1).map(({ error }) => error)).toEqual(['file_not_found', 'invalid_path']);
  });

  it('writes initial files, runs commands, and is gone after it is closed [H22, H23]', async () => {
    const root = makeFolder();
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const initialFiles = {
      [join(root, 'a/b/c.txt')]: 'text',
      [join(root, '$(x).bin')]: Uint8Array.of(0, 255),
    };
    const made = opened(await openSandbox('deno', { root, auth, initialFiles }));
    expect(readFileSync(join(root, 'a/b/c.txt'), 'utf8')).toBe('text');
    expect(readFileSync(join(root, '$(x).bin'))).toEqual(Buffer.from([0, 255]));
    const { backend } = made;
    if (!isSandboxBackend(backend)) throw new Error('no sandbox');
    expect(backend.id).toBe('deno-1');
    const seen: string[] = [];
    expect(
      await backend.execute('echo out; echo err >&2; exit 42', { onOutput: (text) => seen.push(text) }),
    ).toEqual({ output: 'out\nerr\n', exitCode: 42, truncated: false });
    expect(seen).toEqual(['out\nerr\n']);
    expect(made.isRunning).toBe(true);
    await made.close();
    await made.close();
    expect([made.isRunning, closed, isSandboxBackend(backend)]).toEqual([false, ['close'], false]);
    expect((await backend.execute('echo hi')).output).toBe('Error: the sandbox is closed.');
    expect((await backend.write('/late.txt', 'x')).error).toBeDefined();
    const error = 'permission_denied';
    expect(await backend.uploadFiles?.([['/late.txt', new Uint8Array(1)]])).toMatchObject([{ error }]);
    expect(await backend.downloadFiles?.(['/a.txt'])).toMatchObject([{ error }]);
  });

  it('stops a command in the sandbox when its time is up', async () => {
    const { backend } = opened(await openSandbox('deno', { auth }));
    if (!isSandboxBackend(backend)) throw new Error('no sandbox');
    expect(await backend.execute('echo started; sleep 30', { timeoutMs: 500 })).toEqual({
      output: 'started\n',
      exitCode: 124,
      truncated: false,
      timedOut: true,
    });
  });

  it('ends a canceled command in the sandbox with all that it started', async () => {
    const root = makeFolder();
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const { backend } = opened(await openSandbox('deno', { root, auth }));
    if (!isSandboxBackend(backend)) throw new Error('no sandbox');
    const pids = join(root, 'pids');
    const stop = new AbortController();
    const command = `sleep 60 & echo $! $$ >${pids}.new; mv ${pids}.new ${pids}; wait; echo next >${root}/next; sleep 60`;
    const running = backend.execute(command, { signal: stop.signal });
    await vi.waitFor(() => expect(existsSync(pids)).toBe(true), { timeout: 10_000 });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    const started = readFileSync(pids, 'utf8').trim().split(' ');
    await vi.waitFor(() => expect(started.filter(isAlive)).toEqual([]), { timeout: 10_000 });
    expect(existsSync(join(root, 'next'))).toBe(false);
  });

  it('ends a command at its limit, even if the sandbox has no `timeout`', async () => {
    const bin = makeFolder();
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
    bareBin(bin);
    symlinkSync('/bin/sleep', join(bin, 'sleep'));
    const box = localBox({ path: bin });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const pids = join(bin, 'pids');
    const command = `sleep 60 & echo $! $$ >${pids}.new; mv ${pids}.new ${pids}; wait`;
    const running = runCommand((text) => box.execute(text), command, { timeoutMs: 1_000 });
    await vi.waitFor(() => expect(existsSync(pids)).toBe(true));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await running).toMatchObject({ exitCode: 124, timedOut: true });
    const started = readFileSync(pids, 'utf8').trim().split(' ');
    vi.useRealTimers();
    await vi.waitFor(() => expect(started.filter(isAlive)).toEqual([]), { timeout: 10_000 });
  });

  it('starts nothing if the last check before it rejects', async () => {
    const root = makeFolder();
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const { backend } = opened(await openSandbox('deno', { root, auth }));
    if (!isSandboxBackend(backend)) throw new Error('no sandbox');
    const beforeStart = () => Promise.reject(new Error('not any more'));
    await expect(backend.execute(`touch ${root}/ran`, { beforeStart })).rejects.toThrow('not any more');
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  it('is refused without credentials', async () => {
    delete process.env.DENO_DEPLOY_TOKEN;
    expect(await openSandbox('deno', {})).toMatchObject({
      kind: 'no_key',
      error: expect.stringMatching(/^Deno: Failed to authenticate/),
    });
  });
});

describe('openSandbox', () => {
  it('names the providers that there are', async () => {
    expect(await openSandbox('heroku' as 'vfs', {})).toEqual({
      error: "There is no provider 'heroku': use modal, daytona, deno, vfs.",
      kind: 'invalid',
    });
  });

  it('names the package to install if it is missing', async () => {
    expect(await openSandbox('modal', {})).toMatchObject({
      kind: 'unsupported',
      error: expect.stringMatching(
        /^Modal sandboxes need the package @langchain\/modal: npm install @langchain\/modal deepagents/,
      ),
    });
  });

  it('passes the package its options, and closes a sandbox that it cannot fill', async () => {
    const calls: unknown[] = [];
    const load = async () => fakeProvider({ className: 'DaytonaSandbox', isLossy: false, calls });
    const made = await openSandbox(
      'daytona',
      { language: 'python', labels: { a: 'b' }, root: '/work', initialFiles: { '/tmp': 'x' } },
      load,
    );
    expect(made).toEqual({
      error: "The initial file '/tmp' could not be created (is_directory).",
      kind: 'invalid',
    });
    expect(calls).toEqual([{ language: 'python', labels: { a: 'b' } }, 'close']);
  });

  it('turns an unexpected package, or an error it throws, into an answer', async () => {
    expect(await openSandbox('modal', {}, async () => ({}))).toEqual({
      error: '@langchain/modal has no ModalSandbox.create: update it.',
      kind: 'unsupported',
    });
    expect(
      (await openSandbox('modal', {}, async () => ({ ModalSandbox: { create: 1 } }))) as Failure,
    ).toMatchObject({
      kind: 'unsupported',
    });
    const create = async () => ({ execute: () => undefined });
    expect(
      await openSandbox('modal', {}, async () => ({
        ModalSandbox: Object.assign(() => undefined, { create }),
      })),
    ).toMatchObject({ kind: 'unsupported', error: expect.stringContaining('made no sandbox') });
    const refuses = Object.assign(new Error('quota'), { code: 'RESOURCE_LIMIT_EXCEEDED' });
    expect(
      await openSandbox('modal', {}, async () =>
        fakeProvider({ className: 'ModalSandbox', isLossy: true, calls: [], refuses }),
      ),
    ).toEqual({ error: 'Modal: quota', kind: 'provider' });
  });
});

describeBackend(
  "openSandbox('vfs')",
  async () => ({ backend: opened(await openSandbox('vfs', {})).backend }),
  '/vfs',
);

describe("openSandbox('vfs')", () => {
  it('has its initial files below the mount, and nothing beside it', async () => {
    const { backend, close } = opened(
      await openSandbox('vfs', {
        mountPath: '/box',
        initialFiles: { '/box/a/b.txt': 'text', 'c.bin': Uint8Array.of(0, 1) },
      }),
    );
    expect((await backend.ls('/')).files?.map(({ path }) => path)).toEqual(['/box/']);
    expect((await backend.ls('/box')).files?.map(({ path }) => path)).toEqual(['/box/a/', '/box/c.bin']);
    expect((await backend.read('/box/a/b.txt')).content).toBe('text');
    expect((await backend.write('/else.txt', 'x')).kind).toBe('denied');
    expect((await backend.uploadFiles?.([['/else.txt', Uint8Array.of(1)]]))?.[0]?.error).toBe(
      'permission_denied',
    );
    expect(isSandboxBackend(backend)).toBe(false);
    await close();
  });

  it('answers every call with an error after it is closed', async () => {
    const made = opened(await openSandbox('vfs', { initialFiles: { 'a.txt': 'text' } }));
    const { backend } = made;
    await made.close();
    await made.close();
    expect(made.isRunning).toBe(false);
    const closed = { error: 'Error: the sandbox is closed.', kind: 'unsupported' };
    const answers = await Promise.all([
      backend.ls('/'),
      backend.read('/vfs/a.txt'),
      backend.readRaw('/vfs/a.txt'),
      backend.grep('text'),
      backend.glob('**'),
      backend.write('/vfs/b.txt', 'x'),
      backend.edit('/vfs/a.txt', 'text', 'x'),
      backend.delete?.('/vfs/a.txt'),
    ]);
    for (const answer of answers) expect(answer).toEqual(closed);
    const refused = 'permission_denied';
    expect(await backend.uploadFiles?.([['/vfs/b.txt', Uint8Array.of(1)]])).toEqual([
      { path: '/vfs/b.txt', error: refused },
    ]);
    expect(await backend.downloadFiles?.(['/vfs/a.txt'])).toEqual([
      { path: '/vfs/a.txt', content: null, error: refused },
    ]);
  });

  it('limits its patterns', async () => {
    const { backend } = opened(await openSandbox('vfs', {}));
    const kindOf = async (pattern: string) => (await backend.glob(pattern, '/vfs')).kind;
    expect(await kindOf('a'.repeat(512))).toBeUndefined();
    expect(await kindOf('a'.repeat(513))).toBe('too_large');
    expect(await kindOf(Array(64).fill('a').join('/'))).toBeUndefined();
    expect(await kindOf(Array(65).fill('a').join('/'))).toBe('too_large');
    expect(await kindOf(Array(16).fill('**').join('/'))).toBeUndefined();
    expect(await kindOf(Array(17).fill('**').join('/'))).toBe('too_large');
  });

  it('reports an initial file that cannot be created', async () => {
    expect(await openSandbox('vfs', { initialFiles: { '/vfs/../x': 'x' } })).toMatchObject({
      kind: 'invalid',
    });
  });
});
