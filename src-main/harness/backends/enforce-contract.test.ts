import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SandboxBackendProtocol } from './commands';
import { CompositeBackend } from './composite';
import { enforceContract } from './enforce-contract';
import { PermissionBackend } from './policy/permissions';
import { PolicyBackend } from './policy/policy';
import type { BackendProtocol } from './protocol';
import { StateBackend } from './state';

const never = <T>() => new Promise<T>(() => undefined);

function backend(methods: Partial<SandboxBackendProtocol>): SandboxBackendProtocol {
  const none: BackendProtocol = {
    ls: never,
    read: never,
    readRaw: never,
    grep: never,
    glob: never,
    write: never,
    edit: never,
    delete: never,
  };
  const made = { ...none, id: 'test', execute: never, ...methods } as SandboxBackendProtocol;
  enforceContract(made);
  return made;
}

describe('call timeouts', () => {
  it('stop a read that hangs', async () => {
    const hanging = backend({});
    const said = { kind: 'timeout', error: expect.stringContaining('took longer than 5 ms') };
    expect(await hanging.read('/a', 0, 1, { timeoutMs: 5 })).toEqual(said);
    expect(await hanging.ls('/', { timeoutMs: 5 })).toEqual(said);
    expect(await hanging.readRaw('/a', { timeoutMs: 5 })).toEqual(said);
  });

  it('ask a change to stop, and report what came of it', async () => {
    const seen: (AbortSignal | undefined)[] = [];
    const write = (answer: 'gives up' | 'is past undoing') =>
      backend({
        write: (path, _content, options) =>
          new Promise((resolve, reject) => {
            seen.push(options?.signal);
            options?.signal?.addEventListener('abort', () =>
              answer === 'gives up' ? reject(options.signal?.reason) : resolve({ path }),
            );
          }),
      }).write('/a', 'x', { timeoutMs: 5 });
    expect((await write('gives up')).kind).toBe('timeout');
    expect(await write('is past undoing')).toEqual({ path: '/a' });
    expect(seen.map((signal) => signal?.aborted)).toEqual([true, true]);
  });

  it('are not mistaken for a cancel, which rejects with its reason', async () => {
    const stop = new AbortController();
    const slow = backend({
      edit: (_path, _from, _to, _all, options) =>
        new Promise((_, reject) => {
          options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
          stop.abort(new Error('stopped'));
        }),
    });
    await expect(
      slow.edit('/a', 'x', 'y', false, { signal: stop.signal, timeoutMs: 60_000 }),
    ).rejects.toThrow('stopped');
  });

  it('give searches a moment to return what they found', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const match = { path: '/a', line: 1, text: 'x' };
    const partial = backend({
      grep: (_p, _at, _glob, _max, options) =>
        new Promise((resolve) => {
          setTimeout(() => resolve({ matches: [match], truncated: true }), options?.timeoutMs);
        }),
    });
    const found = partial.grep('x', '/', null, null, { timeoutMs: 50 });
    const hung = partial.glob('*', '/', { timeoutMs: 50 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await found).toEqual({ matches: [match], truncated: true });
    expect(await hung).toEqual({ files: [], truncated: true });
  });
});

describe('command output', () => {
  const shell = backend({
    execute: async (_command, options) => {
      for (const text of ['one ', 'two']) options?.onOutput?.(text);
      return { output: 'one two', exitCode: 0, truncated: false };
    },
  });
  const state = () => new StateBackend({ files: { read: () => ({}), send: () => undefined } });

  it.each([
    ['a composite', new CompositeBackend(state(), { '/work/': shell }, { execute: shell })],
    ['a policy', new PolicyBackend(shell, { rateLimit: { calls: 9, perMs: 1 } })],
    ['permissions', new PermissionBackend(shell, [])],
    [
      'all of them',
      new PolicyBackend(new PermissionBackend(new CompositeBackend(state(), {}, { execute: shell }), []), {}),
    ],
  ])('streams through %s', async (_name, wrapped) => {
    const heard: string[] = [];
    await wrapped.execute('print', { onOutput: (text) => void heard.push(text) });
    expect(heard).toEqual(['one ', 'two']);
  });
});
