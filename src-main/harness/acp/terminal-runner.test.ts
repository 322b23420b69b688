import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../base/deferred';
import type { CommandRunner } from '../backends/commands';
import { LocalShellBackend } from '../backends/shell/local-shell';
import { pipeRunner } from '../backends/shell/pipe-runner';
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

describe('an editor that does not answer', () => {
  const never = <T>() => new Promise<T>(() => undefined);
  /** A terminal that answers nothing but what is given. */
  const silent = (answers: Partial<EditorTerminal> = {}): EditorTerminal => ({
    id: 't',
    exited: never,
    output: never,
    kill: never,
    release: never,
    ...answers,
  });
  const RUN = { cwd: folder, env: {}, timeoutMs: 60_000, maxOutputBytes: 1_000 };
  const notRun = { ...pipeRunner, run: () => Promise.reject(new Error('It may run already.')) };

  afterEach(() => void vi.useRealTimers());

  it('can be stopped while it opens a terminal, and the terminal that it opens later is closed', async () => {
    const { promise, resolve } = deferred<EditorTerminal>();
    const stop = new AbortController();
    const openTerminal = () => {
      setImmediate(() => stop.abort(new Error('The person stopped it.')));
      return promise;
    };
    const runner = terminalRunner({ openTerminal, otherwise: notRun });
    await expect(runner.run('sleep 60', { ...RUN, signal: stop.signal })).rejects.toThrow(
      'The person stopped it.',
    );
    const calls: string[] = [];
    resolve(silent({ release: async () => void calls.push('release') }));
    await vi.waitFor(() => expect(calls).toEqual(['release']));
  });

  it.each<[string, EditorTerminal | null]>([
    ['open a terminal', null],
    ['tell what a command printed', silent({ exited: async () => ({ exitCode: 0 }) })],
  ])('to %s: how the command ended is unknown, and it is not run again', async (_, terminal) => {
    vi.useFakeTimers();
    const openTerminal = () => (terminal === null ? never<EditorTerminal>() : Promise.resolve(terminal));
    const ran = terminalRunner({ openTerminal, otherwise: notRun }).run('echo here', RUN);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await ran).toMatchObject({
      exitCode: null,
      output: expect.stringMatching(/^The editor .* unknown/),
    });
  });

  it('to kill a command: it can be stopped, and times out', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const runner = terminalRunner({ openTerminal: async () => silent(), otherwise: notRun });
    const late = runner.run('sleep 60', RUN);
    const stopped = runner.run('sleep 60', { ...RUN, signal: stop.signal });
    const reason = expect(stopped).rejects.toThrow('The person stopped it.');
    await vi.advanceTimersByTimeAsync(1_000);
    stop.abort(new Error('The person stopped it.'));
    await vi.advanceTimersByTimeAsync(80_000);
    await reason;
    expect(await late).toMatchObject({ exitCode: null, timedOut: true });
  });

  it('to release a terminal: the outcome is known', async () => {
    vi.useFakeTimers();
    const terminal = silent({
      exited: async () => ({ exitCode: 3 }),
      output: async () => ({ output: 'here', truncated: false }),
    });
    const ran = terminalRunner({ openTerminal: async () => terminal }).run('echo here; exit 3', RUN);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await ran).toMatchObject({ exitCode: 3, output: 'here' });
  });
});
