import { randomBytes } from 'node:crypto';
import { after } from '../../../base/timers';
import type { ExecuteOptions, ExecuteResponse } from '../commands';
import { quote } from '../sandbox/sandbox-scripts';

/** Seconds after which a command that ignores SIGTERM is killed. */
const KILL_AFTER = 5;
/** Milliseconds that the sandbox has to stop a command before the call gives up waiting. */
const GRACE = 10_000;

/**
 * Runs a command through a client without time limits or cancellation. The limit goes into the command if the sandbox has
 * `timeout`. Client errors become answers. Output arrives all at once. Cancel: rejects with the signal's reason. When the call
 * gives up waiting, a second command ends what runs, if the sandbox is Linux and takes commands side by side.
 */
export async function runCommand(
  execute: (command: string) => ExecuteResponse | Promise<ExecuteResponse>,
  command: string,
  { signal, timeoutMs, onOutput, beforeStart }: ExecuteOptions = {},
): Promise<ExecuteResponse> {
  signal?.throwIfAborted();
  await beforeStart?.();
  signal?.throwIfAborted();
  const isLimited = timeoutMs !== undefined && Number.isFinite(timeoutMs);
  const seconds = isLimited ? Math.max(1, Math.ceil(timeoutMs / 1000)) : null;
  const run = (text: string) =>
    Promise.resolve()
      .then(() => execute(text))
      .catch((thrown: unknown) => failed(thrown));
  const mark = signal === undefined && seconds === null ? null : randomBytes(8).toString('hex');
  const text = seconds === null ? command : limited(command, seconds);
  const running = run(mark === null ? text : `export ${MARK}=${mark}\n${text}`);
  const { promise: stopped, stop } = waitFor(signal, seconds === null ? null : seconds * 1000 + GRACE);
  let hasEnded = false;
  void running.then(() => {
    hasEnded = true;
  });
  try {
    const answer = await Promise.race([running, stopped]);
    if (answer.output !== '') onOutput?.(answer.output);
    return answer.exitCode === 124 && seconds !== null ? { ...answer, timedOut: true } : answer;
  } finally {
    stop();
    if (!hasEnded && mark !== null) void run(endScript(mark));
  }
}

/** Names what a command has started. */
const MARK = 'DEEPDESK_COMMAND';

/**
 * Ends every process with the mark in its environment, and the shell that was given it. The script must not find itself, so it
 * puts the mark together.
 */
const endScript = (mark: string): string => `m=${mark.slice(0, 8)}; m=${MARK}=$m${mark.slice(8)}
left() { for p in /proc/[0-9]*; do
  grep -qsF "$m" "$p/cmdline" "$p/environ" && kill -s "$1" "\${p#/proc/}"
done; } 2>/dev/null
left TERM; sleep ${KILL_AFTER}; left KILL`;

function limited(command: string, seconds: number): string {
  const inner = quote(command);
  return `if command -v timeout >/dev/null 2>&1
then timeout -k ${KILL_AFTER} ${seconds} sh -c ${inner}
else sh -c ${inner}
fi`;
}

function failed(thrown: unknown): ExecuteResponse {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const output = `Error: ${text}`;
  return code === 'COMMAND_TIMEOUT'
    ? { output, exitCode: 124, truncated: false, timedOut: true }
    : { output, exitCode: 1, truncated: false };
}

/** Rejects when the signal is aborted and resolves when time is up, until it is stopped. */
function waitFor(signal: AbortSignal | undefined, milliseconds: number | null) {
  let stop = () => {};
  const promise = new Promise<ExecuteResponse>((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const timer = after(milliseconds ?? Number.POSITIVE_INFINITY, () =>
      resolve({
        output: 'Error: the sandbox did not answer in time.',
        exitCode: 124,
        truncated: false,
        timedOut: true,
      }),
    );
    stop = () => {
      signal?.removeEventListener('abort', abort);
      clearTimeout(timer);
    };
  });
  return { promise, stop };
}
