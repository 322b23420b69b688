import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ProjectId, TerminalId, ThreadId } from '../../../contract/ids';
import { createCommandRunner } from '../../../terminal/command-runner';
import { TerminalSessions } from '../../../terminal/sessions';
import { alive, uniqueSleep } from '../../../terminal/testing/processes';
import type { RunOptions } from '../commands';
import { type SshServer, startSshServer } from '../testing/ssh-server';
import { SshBackend } from './ssh-backend';

const started = await startSshServer();
const why = typeof started === 'string' ? ` (skipped: ${started})` : '';
const server = started as SshServer;
afterAll(async () => {
  if (typeof started !== 'string') await started.stop();
});

/** Commands of terminals in a new folder of the server. */
async function setUp(on: SshServer = server) {
  const root = mkdtempSync(join(on.home, 'folder-'));
  const { host, config, knownHosts } = on;
  const backend = new SshBackend({ host, config, knownHosts, hostKeys: [on.fingerprint], root });
  await backend.probe('true');
  const sessions = new TerminalSessions({
    now: () => Date.now(),
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: () => undefined,
    onRemoved: () => undefined,
    onData: () => undefined,
  });
  onTestFinished(async () => {
    await sessions.disposeAll();
    await backend.close();
  });
  let stdin: 'person' | 'closed' = 'person';
  const runner = createCommandRunner(sessions, {
    projectId: ProjectId.parse('p'),
    threadId: ThreadId.parse('t'),
  });
  const options = (more: Partial<RunOptions> = {}): RunOptions => ({
    cwd: on.home,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: process.env.HOME ?? '/' },
    timeoutMs: 60_000,
    maxOutputBytes: 100_000,
    sandbox: backend.terminal(() => stdin),
    ...more,
  });
  return {
    root,
    backend,
    sessions,
    run: (command: string, more?: Partial<RunOptions>) => runner.run(command, options(more)),
    start: (command: string, more?: Partial<RunOptions>) => runner.start?.(command, options(more)),
    closeInput: () => {
      stdin = 'closed';
    },
    terminal: () => {
      const info = sessions.list().at(-1);
      if (info === undefined) throw new Error('No terminal.');
      return info;
    },
  };
}

/** Calls `act` when the output contains the text. */
function once(text: string, act: () => void): (piece: string) => void {
  let printed = '';
  let isDone = false;
  return (piece) => {
    printed += piece;
    if (isDone || !printed.includes(text)) return;
    isDone = true;
    act();
  };
}

/**
 * A command that leaves a process which ignores signals in a session of its own, and one without its environment, and goes on
 * itself.
 */
function stubborn() {
  const sleep = uniqueSleep();
  const bare = `env -i /usr/bin/setsid sleep ${sleep} >/dev/null 2>&1 &`;
  const hidden = `setsid sh -c 'trap "" HUP INT TERM; sleep ${sleep}; :' & nohup sleep ${sleep} &`;
  return { sleep, command: `${hidden} ${bare} trap '' HUP; sleep ${sleep}; :` };
}

describe.skipIf(why !== '')(`Commands in a terminal of another computer${why}`, () => {
  it('run in the folder there, in a terminal, with their exit code', async () => {
    const t = await setUp();
    const ran = await t.run('pwd; test -t 0 && test -t 1 && echo terminal; exit 3');
    expect(ran).toMatchObject({ exitCode: 3, timedOut: false });
    expect(ran.output.split('\n').map((line) => line.trim())).toEqual([t.root, 'terminal', '']);
    expect(t.terminal()).toMatchObject({ machine: server.host, cwd: t.root });
    expect(t.terminal().sandboxed).toBeUndefined();
  });

  it('get what the person types', async () => {
    const t = await setUp();
    const running = t.run('echo name?; read name; echo "hello $name"', {
      onOutput: once('name?', () => t.sessions.input(t.terminal().id, 'Ada\r')),
    });
    expect((await running).output).toContain('hello Ada');
  });

  it('end with Ctrl C', async () => {
    const t = await setUp();
    const sleep = uniqueSleep();
    const running = t.run(`echo ready; sleep ${sleep}`, {
      onOutput: once('ready', () => t.sessions.input(t.terminal().id, '\x03')),
    });
    expect((await running).exitCode).toBe(130);
    await expect.poll(() => alive(sleep)).toEqual([]);
  });

  it('read the end of their input where nobody can type', async () => {
    const t = await setUp();
    t.closeInput();
    expect(await t.run('cat; echo over')).toMatchObject({
      output: expect.stringContaining('over'),
      exitCode: 0,
    });
  });

  it('leave no process behind when their time is up', async () => {
    const t = await setUp();
    const { sleep, command } = stubborn();
    expect(await t.run(command, { timeoutMs: 3_000 })).toMatchObject({ exitCode: null, timedOut: true });
    await expect.poll(() => alive(sleep)).toEqual([]);
  });

  it.each(['abort', 'person'] as const)('leave no process behind when they are stopped by %s', async (by) => {
    const t = await setUp();
    const { sleep, command } = stubborn();
    const controller = new AbortController();
    const running = t.run(command, { signal: controller.signal });
    const ended = running.catch((error: Error) => error.message);
    await expect.poll(() => alive(sleep).length, { timeout: 20_000 }).toBe(4);
    if (by === 'abort') controller.abort(new Error('stopped'));
    if (by === 'person') await t.sessions.kill(t.terminal().id);
    const outcome = await ended;
    if (by === 'abort') expect(outcome).toBe('stopped');
    else expect(outcome).toMatchObject({ exitCode: null, timedOut: false });
    await expect.poll(() => alive(sleep)).toEqual([]);
  });

  it('leave no process behind when they end', async () => {
    const t = await setUp();
    const sleep = uniqueSleep();
    expect(await t.run(`nohup sleep ${sleep} >/dev/null 2>&1 & echo started`)).toMatchObject({ exitCode: 0 });
    await expect.poll(() => alive(sleep)).toEqual([]);
  });

  it('leave no process behind when the connection breaks, and say so', async () => {
    const t = await setUp();
    const { sleep, command } = stubborn();
    const running = t.run(command);
    await expect.poll(() => alive(sleep).length, { timeout: 20_000 }).toBe(4);
    server.drop();
    const { output, exitCode } = await running;
    expect(exitCode).toBe(255);
    expect(output).toContain(`The connection to ${server.host} was lost`);
    await expect.poll(() => alive(sleep), { timeout: 20_000 }).toEqual([]);
  });

  it('run as jobs, which a stop ends there', async () => {
    const t = await setUp();
    const sleep = uniqueSleep();
    const job = await t.start(`echo listening; sleep ${sleep}`, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(job).toMatchObject({ exitCode: null, jobId: expect.any(String) });
    await expect.poll(() => alive(sleep).length, { timeout: 20_000 }).toBe(1);
    await t.sessions.kill(t.terminal().id);
    await expect.poll(() => alive(sleep), { timeout: 20_000 }).toEqual([]);
  });

  it('say that nothing ran where the server allows no further session, while its files are read', async () => {
    const few = await startSshServer('/bin/sh', 1);
    if (typeof few === 'string') throw new Error(few);
    onTestFinished(() => few.stop());
    const t = await setUp(few);
    const running = t.start('echo ready; read end', { timeoutMs: Number.POSITIVE_INFINITY });
    await running;
    writeFileSync(join(t.root, 'a.txt'), 'one');
    expect((await t.backend.read('/a.txt')).content).toBe('one');
    const { output, exitCode } = await t.run('touch ran');
    expect([exitCode, readdirSync(t.root)]).toEqual([255, ['a.txt']]);
    expect(output).toContain(`Nothing was run. ${few.host} allows no further session at the same time`);
    expect(output).not.toContain('was lost');
  });

  it('keep quotes, line breaks and dollar signs', async () => {
    const t = await setUp();
    const { output } = await t.run('a="it\'s $HOME"\nprintf "%s\\n" "$a" \'$x\'');
    const lines = output.split('\n').map((line) => line.trim());
    expect(lines[1]).toBe('$x');
    expect(lines[0]).toMatch(/^it's \/./);
  });
});
