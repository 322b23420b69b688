import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

describe.runIf(process.platform === 'linux')('a hangup', () => {
  it('reaches what belongs to the terminal, and spares what has left it', async () => {
    const mark = `m${randomUUID()}`;
    const name = (kind: string) => `${kind}-${mark}`;
    const run = (kind: string, before: string) =>
      `${before} sh -c 'while :; do sleep 0.05; done' ${name(kind)} &`;
    // The shell alone has the mark, as on another computer.
    const inTerminal = `exec env DEEPDESK_SSH_MARK=${mark} bash --norc`;
    const shell = spawn('script', ['-qfc', inTerminal, '/dev/null'], { stdio: ['pipe', 'ignore', 'ignore'] });
    const isRunning = (kind: string) => spawnSync('pgrep', ['-f', `^sh -c .*${name(kind)}$`]).status === 0;
    try {
      shell.stdin.write(`${run('job', '')} ${run('kept', 'nohup')} ${run('apart', 'setsid')}\n`);
      await vi.waitFor(() => expect(['job', 'kept', 'apart'].map(isRunning)).toEqual([true, true, true]));
      execFileSync('sh', ['-c', hangUpOf(mark)]);
      await vi.waitFor(() => expect(isRunning('job')).toBe(false));
      expect(['kept', 'apart'].map(isRunning)).toEqual([true, true]);
    } finally {
      spawnSync('pkill', ['-KILL', '-f', mark]);
      shell.kill('SIGKILL');
    }
  });
});
