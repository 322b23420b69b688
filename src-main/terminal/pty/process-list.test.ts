import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { givenOutSince, listProcesses, parsePs } from './process-list';

describe('the processes of this machine', () => {
  it('are parsed from the output of ps on macOS', () => {
    const text =
      '    1     0     1 Ss   /sbin/launchd\n 5678  1234  1234 Z+   (node)\n 42 1 7 S /bin/sleep 9 A=b DEEPDESK_TERMINAL=t1\n';
    expect(
      parsePs(text).map(({ marked, ...entry }) => ({ ...entry, marked: marked('DEEPDESK_TERMINAL=t1') })),
    ).toEqual([
      { pid: 1, parent: 0, group: 1, session: 0, started: 0, zombie: false, name: 'launchd', marked: false },
      {
        pid: 5678,
        parent: 1234,
        group: 1234,
        session: 0,
        started: 0,
        zombie: true,
        name: '(node)',
        marked: false,
      },
      { pid: 42, parent: 1, group: 7, session: 0, started: 0, zombie: false, name: 'sleep', marked: true },
    ]);
  });

  it.runIf(process.platform === 'linux')('are read from /proc, without ours', async () => {
    const pids = (await listProcesses()).map(({ pid }) => pid);
    expect(pids).toContain(process.ppid);
    expect(pids).not.toContain(process.pid);
  });

  it.runIf(process.platform === 'linux')(
    'include only those started with or after a given process',
    async () => {
      const child = spawn('/bin/sleep', ['60']);
      const pids = (await listProcesses(child.pid)).map(({ pid }) => pid);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      expect(pids).toContain(child.pid);
      expect(pids).not.toContain(process.ppid);
    },
  );

  it('are distinguished from older ones even after process ids wrap around', () => {
    const pids = [1, 40, 310, 500, 501, 700, 32_000];
    expect(givenOutSince(pids, 500, 501)).toEqual([500, 501]);
    expect(givenOutSince(pids, 700, 310)).toEqual([1, 40, 310, 700, 32_000]);
    expect(givenOutSince(pids, 500, Number.POSITIVE_INFINITY)).toEqual([500, 501, 700, 32_000]);
  });
});
