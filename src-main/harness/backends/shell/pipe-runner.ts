import { type ChildProcess, spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { after } from '../../../base/timers';
import { optional } from '../../../contract/shared/optional';
import type { CommandOutcome, CommandRunner, EnteredSandbox, RunOptions } from '../commands';
import { HeadAndTail } from '../text/head-and-tail';

/** Milliseconds that a command has to exit after it was asked to. */
const GRACE = 1_000;

/**
 * Runs each command in a separate shell without a terminal. Its output comes through one pipe, so that errors appear where
 * they were printed. Everything it starts is in one process group, which ends with it.
 */
export const pipeRunner: CommandRunner = {
  run: (command, options) => confined(options, (entered) => runOnce(command, options, entered)),
};

/** Runs a command in its sandbox, if it has one, and adds what the sandbox blocked to the outcome. */
export async function confined(
  options: RunOptions,
  run: (entered: EnteredSandbox | null) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  options.signal?.throwIfAborted();
  const { sandbox, cwd, callId, access } = options;
  const entered = (await sandbox?.enter({ cwd, ...optional({ callId, access }) })) ?? null;
  let outcome: CommandOutcome = nothingRan('');
  try {
    await options.beforeStart?.();
    options.signal?.throwIfAborted();
    outcome = await run(entered);
  } finally {
    const report = await entered?.leave({ output: outcome.output, exitCode: outcome.exitCode });
    if (report?.note) outcome.output = `${outcome.output.trimEnd()}\n\n${report.note}`;
    if (report !== undefined && report.refused.length > 0) outcome.refused = report.refused;
  }
  return outcome;
}

export const nothingRan = (output: string): CommandOutcome => ({
  output,
  exitCode: 1,
  truncated: false,
  timedOut: false,
  durationMs: 0,
});

const isWindows = process.platform === 'win32';

/** The shell redirects errors into the output pipe before it becomes the shell that runs the command. */
const programFor = (command: string) =>
  isWindows
    ? { file: process.env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', `"(${command}) 2>&1"`] }
    : { file: '/bin/sh', args: ['-c', 'exec /bin/sh -c "$0" 2>&1', command] };

function runOnce(
  command: string,
  options: RunOptions,
  entered: EnteredSandbox | null,
): Promise<CommandOutcome> {
  const { cwd, env, timeoutMs, maxOutputBytes, signal, onOutput, onStopped } = options;
  const started = performance.now();
  const program = programFor(command);
  const { file, args } = entered?.wrap(program) ?? program;
  return new Promise((resolve, reject) => {
    let child: ChildProcess;
    try {
      child = spawn(file, args, {
        cwd,
        env,
        // A separate process group, which can be killed as a whole.
        detached: !isWindows,
        windowsVerbatimArguments: isWindows,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch (thrown) {
      resolve(notStarted(thrown, cwd));
      return;
    }
    const output = new HeadAndTail(maxOutputBytes);
    const decoder = new StringDecoder();
    let timedOut = false;
    let killing: NodeJS.Timeout | undefined;
    const stop = () => {
      endGroup(child, 'SIGTERM');
      killing ??= setTimeout(() => endGroup(child, 'SIGKILL'), GRACE);
    };
    const timer = after(timeoutMs, () => {
      timedOut = true;
      stop();
    });
    signal?.addEventListener('abort', stop, { once: true });
    const over = () => {
      clearTimeout(timer);
      clearTimeout(killing);
      signal?.removeEventListener('abort', stop);
    };
    child.stdout?.on('data', (bytes: Buffer) => {
      output.push(bytes);
      onOutput?.(decoder.write(bytes));
    });
    child.on('error', (error) => {
      over();
      resolve(notStarted(error, cwd));
    });
    child.on('exit', () => {
      // Processes left behind would hold the pipe open. Those that left the group are not waited for.
      endGroup(child, 'SIGKILL');
      clearTimeout(timer);
      clearTimeout(killing);
      // A busy event loop runs the timer before it reads the pipe.
      killing = setTimeout(() => setImmediate(() => child.stdout?.destroy()), GRACE);
    });
    child.on('close', (exitCode) => {
      over();
      const { text, truncated } = output.end();
      if (signal?.aborted) {
        onStopped?.({ output: text, truncated });
        reject(signal.reason as Error);
        return;
      }
      const durationMs = performance.now() - started;
      resolve({ output: text, exitCode, truncated, timedOut, durationMs });
    });
  });
}

/** The system limits the length of a command, often to 128 KiB, and names the shell if the folder is missing. */
async function notStarted(error: unknown, cwd: string): Promise<CommandOutcome> {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'E2BIG')
    return nothingRan(
      'Error: the command is too long for this system, so it did not run. Write its data to a file first, and use the file in a short command.',
    );
  if (code === 'ERR_INVALID_ARG_VALUE') return nothingRan('Error: a command cannot contain a NUL character.');
  const isMissing =
    code === 'ENOENT' &&
    (await access(cwd).then(
      () => false,
      () => true,
    ));
  return nothingRan(
    isMissing ? `Error: the folder ${cwd} does not exist.` : `Error executing command: ${message}`,
  );
}

/** Signals everything that the child has started. */
export function endGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  if (isWindows) {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => undefined);
    return;
  }
  try {
    process.kill(-pid, name);
  } catch {
    // The whole group is already gone.
  }
}
