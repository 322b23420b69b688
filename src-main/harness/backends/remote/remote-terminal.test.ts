import { expect, it, vi } from 'vitest';
import { remoteTerminal } from './remote-terminal';
import type { RemoteTransport } from './remote-transport';

const transport = {
  name: 'server',
  unstarted: () => null,
  terminal: async () => () => ({ file: 'true', args: [] as string[] }),
} as unknown as RemoteTransport;

it.each([
  ['a stop', null, 1_000, 'has not confirmed yet'],
  ['a lost connection', 255, 30_000, 'was lost'],
])('does not wait long for a machine that does not answer after %s', async (_what, exitCode, limit, note) => {
  vi.useFakeTimers();
  try {
    const silent = () => new Promise<never>(() => undefined);
    const terminal = remoteTerminal({ transport, probe: silent, root: '/' }, () => 'closed');
    const entered = await terminal.enter({ cwd: '/', writable: [], access: 'read-write' });
    const leaving = entered.leave({ output: '', exitCode });
    await vi.advanceTimersByTimeAsync(limit);
    expect(await leaving).toMatchObject({ refused: [], note: expect.stringContaining(note) });
  } finally {
    vi.useRealTimers();
  }
});
