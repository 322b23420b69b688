import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProjectId, TerminalId, ThreadId } from '../contract/ids';
import type { RunOptions } from '../harness/backends/protocol';
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

/** `run` with the signal aborted as soon as the command has printed `ready`. */
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
  it('starts nothing where it fails, and lets the command run where it does not [safety 9]', async () => {
    const beforeStart = () => Promise.reject(new Error('changed since'));
    await expect(run('touch made', { beforeStart })).rejects.toThrow('changed since');
    expect(sessions.list()).toEqual([]);
    expect(await run('ls', { beforeStart: async () => undefined })).toMatchObject({
      output: '',
      exitCode: 0,
    });
  });
});

describe('what a command gives back', () => {
  it('is its output and exit code', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toEqual({
      output: 'out\nerr\n',
      exitCode: 3,
      truncated: false,
      timedOut: false,
      durationMs: expect.any(Number),
    });
  });

  it('is 128 and the signal where one ended it', async () => {
    expect(await run('kill -KILL $$')).toMatchObject({ exitCode: 137, timedOut: false });
  });

  it('has no colours, which the terminal keeps', async () => {
    expect((await run("printf '\\033[31mred\\033[0m\\n'")).output).toBe('red\n');
    const [terminal] = sessions.list();
    const attached = terminal && sessions.attach(terminal.id);
    expect(attached?.ok && attached.value.data).toBe('\x1b[31mred\x1b[0m\r\n');
  });

  it('keeps only the last state of a progress bar', async () => {
    expect((await run("printf '10%%\\r50%%\\r100%%\\nend\\n'")).output).toBe('100%\nend\n');
  });

  it('keeps characters that arrive in pieces', async () => {
    const text = '€𝄞ü\n'.repeat(3_000);
    writeFileSync(join(folder, 'text'), text);
    for (let i = 0; i < 20; i += 1) expect((await run('cat text')).output === text).toBe(true);
    expect((await run("printf '\\342'; sleep 0.05; printf '\\202\\254'")).output).toBe('€');
  });

  it('is head and tail of 5 MB of output, within the cap', async () => {
    const { output, truncated } = await run('seq 1 700000', { maxOutputBytes: 10_000 });
    expect(truncated).toBe(true);
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(10_000);
    expect(output.startsWith('1\n2\n3\n')).toBe(true);
    expect(output.endsWith('\n699999\n700000\n')).toBe(true);
    expect(output).toContain('characters left out; ');
  });

  it('streams as it comes', async () => {
    const pieces: string[] = [];
    await run('echo one; echo two', { onOutput: (text) => pieces.push(text) });
    expect(pieces.join('')).toBe('one\r\ntwo\r\n');
  });

  it('says when the folder is gone', async () => {
    expect(await run('true', { cwd: join(folder, 'gone') })).toMatchObject({
      output: `The folder ${folder}/gone no longer exists.`,
      exitCode: 127,
    });
  });
});

describe('what a command sees', () => {
  it('is the given environment and folder, a terminal, and no pager or editor', async () => {
    const { output } = await run(
      'pwd; echo "$SECRET|$MINE|$PAGER|$GIT_EDITOR|$TERM"; test -t 0 && test -t 1 && echo tty',
      {
        env: { PATH: process.env.PATH ?? '', MINE: 'yes', GIT_EDITOR: 'ed' },
      },
    );
    expect(output).toBe(`${folder}\n|yes|cat|ed|xterm-256color\ntty\n`);
  });

  it('is no descriptor of another terminal', async () => {
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

  it('is what the person types', async () => {
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

describe('with nobody to type', () => {
  const alone = (command: string) => run(command, {}, () => false);

  it('a command finds its input at its end, and still has a terminal to print on', async () => {
    expect(await alone('cat; read x; echo "[$x] $?"; test -t 1 && echo tty')).toMatchObject({
      output: '[] 1\ntty\n',
      exitCode: 0,
      timedOut: false,
    });
  });

  it('a pipe and a heredoc still feed what they feed', async () => {
    expect((await alone("echo a | cat; cat <<'E'\nb\nE\ncat < <(echo c)")).output).toBe('a\nb\nc\n');
  });

  it('it is asked again for every command', async () => {
    let isThere = false;
    const ask = () => isThere;
    expect((await run('test -t 0; echo $?', {}, ask)).output).toBe('1\n');
    isThere = true;
    expect((await run('test -t 0; echo $?', {}, ask)).output).toBe('0\n');
  });
});

describe('a flood', () => {
  it('of 200,000 lines on standard error is survived, its whole in a file', async () => {
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

  it('that is cancelled leaves no file', async () => {
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

  it('whose file cannot be written is answered all the same', async () => {
    writeFileSync(join(folder, 'file'), '');
    const outcome = await run('seq 1 100000', {
      maxOutputBytes: 10_000,
      wholeOutput: { file: join(folder, 'file/all.log'), path: '/x.log' },
    });
    expect(outcome.outputFile).toBe(undefined);
    expect(outcome.output).toMatch(/they could not be kept in a file: (EEXIST|ENOTDIR): [a-z ]+ …\]/);
    expect(outcome.output.endsWith('\n99999\n100000\n')).toBe(true);
  });

  it('that fits is kept in no file', async () => {
    const file = join(folder, 'all.log');
    const outcome = await run('seq 1 10', { wholeOutput: { file, path: '/x.log' } });
    expect([outcome.outputFile, outcome.truncated, readdirSync(folder)]).toEqual([undefined, false, []]);
  });
});

describe('what a command leaves behind', () => {
  it('does not make it wait', async () => {
    const sleep = uniqueSleep();
    const { output } = await run(`sleep ${sleep} & echo hi`);
    // If the command had waited for it, the process would have ended by itself.
    expect(output).toMatch(/^hi\n\[1 process left running in the background stopped with the command: .+\]$/);
    expect(alive(sleep)).toEqual([]);
  });

  it('is ended and named, even with a session of its own', async () => {
    const sleep = uniqueSleep();
    const { output } = await run(`nohup sleep ${sleep} >/dev/null 2>&1 & setsid -f sleep ${sleep}; echo hi`);
    // Which names depends on how far each of the two has come.
    expect(output).toMatch(
      /^hi\n\[2 processes left running in the background stopped with the command: .+\]$/,
    );
    expect(alive(sleep)).toEqual([]);
  });
});

describe('a command out of time', () => {
  it('ends with its grandchildren', async () => {
    const sleep = uniqueSleep();
    const outcome = await run(`bash -c 'sleep ${sleep}; true'; true`, { timeoutMs: 300 });
    expect(outcome).toMatchObject({ exitCode: null, timedOut: true });
    expect(alive(sleep)).toEqual([]);
    expect(sessions.list()[0]).toMatchObject({ status: 'timed_out', exitCode: null });
  });

  it('ends when it ignores SIGTERM', async () => {
    const sleep = uniqueSleep();
    const outcome = await run(`trap '' TERM HUP; while :; do sleep ${sleep}; done`, { timeoutMs: 200 });
    expect(outcome).toMatchObject({ exitCode: null, timedOut: true });
    expect(alive(sleep)).toEqual([]);
  });
});

describe('a cancelled command', () => {
  it('never starts when the signal was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(run('touch ran', { signal })).rejects.toThrow('too late');
    expect(readdirSync(folder)).toEqual([]);
    expect(sessions.list()).toEqual([]);
  });

  it('rejects with the reason when its whole tree is gone, other sessions too', async () => {
    const sleep = uniqueSleep();
    const command = `setsid sleep ${sleep} & (setsid -f nohup sleep ${sleep}) & env -i setsid sleep ${sleep} & echo ready; wait`;
    await expect(abortWhenReady(command)).rejects.toThrow('stopped by test');
    expect(alive(sleep)).toEqual([]);
  });

  it('leaves nothing of an endless flood', async () => {
    await expect(abortWhenReady('yes ready')).rejects.toThrow('stopped by test');
    expect(sessions.list().map(({ status }) => status)).toEqual(['stopped']);
  });

  it('is distinguished from one that the user stopped', async () => {
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
