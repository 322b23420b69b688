import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hangUpOf, processesOf, programsIn } from './remote-command';

it.skipIf(process.platform !== 'linux')(
  'names the programs of a shell, but neither the shell nor what has left it',
  async () => {
    const mark = `m${process.pid}`;
    const shell = spawn(
      'sh',
      ['-c', '(sleep 47 >/dev/null &); sh -c "sleep 48; :" & sleep 49 & echo begun; wait'],
      {
        env: { ...process.env, DEEPDESK_SSH_MARK: mark },
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    let printed = '';
    shell.stdout.on('data', (bytes) => {
      printed += String(bytes);
    });
    onTestFinished(() => {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    });
    while (!printed.includes('begun')) await once(shell.stdout, 'data');
    const names = () =>
      programsIn(execFileSync('sh', ['-c', processesOf(mark)], { encoding: 'utf8' })).sort();
    await expect.poll(names).toEqual(['sh', 'sleep', 'sleep']);
    const line = (pid: number, name: string, state: string, parent: number) =>
      `${pid} (${name}) ${state} ${parent}${' 0'.repeat(17)} ${pid}`;
    const lines = [line(12, 'a) b', 'S', 1), line(13, 'c (d)', 'S', 12), line(14, 'gone', 'Z', 12)];
    expect(programsIn([...lines, line(15, 'tmux', 'S', 1), line(16, 'vi', 'S', 15)].join('\n'))).toEqual([
      'c (d)',
    ]);
  },
);

/** The ids of processes whose command line has a text in it. */
const processesWith = (text: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);

describe.runIf(process.platform === 'linux')('a hangup', () => {
  it('reaches what belongs to the terminal, and spares what has left it', async () => {
    const mark = `m${randomUUID()}`;
    const run = (kind: string, before: string) =>
      `${before} sh -c 'while :; do sleep 0.05; done' ${kind}-${mark} > /dev/null 2>&1 &`;
    const isRunning = (kind: string) => processesWith(`\0${kind}-${mark}`).length > 0;
    // The shell alone has the mark, as on another computer. `script` of util-linux gives it a terminal.
    const inTerminal = `exec env DEEPDESK_SSH_MARK=${mark} bash --norc`;
    const terminal = spawn('script', ['-qfc', inTerminal, '/dev/null'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => {
      for (const pid of processesWith(mark)) process.kill(pid, 'SIGKILL');
    });
    terminal.stdin.write(`${run('job', '')} ${run('kept', 'nohup')} ${run('apart', 'setsid')}\n`);
    await expect
      .poll(() => ['job', 'kept', 'apart'].map(isRunning), { timeout: 10_000 })
      .toEqual([true, true, true]);
    execFileSync('sh', ['-c', hangUpOf(mark)]);
    await expect.poll(() => isRunning('job'), { timeout: 10_000 }).toBe(false);
    expect(['kept', 'apart'].map(isRunning)).toEqual([true, true]);
  });
});
