import { anyObject, type Checks, checkOptions, func } from '../../base/check-options';
import { after } from '../../base/timers';
import type { CommandOutcome, CommandRunner, EnteredSandbox, RunOptions } from '../backends/commands';
import { confined, nothingRan, pipeRunner } from '../backends/shell/pipe-runner';
import { HeadAndTail } from '../backends/text/head-and-tail';
import type { EditorTerminal, EditorTerminalOptions, EditorTools } from './host';

/** Options of `terminalRunner`. */
export interface TerminalRunnerOptions {
  /** Opens a terminal in the editor: `editor.openTerminal` of a session. */
  openTerminal: NonNullable<EditorTools['openTerminal']>;
  /** Runs background jobs, and commands for which the editor opens no terminal. Default: a shell without a terminal. */
  otherwise?: CommandRunner;
  /** Whether a command runs in the editor. Default: every command. */
  runsInEditor?(callId: string | undefined): boolean;
  /** A terminal was opened for a call. */
  onOpened?(terminalId: string, callId: string | undefined): void;
  /** Plain text of what a terminal printed. Default: unchanged. */
  plainText?(output: string): string;
  /** Keeps all of a long output. If it rejects, only head and tail are kept. */
  keep?(file: string, text: string): Promise<void>;
}

const CHECKS: Checks<TerminalRunnerOptions> = {
  openTerminal: func,
  otherwise: anyObject,
  runsInEditor: func,
  onOpened: func,
  plainText: func,
  keep: func,
};

/** Bytes of an output that is kept whole. */
const MAX_KEPT = 20_000_000;
/** Milliseconds that an editor has to open a terminal. It may be on another machine, or ask the person. */
const OPENED_WITHIN = 30_000;
/** Milliseconds that an editor has to end a command, to tell what it printed, and to release its terminal. */
const ANSWERED_WITHIN = 5_000;

/**
 * Runs commands in terminals of the editor, where the person sees them. Each gets exactly the variables of its call, and its
 * sandbox if it has one. Windows has no such shell, so commands there run as `otherwise` does.
 */
export function terminalRunner(options: TerminalRunnerOptions): CommandRunner {
  checkOptions('terminalRunner', options, CHECKS, ['openTerminal']);
  const { otherwise = pipeRunner } = options;
  return {
    ...otherwise,
    run: async (command, run) => {
      const isInEditor = options.runsInEditor?.(run.callId) ?? true;
      if (process.platform === 'win32' || run.session !== undefined || !isInEditor)
        return otherwise.run(command, run);
      let terminal: EditorTerminal | null | undefined;
      const began = performance.now();
      const outcome = await confined(run, async (entered) => {
        terminal = await open(command, run, entered, options);
        if (terminal === undefined)
          return {
            ...unknown('did not say whether it opened a terminal'),
            durationMs: performance.now() - began,
          };
        return terminal === null ? nothingRan('') : watch(terminal, run, options);
      });
      if (terminal !== null) return outcome;
      // `beforeStart` was called, and nothing has started since.
      const { beforeStart: _, ...again } = run;
      return otherwise.run(command, again);
    },
  };
}

/**
 * Null if the editor refused, undefined if it did not answer: then the command may run, and its terminal is closed once the
 * editor names it.
 */
async function open(
  command: string,
  run: RunOptions,
  entered: EnteredSandbox | null,
  { openTerminal, onOpened }: TerminalRunnerOptions,
): Promise<EditorTerminal | null | undefined> {
  const opening = openTerminal(terminalFor(command, run, entered)).catch(() => null);
  const { signal, callId } = run;
  const terminal = await within(OPENED_WITHIN, opening, signal);
  if (terminal === undefined) void opening.then((late) => late?.release()).catch(() => undefined);
  else if (terminal !== null) onOpened?.(terminal.id, callId);
  if (terminal === undefined) signal?.throwIfAborted();
  return terminal;
}

/** Undefined if the answer takes longer, or the signal aborts before. */
function within<T>(ms: number, answer: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  let giveUp = () => {};
  const late = new Promise<undefined>((resolve) => {
    giveUp = () => resolve(undefined);
  });
  const timer = setTimeout(giveUp, ms);
  signal?.addEventListener('abort', giveUp, { once: true });
  return Promise.race([answer, late]).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  });
}

function terminalFor(
  command: string,
  { env, cwd, maxOutputBytes, wholeOutput }: RunOptions,
  entered: EnteredSandbox | null,
): EditorTerminalOptions {
  const program = { file: '/bin/sh', args: ['-c', command] };
  const { file, args } = entered?.wrap(program) ?? program;
  const names = Object.keys(env).filter((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  // The editor adds variables to its own. Values are passed on by name, so that no other program sees them.
  const only = names.map((name) => `${name}="$${name}"`).join(' ');
  return {
    command: '/bin/sh',
    args: ['-c', `exec /usr/bin/env -i ${only} "$0" "$@"`, file, ...args],
    env,
    cwd,
    maxOutputBytes: wholeOutput === undefined ? maxOutputBytes : MAX_KEPT,
  };
}

async function watch(
  terminal: EditorTerminal,
  run: RunOptions,
  { plainText = (text) => text, keep }: TerminalRunnerOptions,
): Promise<CommandOutcome> {
  const { signal, timeoutMs, maxOutputBytes, wholeOutput, onStopped, onOutput } = run;
  const began = performance.now();
  let timedOut = false;
  let giveUp: NodeJS.Timeout | undefined;
  let lose!: (error: Error) => void;
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  const kill = () => {
    terminal.kill().catch(lose);
    giveUp ??= setTimeout(() => lose(new Error('It does not end the command.')), ANSWERED_WITHIN);
  };
  const expire = () => {
    timedOut = true;
    kill();
  };
  const timer = after(timeoutMs, expire);
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted) kill();
  try {
    const { exitCode } = await Promise.race([terminal.exited(), lost]);
    const printed = await within(ANSWERED_WITHIN, terminal.output());
    if (printed === undefined) throw new Error('It does not tell what the command printed.');
    const text = plainText(printed.output);
    onOutput?.(text);
    const bounded = new HeadAndTail(maxOutputBytes);
    bounded.push(Buffer.from(text));
    const kept = bounded.end();
    const truncated = kept.truncated || printed.truncated;
    if (signal?.aborted) onStopped?.({ output: kept.text, truncated });
    signal?.throwIfAborted();
    const outcome = { exitCode: timedOut ? null : exitCode, timedOut, durationMs: performance.now() - began };
    if (!truncated || wholeOutput === undefined || keep === undefined)
      return { ...outcome, output: kept.text, truncated };
    // The disk may be full.
    const isKept = await keep(wholeOutput.file, text).then(
      () => true,
      () => false,
    );
    return { ...outcome, output: kept.text, truncated, ...(isKept && { outputFile: wholeOutput.path }) };
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    return { ...unknown(`lost the terminal (${why})`), timedOut, durationMs: performance.now() - began };
  } finally {
    clearTimeout(timer);
    clearTimeout(giveUp);
    signal?.removeEventListener('abort', kill);
    await within(
      ANSWERED_WITHIN,
      terminal.release().catch(() => undefined),
    );
  }
}

const unknown = (what: string): CommandOutcome => ({
  ...nothingRan(`The editor ${what}, so how the command ended is unknown.`),
  exitCode: null,
});
