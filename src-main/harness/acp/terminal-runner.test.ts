import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CommandRunner } from '../backends/commands';
import { LocalShellBackend } from '../backends/shell/local-shell';
import type { EditorTerminal, EditorTerminalOptions } from './host';
import { terminalRunner } from './terminal-runner';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'terminal-')));

/** Terminals as an editor opens them, with a secret of the editor in their environment. */
function editor() {
  const opened: EditorTerminalOptions[] = [];
  const calls: string[] = [];
  const openTerminal = async (options: EditorTerminalOptions): Promise<EditorTerminal> => {
    opened.push(options);
    const { command, args, env, cwd } = options;
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, EDITOR_TOKEN: 'secret', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const closed = once(child, 'close') as Promise<[number | null]>;
    return {
      id: `t${opened.length}`,
      exited: async () => ({ exitCode: (await closed)[0] }),
      output: async () => ({ output, truncated: false }),
      kill: async () => {
        calls.push('kill');
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      },
      release: async () => void calls.push('release'),
    };
  };
  return { opened, calls, openTerminal };
}

const shellOf = (runner: CommandRunner) =>
  new LocalShellBackend({
    rootDir: folder,
    runner,
    env: { PATH: process.env.PATH ?? '', NAME: "it's $HOME" },
  });

it.skipIf(process.platform === 'win32')(
  'runs a command in the editor with only its own variables',
  async () => {
    const { opened, calls, openTerminal } = editor();
    const shown: unknown[] = [];
    const runner = terminalRunner({ openTerminal, onOpened: (...given) => shown.push(given) });
    const ran = await shellOf(runner).execute('printf "%s|%s\\n" "$NAME" "$EDITOR_TOKEN"; pwd; exit 3', {
      callId: 'c1',
    });
    expect(ran).toMatchObject({ output: `it's $HOME|\n${folder}\n\nExit code: 3`, exitCode: 3 });
    expect(shown).toEqual([['t1', 'c1']]);
    expect(calls).toEqual(['release']);
    expect(opened[0]?.cwd).toBe(folder);
  },
);

it.skipIf(process.platform === 'win32')('kills a command that ran out of time or was cancelled', async () => {
  const { calls, openTerminal } = editor();
  const stop = new AbortController();
  const onOpened = (_: string, callId: string | undefined) => {
    if (callId === 'c2') stop.abort(new Error('The person stopped it.'));
  };
  const shell = shellOf(terminalRunner({ openTerminal, onOpened }));
  expect(await shell.execute('echo begun; sleep 60', { timeoutMs: 500 })).toMatchObject({
    timedOut: true,
    exitCode: 124,
  });
  const stopped = shell.execute('sleep 60', { signal: stop.signal, callId: 'c2' });
  await expect(stopped).rejects.toThrow('The person stopped it.');
  expect(calls).toEqual(['kill', 'release', 'kill', 'release']);
});

it.skipIf(process.platform === 'win32')('keeps a long output and shows its head and tail', async () => {
  const { openTerminal } = editor();
  const file = join(folder, 'out.log');
  const { writeFile } = await import('node:fs/promises');
  const runner = terminalRunner({ openTerminal, keep: (path, text) => writeFile(path, text) });
  const ran = await runner.run('seq 1 5000', {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    timeoutMs: 60_000,
    maxOutputBytes: 100,
    wholeOutput: { file, path: '/out.log' },
  });
  expect(ran).toMatchObject({ truncated: true, outputFile: '/out.log' });
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5001);
});

it.skipIf(process.platform === 'win32')(
  'says how a command ended whose long output cannot be kept',
  async () => {
    const { openTerminal } = editor();
    const keep = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    const shell = new LocalShellBackend({
      rootDir: folder,
      runner: terminalRunner({ openTerminal, keep }),
      outputFolder: { folder, path: '/outputs' },
      maxOutputBytes: 1_000,
      env: { PATH: process.env.PATH ?? '' },
    });
    const ran = await shell.execute('echo begun; head -c 5000 /dev/zero | tr "\\0" x; exit 3');
    expect(ran).toMatchObject({ output: expect.stringMatching(/^begun\n/), exitCode: 3, truncated: true });
    expect(ran.outputFile).toBeUndefined();
  },
);

it('runs the command itself, once, if the editor opens no terminal', async () => {
  let started = 0;
  const runner = terminalRunner({ openTerminal: () => Promise.reject(new Error('No terminals.')) });
  const beforeStart = async () => {
    started += 1;
  };
  expect(await shellOf(runner).execute('echo here', { beforeStart })).toMatchObject({ output: 'here\n' });
  expect(started).toBe(1);
});

it('says that the outcome is unknown if the editor loses the terminal', async () => {
  const lost: EditorTerminal = {
    id: 't',
    exited: () => Promise.reject(new Error('Closed.')),
    output: () => Promise.reject(new Error('Closed.')),
    kill: () => Promise.reject(new Error('Closed.')),
    release: () => Promise.reject(new Error('Closed.')),
  };
  const runner = terminalRunner({ openTerminal: async () => lost });
  const ran = await shellOf(runner).execute('echo here');
  expect(ran).toMatchObject({ exitCode: null, output: expect.stringContaining('unknown') });
});
