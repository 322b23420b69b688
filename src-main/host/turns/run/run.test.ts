import { expect, it, vi } from 'vitest';
import { ThreadId } from '../../../contract/ids';
import { fail, ok } from '../../../contract/result';
import { compactThread } from './run';

it('shows other processes that a thread is taken while it is being summarized', async () => {
  vi.useFakeTimers();
  try {
    const leases = {
      acquire: () => ok(undefined),
      isFree: () => true,
      heartbeat: vi.fn(() => true),
      release: vi.fn(),
    };
    let finish: (made: null) => void = () => undefined;
    const slow = new Promise<null>((resolve) => {
      finish = resolve;
    });
    const { error } = fail('internal', 'external', { text: 'Nothing fails here.' });
    const run = { compact: () => slow, explain: () => error, observer: { close: () => undefined } };
    const options = {
      storage: {
        leases,
        lock: { wait: () => undefined, begin: () => undefined, isHeld: () => false, onHeld: () => undefined },
      },
      prepare: async () => ok(run),
      onScratchChanged: () => undefined,
      report: () => undefined,
    };
    const done = compactThread({ id: ThreadId.parse('t1') }, options, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(60_000);
    // A lease lasts half a minute.
    expect(leases.heartbeat.mock.calls.length).toBeGreaterThan(2);
    expect(leases.release).not.toHaveBeenCalled();
    finish(null);
    expect(await done).toEqual(ok(null));
    expect(leases.release).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
