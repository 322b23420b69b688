import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adaptBackendProtocol } from '../adapt';
import { describeBackend } from '../backend.contract';
import { type CommandOutcome, type CommandRunner, isSandboxBackend, type RunOptions } from '../commands';
import { CompositeBackend } from '../composite';
import { PolicyBackend } from '../policy/policy';
import { StateBackend } from '../state';
import { scrubEnv } from './environment';
import { LocalShellBackend } from './local-shell';

class FakeRunner implements CommandRunner {
  readonly endedSessions: string[] = [];
  readonly runs: (RunOptions & { command: string })[] = [];
  outcome: CommandOutcome = { output: 'hi\n', exitCode: 0, truncated: false, timedOut: false, durationMs: 1 };

  async run(command: string, options: RunOptions): Promise<CommandOutcome> {
    this.runs.push({ command, ...options });
    return this.outcome;
  }

  endSession(name: string): void {
    this.endedSessions.push(name);
  }
}

let rootDir: string;
let runner: FakeRunner;
beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'deepdesk-shell-'));
  runner = new FakeRunner();
});
afterEach(() => rmSync(rootDir, { recursive: true, force: true }));

describeBackend('LocalShellBackend', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-contract-'));
  return {
    backend: new LocalShellBackend({ rootDir: folder, runner: new FakeRunner() }),
    close: () => rmSync(folder, { recursive: true, force: true }),
    forgetsCreation: true,
  };
});

describe('LocalShellBackend', () => {
  it('runs in the root folder with the defaults and an empty environment', async () => {
    const backend = new LocalShellBackend({ rootDir, runner });
    expect(await backend.execute('echo hi')).toEqual({ output: 'hi\n', exitCode: 0, truncated: false });
    expect(runner.runs).toEqual([
      { command: 'echo hi', cwd: rootDir, env: {}, timeoutMs: 120_000, maxOutputBytes: 100_000 },
    ]);
    expect(isSandboxBackend(backend)).toBe(true);
    expect(backend.id).toMatch(/^local-[0-9a-f]{8}$/);
  });

  it('passes on the limits, the call and the environment that it is given', async () => {
    const backend = new LocalShellBackend({
      rootDir,
      runner,
      timeout: 5,
      inheritEnv: { PATH: '/bin', A: '1' },
      env: { A: '2' },
    });
    const { signal } = new AbortController();
    const onOutput = () => undefined;
    await backend.execute('x', { signal, onOutput, callId: 'c1' });
    await backend.execute('x', { timeoutMs: 7 });
    expect(runner.runs.map(({ env, timeoutMs, callId }) => ({ env, timeoutMs, callId }))).toEqual([
      { env: { PATH: '/bin', A: '2' }, timeoutMs: 5_000, callId: 'c1' },
      { env: { PATH: '/bin', A: '2' }, timeoutMs: 7, callId: undefined },
    ]);
    expect(runner.runs[0]).toMatchObject({ signal, onOutput });
  });

  it("names a file for all of a long output by its call, with the tools' path", async () => {
    const outputFolder = { folder: '/data/outputs', path: '/command_output/' };
    const backend = new LocalShellBackend({ rootDir, runner, outputFolder });
    runner.outcome = { ...runner.outcome, truncated: true, outputFile: '/command_output/a.log' };
    expect(await backend.execute('x', { callId: 'call.1/2' })).toMatchObject({
      outputFile: '/command_output/a.log',
    });
    await backend.execute('x', { callId: 'call_1_2' });
    await backend.execute('x');
    const [one, two, three] = runner.runs.map(({ wholeOutput }) => wholeOutput);
    expect(one?.path).toMatch(/^\/command_output\/call_1_2-[0-9a-f]{8}\.log$/);
    expect(one?.file).toBe(join('/data/outputs', one?.path.split('/').at(-1) ?? ''));
    expect(new Set([one?.path, two?.path, three?.path]).size).toBe(3);
  });

  it('says that a changed folder does not last', async () => {
    const backend = new LocalShellBackend({ rootDir, runner });
    const note = `[The next command starts in ${rootDir} again.]`;
    for (const command of ['cd src', 'make && cd src; ls', 'x\ncd src', 'if true; then cd a; fi', 'pushd a'])
      expect((await backend.execute(command)).output).toBe(`hi\n${note}`);
    for (const command of ['(cd src && ls)', 'echo cd src', 'abcd x', 'git commit -m "cd x"'])
      expect((await backend.execute(command)).output).toBe('hi\n');
  });

  it('states the folder after every command of a session, and ends the session on close', async () => {
    const backend = new LocalShellBackend({ rootDir, runner, session: true });
    runner.outcome = { ...runner.outcome, cwd: join(rootDir, 'src') };
    expect((await backend.execute('cd src')).output).toBe(`hi\n[cwd: ${rootDir}/src]`);
    expect(runner.runs[0]?.session).toBe(backend.id);
    await backend.close();
    expect(runner.endedSessions).toEqual([backend.id]);
  });

  it('starts a job if the runner can, without a time limit', async () => {
    const backend = new LocalShellBackend({ rootDir, runner });
    expect(backend.jobs).toBe(undefined);
    expect(await backend.execute('serve', { background: true })).toMatchObject({ exitCode: 1 });
    const jobs = { list: async () => [], output: async () => ({}), stop: async () => ({}) };
    const able = Object.assign(new FakeRunner(), {
      jobs,
      start: async (command: string, options: RunOptions) => {
        able.runs.push({ command, ...options });
        return { ...able.outcome, exitCode: null, jobId: 'j1' };
      },
    });
    const other = new LocalShellBackend({ rootDir, runner: able });
    expect(other.jobs).toBe(jobs);
    expect(await other.execute('serve', { background: true })).toEqual({
      output: 'hi\n',
      exitCode: null,
      truncated: false,
      jobId: 'j1',
    });
    await other.execute('serve', { background: true, timeoutMs: 5 });
    expect(able.runs.map(({ timeoutMs }) => timeoutMs)).toEqual([Number.POSITIVE_INFINITY, 5]);
    // Whatever wraps the backend still exposes them.
    const composite = new CompositeBackend(new StateBackend(), { '/work/': other }, { execute: other });
    const policy = new PolicyBackend(composite, {});
    expect([composite.jobs, await policy.jobs?.list()]).toEqual([jobs, await jobs.list()]);
    const adapted = adaptBackendProtocol(other);
    expect('jobs' in adapted && adapted.jobs).toBe(jobs);
  });

  it('starts no job that a policy refuses', async () => {
    const backend = new PolicyBackend(new LocalShellBackend({ rootDir, runner }), { execute: 'deny' });
    expect(await backend.execute('serve', { background: true })).toMatchObject({ exitCode: 1 });
    expect(runner.runs).toEqual([]);
  });

  it('says how a command exited [H22]', async () => {
    const backend = new LocalShellBackend({ rootDir, runner });
    const answer = async (outcome: Partial<CommandOutcome>) => {
      runner.outcome = {
        output: 'out\n',
        exitCode: 0,
        truncated: false,
        timedOut: false,
        durationMs: 1,
        ...outcome,
      };
      return backend.execute('x');
    };
    expect(await answer({ output: '' })).toEqual({ output: '<no output>', exitCode: 0, truncated: false });
    expect(await answer({ exitCode: 42 })).toEqual({
      output: 'out\n\nExit code: 42',
      exitCode: 42,
      truncated: false,
    });
    expect(await answer({ truncated: true })).toEqual({
      output: 'out\n\n\n... Output truncated at 100000 bytes.',
      exitCode: 0,
      truncated: true,
    });
    expect(await answer({ timedOut: true, exitCode: null, output: '' })).toEqual({
      output: 'Error: Command timed out after 120.0 seconds.',
      exitCode: 124,
      truncated: false,
      timedOut: true,
    });
  });

  it('runs nothing for an empty command', async () => {
    const backend = new LocalShellBackend({ rootDir, runner });
    expect(await backend.execute('  ')).toEqual({
      output: 'Error: Command must be a non-empty string.',
      exitCode: 1,
      truncated: false,
    });
    expect(runner.runs).toEqual([]);
  });

  it('writes the initial files once, and is not running after close [H23]', async () => {
    const folder = join(rootDir, 'new');
    const initialFiles = { '/a.txt': 'one', '/deep/er/b.txt': new Uint8Array([50]) };
    const backend = await LocalShellBackend.create({ rootDir: folder, runner, initialFiles });
    expect([(await backend.read('/a.txt')).content, (await backend.read('/deep/er/b.txt')).content]).toEqual([
      'one',
      '2',
    ]);
    await expect(backend.initialize()).rejects.toMatchObject({ code: 'ALREADY_INITIALIZED' });
    expect(backend.isRunning).toBe(true);
    await backend.close();
    expect(backend.isRunning).toBe(false);
    await expect(
      LocalShellBackend.create({ rootDir: folder, runner, initialFiles: { '/../x': '' } }),
    ).rejects.toMatchObject({
      code: 'FILE_OPERATION_FAILED',
    });
  });
});

describe('the environment of commands', () => {
  it('keeps only names that are known to be harmless', () => {
    expect(
      scrubEnv({
        PATH: '/bin',
        Home: '/root',
        LC_ALL: 'C.UTF-8',
        TERM: 'xterm',
        ANTHROPIC_API_KEY: 'k',
        GITHUB_TOKEN: 't',
        AWS_PROFILE: 'p',
        DEEPDESK_X: 'd',
        ELECTRON_RUN_AS_NODE: '1',
        NODE_OPTIONS: '--inspect',
        LD_PRELOAD: 'x.so',
        SSH_AUTH_SOCK: '/s',
        SOMETHING: 'else',
        EMPTY: undefined,
      }),
    ).toEqual({ PATH: '/bin', Home: '/root', LC_ALL: 'C.UTF-8', TERM: 'xterm' });
  });
});
