import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdTimers } from '../../../base/testing/held-timers';
import { ProjectId, TerminalId, ThreadId } from '../../../contract/ids';
import { createCommandRunner } from '../../../terminal/command-runner';
import { TerminalSessions } from '../../../terminal/sessions';
import { alive, uniqueSleep } from '../../../terminal/testing/processes';
import { CompositeBackend } from '../composite';
import { FilesystemBackend } from '../filesystem';
import { StateBackend } from '../state';
import { LocalShellBackend, type LocalShellBackendOptions } from './local-shell';

let folder: string;
let outputs: string;
let sessions: TerminalSessions;

beforeEach(() => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'shell-')));
  folder = join(base, 'project');
  outputs = join(base, 'outputs');
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(outputs);
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
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

/** When a job counts as started: once it has finished, unless a test says otherwise. */
let jobStarted: Promise<unknown> = new Promise(() => undefined);

function create(more: Partial<LocalShellBackendOptions> = {}): LocalShellBackend {
  const runner = createCommandRunner(sessions, {
    projectId: ProjectId.parse('p'),
    threadId: ThreadId.parse('t'),
    hasPerson: () => false,
    jobStarted: () => jobStarted,
  });
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  return new LocalShellBackend({ rootDir: folder, runner, env, ...more });
}

describe('LocalShellBackend in terminals', () => {
  it('keeps the middle of a long output where the file tools can page and search it', async () => {
    const shell = create({
      maxOutputBytes: 5_000,
      outputFolder: { folder: outputs, path: '/command_output' },
    });
    const tree = new CompositeBackend(
      new StateBackend({ files: { read: () => ({}), send: () => undefined } }),
      { '/work/': shell, '/command_output/': new FilesystemBackend({ rootDir: outputs }) },
      { execute: shell },
    );
    const {
      output,
      truncated,
      outputFile = '',
    } = await tree.execute('for i in $(seq 1 3000); do echo "line $i ü€𝄞"; done; exit 2', {
      callId: 'call-1',
    });
    expect(truncated).toBe(true);
    expect(outputFile).toMatch(/^\/command_output\/call-1-[0-9a-f]{8}\.log$/);
    expect(output).toContain(`the whole output is in ${outputFile}: read it in pages with read_file`);
    expect(output.endsWith('\n\nExit code: 2')).toBe(true);
    expect(output).not.toContain('\ufffd');
    expect(await tree.read(outputFile, 1_499, 2)).toMatchObject({
      content: 'line 1500 ü€𝄞\nline 1501 ü€𝄞',
      nextOffset: 1_501,
    });
    expect((await tree.grep('line 2345 ', '/command_output')).matches).toEqual([
      { path: outputFile, line: 2_345, text: 'line 2345 ü€𝄞' },
    ]);
  });

  it('kills a command that runs out of time, with its grandchildren, and says so', async () => {
    const sleep = uniqueSleep();
    const limit = holdTimers(1_000);
    const result = await create({ timeout: 1 }).execute(
      `echo started; bash -c 'sleep ${sleep}; true'; true`,
      {
        onOutput: (text) => text.includes('started') && limit.fire(),
      },
    );
    expect(result).toEqual({
      output: 'started\n\nError: Command timed out after 1.0 seconds.',
      exitCode: 124,
      truncated: false,
      timedOut: true,
    });
    expect(alive(sleep)).toEqual([]);
  });

  it('states the folder after every command of a session, and after a timeout the previous one', async () => {
    const shell = create({ session: true });
    expect(await shell.execute('cd src; export A=1; echo hi')).toMatchObject({
      output: `hi\n[cwd: ${folder}/src]`,
      exitCode: 0,
    });
    const late = await shell.execute('cd /; sleep 60', { timeoutMs: 200 });
    expect(late.exitCode).toBe(124);
    expect(late.output).toContain('the session is unchanged');
    expect(late.output.endsWith(`\n[cwd: ${folder}/src]`)).toBe(true);
    expect((await shell.execute('echo $A; exit 9')).output).toBe(`1\n\nExit code: 9\n[cwd: ${folder}/src]`);
    await shell.close();
  });

  it('gives a command the end of its input if nobody can type', async () => {
    expect(await create().execute('cat; echo "ended $?"')).toMatchObject({ output: 'ended 0\n' });
  });

  it('starts a job, shows its output and stops it', async () => {
    const shell = create();
    const sleep = uniqueSleep();
    let hasPrinted = () => {};
    jobStarted = new Promise<void>((resolve) => {
      hasPrinted = resolve;
    });
    const { jobId = '', output } = await shell.execute(`echo up; sleep ${sleep}`, {
      background: true,
      onOutput: (text) => text.includes('up') && hasPrinted(),
    });
    expect(output).toBe('up\n');
    jobStarted = new Promise(() => undefined);
    expect(await shell.execute('exit 3', { background: true })).toEqual({
      output: '<no output>\n\nExit code: 3',
      exitCode: 3,
      truncated: false,
    });
    expect((await shell.jobs?.list())?.map(({ status }) => status)).toEqual(['running', 'exited']);
    expect(await shell.jobs?.output(jobId)).toMatchObject({ text: 'up\n', offset: 0 });
    await shell.jobs?.stop(jobId);
    expect(alive(sleep)).toEqual([]);
  });
});
