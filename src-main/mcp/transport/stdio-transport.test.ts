import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { because } from '../../contract/shared/reasons';
import { StdioTransport } from './stdio-transport';

it('stops a program that reads nothing, instead of keeping everything that it is sent', async () => {
  const transport = new StdioTransport({
    command: '/bin/sleep',
    args: ['1000'],
    cwd: tmpdir(),
    env: {},
    own: (pid) => {
      const killNow = () => {
        try {
          process.kill(-pid, 'SIGKILL');
        } catch {
          // It has ended already.
        }
      };
      return { killNow, end: async () => killNow() };
    },
    onErrorOutput: () => undefined,
    onJunk: () => undefined,
  });
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  // As for pings in a loop.
  const answer = { jsonrpc: '2.0' as const, id: 1, result: { text: 'x'.repeat(9_000_000) } };
  const answering = async () => {
    for (let sent = 0; sent < 10; sent += 1) await transport.send(answer);
  };
  await expect(answering()).rejects.toThrow();
  await closed;
  expect(transport.ending).toEqual(because('mcp_unresponsive'));
});
