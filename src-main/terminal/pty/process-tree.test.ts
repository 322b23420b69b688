import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { alive, uniqueSleep } from '../testing/processes';
import { MARK_VARIABLE, ProcessTree } from './process-tree';

/** Starts a process that leads its own session, as a terminal's shell does. */
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
  it('is killed including processes that left its session and lost their parent', async () => {
    const sleep = uniqueSleep();
    const { pid, ready, ended } = start(`(setsid sleep ${sleep} &) ; echo ready; sleep ${sleep}`, sleep);
    await ready;
    // A process is a copy of the shell until its program starts.
    await vi.waitFor(() => expect(alive(sleep)).toHaveLength(2), { timeout: 10_000, interval: 5 });
    const { names, survivors } = await new ProcessTree(pid, sleep).end(1_000);
    expect(survivors).toEqual([]);
    expect(names.filter((name) => name === 'sleep').length).toBe(2);
    await ended;
    expect(alive(sleep)).toEqual([]);
  });

  it('is killed synchronously when nothing can be awaited', async () => {
    const sleep = uniqueSleep();
    const { pid, ready, ended } = start(`trap '' TERM; echo ready; sleep ${sleep}`, sleep);
    const tree = new ProcessTree(pid, sleep);
    await ready;
    tree.killNow();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('is killed by process group when processes cannot be listed', async () => {
    const sleep = uniqueSleep();
    const { pid, ready, ended } = start(`echo ready; sleep ${sleep}`, sleep);
    await ready;
    const tree = new ProcessTree(pid, sleep, () => Promise.reject(new Error('EMFILE: too many open files')));
    expect(await tree.end(100)).toEqual({ names: [], survivors: [] });
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});
