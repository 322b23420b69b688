import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { MARK_VARIABLE, ProcessTree } from './process-tree';
import { alive, uniqueSleep } from './testing/processes';

/** Leads a session of its own, as a terminal's shell does. */
function start(script: string, mark: string) {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, [MARK_VARIABLE]: mark },
  });
  const ended = once(child, 'exit');
  return { pid: child.pid ?? 0, ready: once(child.stdout, 'data'), ended };
}

describe('a process tree', () => {
  it('is ended with those that left its session and lost their parent', async () => {
    const sleep = uniqueSleep();
    const { pid, ready, ended } = start(`(setsid sleep ${sleep} &) ; echo ready; sleep ${sleep}`, sleep);
    await ready;
    // Until its program starts, a process is a copy of the shell.
    await vi.waitFor(() => expect(alive(sleep)).toHaveLength(2), { timeout: 10_000, interval: 5 });
    const { names, survivors } = await new ProcessTree(pid, sleep).end(1_000);
    expect(survivors).toEqual([]);
    expect(names.filter((name) => name === 'sleep').length).toBe(2);
    await ended;
    expect(alive(sleep)).toEqual([]);
  });

  it('is ended at once when nothing can be waited for', async () => {
    const sleep = uniqueSleep();
    const { pid, ready, ended } = start(`trap '' TERM; echo ready; sleep ${sleep}`, sleep);
    const tree = new ProcessTree(pid, sleep);
    await ready;
    tree.killNow();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('is ended where processes cannot be looked at, as far as its group goes', async () => {
    const sleep = uniqueSleep();
    const { pid, ready, ended } = start(`echo ready; sleep ${sleep}`, sleep);
    await ready;
    const tree = new ProcessTree(pid, sleep, () => Promise.reject(new Error('EMFILE: too many open files')));
    expect(await tree.end(100)).toEqual({ names: [], survivors: [] });
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});
