import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fail } from '../../contract/result';
import { RemoteBackend } from '../../harness/backends/remote/remote-backend';
import { RemoteError, type RemoteTransport } from '../../harness/backends/remote/remote-transport';
import { connectRemote } from './remote';

class Lost extends RemoteError {
  override readonly way = 'test';
  override readonly kind = 'network';
}

/** A shell of this computer that hangs while `isStuck`, as below an engine that no longer answers. */
function setUp() {
  const state = { isStuck: false, onStart: () => {} };
  const children: ChildProcess[] = [];
  const transport: RemoteTransport = {
    id: 'stuck',
    name: 'stuck',
    start: async (command) => {
      const child = spawn('/bin/sh', ['-c', state.isStuck ? 'exec sleep 3600' : command], { stdio: 'pipe' });
      children.push(child);
      // The caller listens to it by then.
      setImmediate(state.onStart);
      return child;
    },
    terminal: async () => () => ({ file: 'true', args: [] }),
    unstarted: () => null,
    failure: async () => null,
    unable: (printed) => new Lost(printed),
    missing: ({ message }) => new Lost(message),
    drop: async () => undefined,
    close: async () => undefined,
  };
  const connect = (signal: AbortSignal) =>
    connectRemote({
      folder: tmpdir(),
      signal,
      open: (root) => new RemoteBackend(transport, root === undefined ? {} : { root }),
      refusal: ({ message }) => fail('network', 'place_unreachable', { host: 'stuck' }, message),
    });
  return { state, children, connect };
}

it('leaves no process behind if connecting or a check takes too long', async () => {
  const { state, children, connect } = setUp();
  const connected = await connect(new AbortController().signal);
  if (!connected.ok) throw new Error(connected.error.code);
  state.isStuck = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const work of [connect, connected.value.check]) {
    const controller = new AbortController();
    const started = new Promise<void>((resolve) => {
      state.onStart = resolve;
    });
    const working = expect(work(controller.signal)).rejects.toThrow('too slow');
    await started;
    controller.abort(new Error('too slow'));
    await vi.advanceTimersByTimeAsync(10_000);
    await working;
    expect(children.at(-1)?.signalCode).toBe('SIGKILL');
  }
  await connected.value.close();
});
