import { describe, expect, it } from 'vitest';
import { describeBackend } from '../backend.contract';
import { type ExecuteOptions, isSandboxBackend, type SandboxBackendProtocol } from '../commands';
import type { BackendProtocol } from '../protocol';
import { state } from '../testing/state';
import { PolicyBackend, type PolicyEvent, type PolicyOptions } from './policy';

describeBackend('PolicyBackend', async () => ({
  backend: new PolicyBackend(state(), {
    denyPrefixes: ['/denied'],
    rateLimit: { calls: 1_000, perMs: 1_000 },
    audit: () => undefined,
    inspect: () => null,
  }),
}));

/** A few files, some of them denied, and a link from `/pub` to `/secrets`. */
const withSecrets = async (policy: PolicyOptions = { denyPrefixes: ['/secrets/'] }) => {
  const inner = state();
  for (const path of ['/a/1', '/secrets/k', '/secrets/.env', '/secrets2/k', '/z/2'])
    await inner.write(path, `key of ${path}`);
  const linked: BackendProtocol = Object.assign(Object.create(inner), {
    realPath: async (path: string) => path.replace(/^\/pub(?=\/|$)/, '/secrets'),
  });
  return { inner, backend: new PolicyBackend(linked, policy) };
};

const shell = (inner: BackendProtocol, ran: string[]): SandboxBackendProtocol =>
  Object.assign(Object.create(inner), {
    id: 'shell',
    execute: async (command: string) => {
      ran.push(command);
      return { output: 'ran', exitCode: 0, truncated: false };
    },
  });

const DENIED = { error: 'Error: permission denied for read on /secrets/k', kind: 'denied' };

describe('PolicyBackend', () => {
  it('checks the canonical path and uses the same one [weak point 2]', async () => {
    const { backend } = await withSecrets();
    for (const path of ['/secrets/k', '/secrets/./k', '//secrets//k', '/./secrets/k/', '\u002fsecrets/k'])
      expect(await backend.read(path)).toEqual(DENIED);
    expect((await backend.read('/a/../secrets/k')).kind).toBe('denied');
    expect(await backend.downloadFiles(['/secrets/k', '/a/1'])).toMatchObject([
      { content: null, error: 'permission_denied' },
      { path: '/a/1', error: null },
    ]);
    expect(await backend.uploadFiles([['/secrets/new', new Uint8Array([1])]])).toEqual([
      { path: '/secrets/new', error: 'permission_denied' },
    ]);
    expect((await backend.read('/secrets2/k')).content).toBe('key of /secrets2/k');
  });

  it('lets no link lead into a denied place [weak point 2]', async () => {
    const { backend } = await withSecrets();
    expect((await backend.read('/pub/k')).kind).toBe('denied');
    expect((await backend.ls('/pub')).kind).toBe('denied');
    expect((await backend.grep('key', '/pub')).kind).toBe('denied');
  });

  it('filters results before they are cut [weak point 7]', async () => {
    const { backend } = await withSecrets();
    const all = await backend.grep('key', '/', '**/*', 3);
    expect(all).toEqual({
      matches: ['/a/1', '/secrets2/k', '/z/2'].map((path) => ({ path, line: 1, text: `key of ${path}` })),
      truncated: false,
    });
    expect((await backend.grep('key', '/', null, 2)).truncated).toBe(true);
    expect((await backend.glob('**')).files?.map(({ path }) => path)).toEqual([
      '/a/1',
      '/secrets2/k',
      '/z/2',
    ]);
    const page = await backend.ls('/', { offset: 1, limit: 2 });
    expect({ ...page, files: page.files?.map(({ path }) => path) }).toEqual({
      files: ['/secrets2/', '/z/'],
      total: 3,
    });
  });

  it('deletes nothing that contains a denied path [H38]', async () => {
    const inner = state();
    await inner.write('/home/keys/k', 'x');
    const backend = new PolicyBackend(inner, { denyPrefixes: ['/home/keys'] });
    expect(await backend.delete?.('/home')).toEqual({
      error: 'Error: permission denied for write on /home (it holds /home/keys)',
      kind: 'denied',
    });
    expect((await inner.read('/home/keys/k')).content).toBe('x');
  });

  it('runs no command beside denied places unless told to, and none that names one', async () => {
    const ran: string[] = [];
    const closed = new PolicyBackend(shell(state(), ran), { denyPrefixes: ['/secrets'] });
    expect((await closed.execute('ls')).exitCode).toBe(1);
    const open = new PolicyBackend(shell(state(), ran), { denyPrefixes: ['/secrets'], execute: 'inspect' });
    expect((await open.execute('cat /./secr"ets"/k')).output).toBe(
      'Error: permission denied: the command names /secrets',
    );
    expect((await open.execute('ls')).output).toBe('ran');
    expect(ran).toEqual(['ls']);
    expect(isSandboxBackend(open)).toBe(true);
    expect(isSandboxBackend(new PolicyBackend(state(), {}))).toBe(false);
  });

  it('rejects calls that come too fast and allows them later', async () => {
    let now = 0;
    const backend = new PolicyBackend(state(), { rateLimit: { calls: 2, perMs: 1_000 }, now: () => now });
    await backend.write('/a', 'x');
    now = 400;
    await backend.read('/a');
    expect(await backend.read('/a')).toEqual({
      error: 'Error: too many file calls (at most 2 in 1000 ms). Try again in 1 s.',
      kind: 'rate_limited',
    });
    now = 1_000;
    expect((await backend.read('/a')).content).toBe('x');
  });

  it('allows no call if its limit is 0', async () => {
    const backend = new PolicyBackend(state(), { rateLimit: { calls: 0, perMs: 1_000 } });
    expect(await backend.write('/a', 'x')).toEqual({
      error: 'Error: no file calls are allowed here.',
      kind: 'rate_limited',
    });
  });

  it('inspects contents and commands, and records everything in the audit trail', async () => {
    const events: PolicyEvent[] = [];
    const backend = new PolicyBackend(shell(state(), []), {
      now: () => 7,
      audit: (event) => events.push(event),
      inspect: (call) =>
        'content' in call && String(call.content).includes('BEGIN PRIVATE KEY')
          ? 'it holds a private key'
          : call.operation === 'execute' && call.command.includes('curl')
            ? 'it talks to the network'
            : null,
    });
    const reason = 'Error: refused by policy: it holds a private key';
    expect(await backend.write('/./k', 'BEGIN PRIVATE KEY')).toEqual({ error: reason, kind: 'denied' });
    await backend.write('/a', 'x');
    await backend.read('/no');
    await backend.execute('curl x');
    expect(events).toEqual([
      { at: 7, operation: 'write', target: '/k', outcome: 'denied', reason },
      { at: 7, operation: 'write', target: '/a', outcome: 'done' },
      { at: 7, operation: 'read', target: '/no', outcome: 'failed', reason: "File '/no' not found" },
      {
        at: 7,
        operation: 'execute',
        target: 'curl x',
        outcome: 'denied',
        reason: 'Error: refused by policy: it talks to the network',
      },
    ]);
  });

  it('rejects an invalid prefix on creation', () => {
    expect(() => new PolicyBackend(state(), { denyPrefixes: ['../x'] })).toThrow("Denied prefix '../x'");
  });

  it('records attempts to get out, results of commands, and cancellations', async () => {
    const events: PolicyEvent[] = [];
    const box = Object.assign(Object.create(state()), {
      id: 'box',
      execute: async (command: string, options?: ExecuteOptions) => {
        options?.signal?.throwIfAborted();
        // No event for a command before it has finished.
        expect(events.filter((event) => event.target === command)).toEqual([]);
        return { output: '', exitCode: command === 'false' ? 1 : 0, truncated: false };
      },
      read: async () => {
        throw new Error('stopped');
      },
    });
    const backend = new PolicyBackend(box, { now: () => 7, audit: (event) => events.push(event) });
    await backend.write('/a/../../etc/passwd', 'x');
    await backend.execute('true');
    await backend.execute('false');
    await expect(
      backend.execute('sleep 9', { signal: AbortSignal.abort(new Error('stopped')) }),
    ).rejects.toThrow();
    await expect(backend.read('/a')).rejects.toThrow('stopped');
    expect(
      events.map(({ operation, target, outcome, reason }) => [operation, target, outcome, reason]),
    ).toEqual([
      ['write', '/a/../../etc/passwd', 'denied', 'Path traversal not allowed: /a/../../etc/passwd'],
      ['execute', 'true', 'done', undefined],
      ['execute', 'false', 'failed', 'The command exited with 1'],
      ['execute', 'sleep 9', 'failed', 'stopped'],
      ['read', '/a', 'failed', 'stopped'],
    ]);
  });

  it('passes on what the backend answers about a transfer', async () => {
    const timeout = { error: 'permission_denied', kind: 'timeout' } as const;
    const tooLarge = { error: 'invalid_path', kind: 'too_large' } as const;
    const slow: BackendProtocol = Object.assign(Object.create(state()), {
      uploadFiles: async (files: [string, Uint8Array][]) => files.map(([path]) => ({ path, ...timeout })),
      downloadFiles: async (paths: string[]) => paths.map((path) => ({ path, content: null, ...tooLarge })),
    });
    const backend = new PolicyBackend(slow, {});
    expect(await backend.uploadFiles([['/./a', new Uint8Array(1)]])).toEqual([{ path: '/./a', ...timeout }]);
    expect(await backend.downloadFiles(['/./a'])).toEqual([{ path: '/./a', content: null, ...tooLarge }]);
  });

  it('counts each file of a transfer, and inspects its bytes', async () => {
    const backend = new PolicyBackend(state(), {
      rateLimit: { calls: 3, perMs: 1_000 },
      now: () => 0,
      inspect: (call) => ('content' in call && call.content.length > 2 ? 'it is too long' : null),
    });
    const bytes = (length: number) => new Uint8Array(length);
    expect(
      await backend.uploadFiles([
        ['/a', bytes(1)],
        ['/b', bytes(3)],
        ['/c', bytes(1)],
        ['/d', bytes(1)],
      ]),
    ).toEqual([
      { path: '/a', error: null },
      { path: '/b', error: 'permission_denied' },
      { path: '/c', error: null },
      { path: '/d', error: 'permission_denied' },
    ]);
  });
});
