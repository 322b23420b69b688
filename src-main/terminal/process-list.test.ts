import { describe, expect, it } from 'vitest';
import { listProcesses, parsePs } from './process-list';

describe('the processes of this machine', () => {
  it('are read from what ps prints on macOS', () => {
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

  it.runIf(process.platform === 'linux')('are read from /proc, ours left out', async () => {
    const pids = (await listProcesses()).map(({ pid }) => pid);
    expect(pids).toContain(process.ppid);
    expect(pids).not.toContain(process.pid);
    expect((await listProcesses(process.ppid)).map(({ pid }) => pid)).not.toContain(process.ppid);
  });
});
