import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProjectId, TerminalId, ThreadId } from '../contract/ids';
import type { RunOptions } from '../harness/backends/commands';
import { createCommandRunner } from './command-runner';
import { TerminalSessions } from './sessions';
import { alive, uniqueSleep } from './testing/processes';

let folder: string;
let sessions: TerminalSessions;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'runner-')));
  sessions = new TerminalSessions({
    now: () => Date.now(),
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: () => undefined,
    onRemoved: () => undefined,
    onData: () => undefined,
  });
});

afterEach(async () => {
  await sessions.disposeAll();
  rmSync(folder, { recursive: true, force: true });
});

function run(command: string, options: Partial<RunOptions> = {}, hasPerson?: () => boolean) {
  const runner = createCommandRunner(sessions, {
    projectId: ProjectId.parse('p'),
    threadId: ThreadId.parse('t'),
    ...(hasPerson ? { hasPerson } : {}),
  });
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  return runner.run(command, { cwd: folder, env, timeoutMs: 20_000, maxOutputBytes: 100_000, ...options });
}

/** Calls `run` and aborts the signal as soon as the command has printed `ready`. */
async function abortWhenReady(command: string) {
  const controller = new AbortController();
  return run(command, {
    signal: controller.signal,
    onOutput: (text) => {
      if (text.includes('ready')) controller.abort(new Error('stopped by test'));
    },
  });
}

describe('the last check before a command starts', () => {
  it('prevents the command from starting when it fails, and lets it run when it passes [safety 9]', async () => {
    const beforeStart = () => Promise.reject(new Error('changed since'));
    await expect(run('touch made', { beforeStart })).rejects.toThrow('changed since');
    expect(sessions.list()).toEqual([]);
    expect(await run('ls', { beforeStart: async () => undefined })).toMatchObject({
      output: '',
      exitCode: 0,
    });
  });
});

describe('the result of a command', () => {
  it('contains its output and exit code', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toEqual({
      output: 'out\nerr\n',
      exitCode: 3,
      truncated: false,
      timedOut: false,
      durationMs: expect.any(Number),
    });
  });

  it('has exit code 128 plus the signal number when a signal killed the command', async () => {
    expect(await run('kill -KILL $$')).toMatchObject({ exitCode: 137, timedOut: false });
  });

  it('has no colors, but the terminal keeps them', async () => {
    expect((await run("printf '\\033[31mred\\033[0m\\n'")).output).toBe('red\n');
    const [terminal] = sessions.list();
    const attached = terminal && sessions.attach(terminal.id);
    expect(attached?.ok && attached.value.data).toBe('\x1b[31mred\x1b[0m\r\n');
  });

  it('keeps only the final state of a progress bar', async () => {
    expect((await run("printf '10%%\\r50%%\\r100%%\\nend\\n'")).output).toBe('100%\nend\n');
  });

  it('keeps characters that arrive in parts', async () => {
    const text = '€𝄞ü\n'.repeat(3_000);
    writeFileSync(join(folder, 'text'), text);
    for (let i = 0; i < 20; i += 1) expect((await run('cat text')).output === text).toBe(true);
    expect((await run("printf '\\342'; sleep 0.05; printf '\\202\\254'")).output).toBe('€');
  });

  it('contains the head and tail of 5 MB of output, within the limit', async () => {
    const { output, truncated } = await run('seq 1 700000', { maxOutputBytes: 10_000 });
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(10_000);
    expect(output.startsWith('1\n2\n3\n')).toBe(true);
    expect(output.endsWith('\n699999\n700000\n')).toBe(true);
    expect(output).toContain('characters left out; ');
  });

  it('streams output while the command runs', async () => {
    const pieces: string[] = [];
    await run('echo one; echo two', { onOutput: (text) => pieces.push(text) });
    expect(pieces.join('')).toBe('one\r\ntwo\r\n');
  });

  it('reports that the folder is gone', async () => {
    expect(await run('true', { cwd: join(folder, 'gone') })).toMatchObject({
      output: `The folder ${folder}/gone no longer exists.`,
      exitCode: 127,
    });
  });
});

describe('the environment of a command', () => {
  it('has the given variables and folder, a terminal, and no pager or editor', async () => {
    const { output } = await run(
      'pwd; echo "$SECRET|$MINE|$PAGER|$GIT_EDITOR|$TERM"; test -t 0 && test -t 1 && echo tty',
      {
        env: { PATH: process.env.PATH ?? '', MINE: 'yes', GIT_EDITOR: 'ed' },
      },
    );
    expect(output).toBe(`${folder}\n|yes|cat|ed|xterm-256color\ntty\n`);
  });

  it('has no descriptor of another terminal', async () => {
    const other = sessions.open({
      kind: 'agent',
      projectId: ProjectId.parse('p'),
      threadId: null,
      callId: null,
      command: 'cat',
      cwd: folder,
      env: {},
    });
    expect(other.ok).toBe(true);
    expect((await run('readlink /proc/$$/fd/*')).output).not.toContain('ptmx');
  });

  it('receives what the user types', async () => {
    let asked = false;
    const { output, exitCode } = await run('read -p "name? " x; echo "got $x"', {
      onOutput: (text) => {
        const [terminal] = sessions.list();
        if (asked || !text.includes('name?') || !terminal) return;
        asked = true;
        sessions.input(terminal.id, 'Ada\r');
      },
    });
    expect({ output, exitCode }).toEqual({ output: 'name? Ada\ngot Ada\n', exitCode: 0 });
  });
});

describe('when nobody can type', () => {
  const alone = (command: string) => run(command, {}, () => false);

  it('gives the command an input at end of file and a terminal for output', async () => {
    expect(await alone('cat; read x; echo "[$x] $?"; test -t 1 && echo tty')).toMatchObject({
      output: '[] 1\ntty\n',
      exitCode: 0,
      timedOut: false,
    });
  });

  it('leaves pipes and heredocs working', async () => {
    expect((await alone("echo a | cat; cat <<'E'\nb\nE\ncat < <(echo c)")).output).toBe('a\nb\nc\n');
  });

  it('checks for a person again before every command', async () => {
    let isThere = false;
    const ask = () => isThere;
    expect((await run('test -t 0; echo $?', {}, ask)).output).toBe('1\n');
    isThere = true;
    expect((await run('test -t 0; echo $?', {}, ask)).output).toBe('0\n');
  });
});

describe('a flood of output', () => {
  it('keeps all 200,000 lines of standard error in a file', async () => {
    const file = join(folder, 'all.log');
    const outcome = await run('seq 1 200000 >&2', {
      maxOutputBytes: 10_000,
      wholeOutput: { file, path: '/command_output/all.log' },
    });
    expect(outcome).toMatchObject({ exitCode: 0, truncated: true, outputFile: '/command_output/all.log' });
    expect(outcome.output.startsWith('1\n2\n')).toBe(true);
    expect(outcome.output.endsWith('\n199999\n200000\n')).toBe(true);
    expect(outcome.output).toContain('the whole output is in /command_output/all.log');
    const whole = Array.from({ length: 200_000 }, (_, i) => `${i + 1}\n`).join('');
    expect(readFileSync(file, 'utf8') === whole).toBe(true);
  });

  it('leaves no file after the command is canceled', async () => {
    const controller = new AbortController();
    const file = join(folder, 'all.log');
    let seen = 0;
    const flood = run('yes', {
      signal: controller.signal,
      wholeOutput: { file, path: '/x.log' },
      onOutput: (text) => {
        seen += text.length;
        if (seen > 5_000_000) controller.abort(new Error('stopped by test'));
      },
    });
    await expect(flood).rejects.toThrow('stopped by test');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('still returns a result when the file cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    const outcome = await run('seq 1 100000', {
      maxOutputBytes: 10_000,
      wholeOutput: { file: join(folder, 'file/all.log'), path: '/x.log' },
    });
    expect(outcome.outputFile).toBe(undefined);
    expect(outcome.output).toMatch(/they could not be kept in a file: (EEXIST|ENOTDIR): [a-z ]+ …\]/);
    expect(outcome.output.endsWith('\n99999\n100000\n')).toBe(true);
  });

  it('writes no file when the output fits', async () => {
    const file = join(folder, 'all.log');
    const outcome = await run('seq 1 10', { wholeOutput: { file, path: '/x.log' } });
    expect([outcome.outputFile, outcome.truncated, readdirSync(folder)]).toEqual([undefined, false, []]);
  });
});

describe('a process that a command leaves running', () => {
  it('does not make the command wait', async () => {
    const sleep = uniqueSleep();
    const { output } = await run(`sleep ${sleep} & echo hi`);
    // If the command had waited for the process, the process would have exited normally.
    expect(output).toMatch(/^hi\n\[1 process left running in the background stopped with the command: .+\]$/);
    expect(alive(sleep)).toEqual([]);
  });

  it('is killed and named, even in its own session', async () => {
    const sleep = uniqueSleep();
    const { output } = await run(`nohup sleep ${sleep} >/dev/null 2>&1 & setsid -f sleep ${sleep}; echo hi`);
    // The names depend on how far each of the two processes has started.
    expect(output).toMatch(
      /^hi\n\[2 processes left running in the background stopped with the command: .+\]$/,
    );
    expect(alive(sleep)).toEqual([]);
  });
});

describe('a command that times out', () => {
  it('is killed together with its grandchildren', async () => {
    const sleep = uniqueSleep();
    const outcome = await run(`bash -c 'sleep ${sleep}; true'; true`, { timeoutMs: 300 });
    expect(outcome).toMatchObject({ exitCode: null, timedOut: true });
    expect(alive(sleep)).toEqual([]);
    expect(sessions.list()[0]).toMatchObject({ status: 'timed_out', exitCode: null });
  });

  it('runs on while it is asked about, for as long as it is given, and is asked about once more', async () => {
    const asked: number[] = [];
    const ends: string[] = [];
    const asking = createCommandRunner(sessions, {
      projectId: ProjectId.parse('p'),
      threadId: ThreadId.parse('t'),
      moreTime: async ({ timeoutMs }, over) => {
        asked.push(timeoutMs);
        over.addEventListener('abort', () => ends.push('over'));
        return asked.length < 3 ? 50 : null;
      },
    });
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
    const options = { cwd: folder, env, timeoutMs: 100, maxOutputBytes: 100_000 };
    const outcome = await asking.run('echo $$; sleep 600', options);
    expect(outcome).toMatchObject({ exitCode: null, timedOut: true });
    expect(asked).toEqual([100, 100, 100]);
    expect(outcome.durationMs).toBeGreaterThanOrEqual(200);
    expect(ends).toEqual(['over', 'over', 'over']);
  });

  it('may end while it is asked about', async () => {
    const waiting = createCommandRunner(sessions, {
      projectId: ProjectId.parse('p'),
      threadId: ThreadId.parse('t'),
      moreTime: () => {
        writeFileSync(join(folder, 'asked'), '');
        return new Promise(() => undefined);
      },
    });
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
    const options = { cwd: folder, env, timeoutMs: 100, maxOutputBytes: 100_000 };
    const outcome = await waiting.run('until [ -e asked ]; do sleep 0.02; done; echo done', options);
    expect(outcome).toMatchObject({ exitCode: 0, timedOut: false, output: 'done\n' });
  });

  it('is killed even if it ignores SIGTERM', async () => {
    const sleep = uniqueSleep();
    const outcome = await run(`trap '' TERM HUP; while :; do sleep ${sleep}; done`, { timeoutMs: 200 });
    expect(outcome).toMatchObject({ exitCode: null, timedOut: true });
    expect(alive(sleep)).toEqual([]);
  });
});

describe('a canceled command', () => {
  it('never starts if the signal was aborted first', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(run('touch ran', { signal })).rejects.toThrow('too late');
    expect(readdirSync(folder)).toEqual([]);
    expect(sessions.list()).toEqual([]);
  });

  it('rejects with the reason after its whole tree has exited, including other sessions', async () => {
    const sleep = uniqueSleep();
    const command = `setsid sleep ${sleep} & (setsid -f nohup sleep ${sleep}) & env -i setsid sleep ${sleep} & echo ready; wait`;
    await expect(abortWhenReady(command)).rejects.toThrow('stopped by test');
    expect(alive(sleep)).toEqual([]);
  });

  it('leaves nothing behind from an endless flood', async () => {
    await expect(abortWhenReady('yes ready')).rejects.toThrow('stopped by test');
    expect(sessions.list().map(({ status }) => status)).toEqual(['stopped']);
  });

  it('is distinguished from a command that the user stopped', async () => {
    const { output, exitCode, timedOut } = await run('echo ready; sleep 60', {
      onOutput: (text) => {
        const [terminal] = sessions.list();
        if (terminal && text.includes('ready')) void sessions.kill(terminal.id);
      },
    });
    expect({ output, exitCode, timedOut }).toEqual({
      output: 'ready\n[The person stopped this command in the terminal.]',
      exitCode: null,
      timedOut: false,
    });
  });
});
