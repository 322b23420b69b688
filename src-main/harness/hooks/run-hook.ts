import { spawn } from 'node:child_process';
import type { CommandSandbox } from '../backends/commands';
import { endGroup } from '../backends/shell/pipe-runner';

/** Bytes of the answer; a longer one is an error. */
export const MAX_ANSWER = 64 * 1024;
/** Bytes kept of what a hook prints as errors. */
const MAX_ERRORS = 2 * 1024;
/** Milliseconds that a hook has to exit after it was asked to. */
const GRACE = 1_000;

export interface HookProcess {
  command: string;
  /** Folder that it starts in. */
  cwd: string;
  /** Its whole environment. */
  env: Record<string, string>;
  /** For its standard input. */
  input: string;
  timeoutMs: number;
  /** Null: it can reach whatever this user can. */
  sandbox: CommandSandbox | null;
  signal: AbortSignal;
}

export type HookExit =
  | { kind: 'exited'; code: number | null; answer: string; errors: string }
  | { kind: 'timed_out' }
  | { kind: 'too_long' }
  | { kind: 'not_started'; problem: string };

/**
 * Runs a hook's command in a shell and collects its answer. Everything it starts ends with it. Rejects with the signal's
 * reason.
 */
export async function runHook(hook: HookProcess): Promise<HookExit> {
  const { sandbox, cwd, signal } = hook;
  signal.throwIfAborted();
  try {
    const entered = (await sandbox?.enter({ cwd })) ?? null;
    let exit: HookExit = { kind: 'timed_out' };
    try {
      exit = await runOnce(hook, (program) => entered?.wrap(program) ?? program);
    } finally {
      await entered?.leave({ output: '', exitCode: exit.kind === 'exited' ? exit.code : null });
    }
    return exit;
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'not_started', problem: error instanceof Error ? error.message : String(error) };
  }
}

const isWindows = process.platform === 'win32';

interface Program {
  file: string;
  args: readonly string[];
}

const programFor = (command: string): Program =>
  isWindows
    ? { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${command}"`] }
    : { file: '/bin/sh', args: ['-c', command] };

function runOnce(
  { command, cwd, env, input, timeoutMs, signal }: HookProcess,
  wrap: (program: Program) => Program,
): Promise<HookExit> {
  const { file, args } = wrap(programFor(command));
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...args], {
      cwd,
      env,
      // A separate process group, which can be killed as a whole.
      detached: !isWindows,
      windowsVerbatimArguments: isWindows,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const answer: Buffer[] = [];
    let size = 0;
    let errors = Buffer.alloc(0);
    let ended: 'timed_out' | 'too_long' | undefined;
    let killing: NodeJS.Timeout | undefined;
    const stop = () => {
      endGroup(child, 'SIGTERM');
      killing ??= setTimeout(() => endGroup(child, 'SIGKILL'), GRACE);
    };
    const end = (why: typeof ended) => {
      ended ??= why;
      stop();
    };
    const timer = setTimeout(() => end('timed_out'), timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    const over = () => {
      clearTimeout(timer);
      clearTimeout(killing);
      signal.removeEventListener('abort', stop);
    };
    child.stdout.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size > MAX_ANSWER) end('too_long');
      else answer.push(bytes);
    });
    child.stderr.on('data', (bytes: Buffer) => {
      errors = Buffer.concat([errors, bytes]).subarray(-MAX_ERRORS);
    });
    // A hook need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => {
      over();
      reject(error);
    });
    child.on('exit', () => {
      // Processes left behind would hold the pipes open. Those that left the group are not waited for.
      endGroup(child, 'SIGKILL');
      clearTimeout(timer);
      clearTimeout(killing);
      killing = setTimeout(() => {
        for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      }, GRACE);
    });
    child.on('close', (code) => {
      over();
      if (signal.aborted) reject(signal.reason as Error);
      else if (ended !== undefined) resolve({ kind: ended });
      else
        resolve({
          kind: 'exited',
          code,
          answer: Buffer.concat(answer).toString('utf8'),
          errors: errors.toString('utf8').trim(),
        });
    });
  });
}
