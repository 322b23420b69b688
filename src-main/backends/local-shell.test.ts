import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeBackend } from './backend.contract';
import { scrubEnv } from './environment';
import { LocalShellBackend } from './local-shell';
import { type CommandOutcome, type CommandRunner, isSandboxBackend, type RunOptions } from './protocol';

class FakeRunner implements CommandRunner {
  readonly runs: (RunOptions & { command: string })[] = [];
  outcome: CommandOutcome = { output: 'hi\n', exitCode: 0, truncated: false, timedOut: false, durationMs: 1 };

  async run(command: string, options: RunOptions): Promise<CommandOutcome> {
    this.runs.push({ command, ...options });
    return this.outcome;
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

  it('passes on limits, the call and what it is told of the environment', async () => {
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

  it('H22 says how a command ended', async () => {
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

  it('H23 makes the initial files, once, and is not running after close', async () => {
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
  it('keeps what is known to be harmless and nothing else', () => {
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
