import { setTimeout as delay } from 'node:timers/promises';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { CallId, type ProjectId, type TerminalId, type ThreadId } from '../contract/ids';
import { fail } from '../contract/result';
import { optional } from '../contract/shared/optional';
import type { CommandOutcome, CommandRunner, EnteredSandbox, RunOptions } from '../harness/backends/protocol';
import { BoundedOutput, type Spill } from './bounded-output';
import { notStarted, report, withNotes, withReport } from './command-outcome';
import { createJobControl, jobIdOf } from './jobs';
import { OutputFile } from './output-file';
import { PlainText, plainText } from './plain-text';
import type { Session, SessionOutcome } from './session';
import type { TerminalSessions } from './sessions';
import { ShellSession } from './shell-session';

/** Milliseconds between SIGTERM and SIGKILL for a command out of time or cancelled: it had its time. */
const GRACE = 200;
/** Longest time Node.js can count, in milliseconds; about 25 days. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;
/** Milliseconds after which a job that has not failed by itself is said to have started. */
const FIRST_LOOK = 400;

export interface CommandRunnerOptions {
  projectId: ProjectId;
  threadId: ThreadId;
  /** A terminal was opened for a call, before its first output. */
  onOpened?(terminalId: TerminalId, callId: string | undefined): void;
  /** Whether somebody could type into the terminal: where not, commands find their input at its end. Default: yes. */
  hasPerson?(): boolean;
  /** What takes out of an output, as it comes, what must not be kept in a file. Created for each. */
  redaction?(): TextFilter;
  /** Resolves when a job that has not ended yet counts as started. Default: after 400 milliseconds. */
  jobStarted?(signal: AbortSignal): Promise<unknown>;
}

/** Text goes in in pieces, and comes out changed, later. */
export interface TextFilter {
  push(text: string): string;
  /** The rest; nothing comes after it. */
  end(): string;
}

/**
 * Runs each command of one thread in a terminal of its own, by `/bin/bash -c` (`/bin/sh` where there is none, PowerShell on
 * Windows), leading its own session.
 *
 * - The command is over when the shell is. Whatever it left running (`server &`, `nohup`, `setsid`) is ended then and
 *   named at the end of the output: nothing the agent starts goes on unseen. What should go on is started as a job.
 * - The person may type into the terminal; a command that waits for input waits until its timeout. With nobody there,
 *   its input is at its end, except that of a job.
 * - Timeout: the whole tree is ended (SIGTERM, 200 ms later SIGKILL), `timedOut`, no exit code. Abort: the same, then
 *   `onStopped` is told what it had printed and the promise rejects with the signal's reason.
 * - Ended by the person in the terminal: no exit code, and the output says so.
 * - `output`: plain text as in `PlainText`, at most `maxOutputBytes` (head and tail) plus those notes. With `wholeOutput`
 *   an output that is longer is kept in that file, as plain text, up to 200 MB; the program waits for the disk.
 * - A command that cannot start (its folder is gone): exit code 127 and the reason as output.
 * - `session`: see `ShellSession`; commands of one session run one after the other.
 * - `sandbox`: the command runs inside it, and what it was refused is said at the end of the output. Sessions inside and
 *   outside share nothing. A sandbox that cannot be prepared: exit code 127, nothing was run.
 * - Jobs end with the thread (`TerminalSessions.endOf`) and with the app.
 */
export function createCommandRunner(
  sessions: TerminalSessions,
  options: CommandRunnerOptions,
): CommandRunner {
  const terminals = { sessions, options };
  const shells = new Shells(terminals);
  return {
    run: (command, run) =>
      run.session === undefined ? runOnce(terminals, command, run) : shells.run(run.session, command, run),
    start: (command, run) => startJob(terminals, command, run),
    jobs: createJobControl(sessions, options.threadId),
    endSession: (key) => shells.end(key),
  };
}

/** Where the commands of one thread run. */
interface Terminals {
  sessions: TerminalSessions;
  options: CommandRunnerOptions;
}

function open({ sessions, options }: Terminals, command: string, run: RunOptions, more: Opening = {}) {
  const opened = sessions.open({
    kind: 'agent',
    projectId: options.projectId,
    threadId: options.threadId,
    callId: run.callId === undefined ? null : CallId.parse(run.callId),
    command,
    cwd: run.cwd,
    env: run.env,
    // A job holds nobody up, and many servers end when their input does.
    stdin: more.background || options.hasPerson?.() !== false ? 'person' : 'closed',
    ...more,
  });
  if (opened.ok) options.onOpened?.(opened.value.info.id, run.callId);
  return opened;
}

async function runOnce(
  terminals: Terminals,
  command: string,
  run: RunOptions,
  shell?: { script: string; folder: string },
): Promise<CommandOutcome> {
  const script = shell === undefined ? {} : { script: shell.script };
  return confined(run, shell === undefined ? [] : [shell.folder], (box) =>
    runIn(terminals, box, command, run, script),
  );
}

async function runIn(
  terminals: Terminals,
  box: EnteredSandbox | null,
  command: string,
  run: RunOptions,
  more: Opening,
): Promise<CommandOutcome> {
  await run.beforeStart?.();
  run.signal?.throwIfAborted();
  const began = performance.now();
  const opened = open(terminals, command, run, box === null ? more : { ...more, wrap: box.wrap });
  if (!opened.ok) return notStarted(inEnglish(opened.error));
  const session = opened.value;
  const { wholeOutput } = run;
  const file = wholeOutput && fileOf(wholeOutput.file, session);
  const filter = terminals.options.redaction?.();
  const output = new BoundedOutput(run.maxOutputBytes, file && filtered(file, filter));
  session.listen((data) => {
    output.push(data);
    run.onOutput?.(data);
  });
  const outcome = await ended(session, run);
  if (run.signal?.aborted) {
    await file?.discard();
    output.end();
    const { text, truncated } = output.finish();
    run.onStopped?.({ output: text, truncated });
  }
  run.signal?.throwIfAborted();
  const isLong = output.end();
  if (isLong && filter !== undefined) file?.write(filter.end());
  const kept =
    isLong && file && wholeOutput ? { ...(await file.finish()), path: wholeOutput.path } : undefined;
  const answer = report(outcome, output.finish(kept), performance.now() - began);
  return kept !== undefined && kept.problem === undefined ? { ...answer, outputFile: kept.path } : answer;
}

/** The shells of a thread's sessions, by name. */
class Shells {
  private readonly shells = new Map<string, ShellSession>();

  constructor(private readonly terminals: Terminals) {}

  run(key: string, command: string, run: RunOptions): Promise<CommandOutcome> {
    // What a confined command hands over is run by the next: one that is not confined must never take it.
    const own = run.sandbox === undefined ? key : `${key}${CONFINED[run.access ?? 'read-write']}`;
    const shell = this.shells.get(own) ?? new ShellSession(run.cwd);
    this.shells.set(own, shell);
    return shell.inTurn(async () => {
      run.signal?.throwIfAborted();
      const { script, folder, takeOver } = await shell.prepare(command);
      const outcome = await runOnce(this.terminals, command, { ...run, cwd: shell.cwd }, { script, folder });
      const notes = await takeOver(outcome.exitCode !== null);
      return { ...withNotes(outcome, notes), cwd: shell.cwd };
    });
  }

  async end(key: string): Promise<void> {
    const names = [key, ...Object.values(CONFINED).map((mark) => `${key}${mark}`)];
    const ended = names.map((own) => this.shells.get(own));
    for (const own of names) this.shells.delete(own);
    await Promise.all(ended.map((shell) => shell?.close()));
  }
}

async function startJob(
  terminals: Terminals,
  command: string,
  run: RunOptions,
): Promise<CommandOutcome & { jobId?: string }> {
  run.signal?.throwIfAborted();
  const began = performance.now();
  const box = await enter(run, []);
  if (box !== null && 'problem' in box) return notStarted(box.problem);
  await run.beforeStart?.().catch(async (error: unknown) => {
    await box?.leave({ output: '' });
    throw error;
  });
  const opened = run.signal?.aborted
    ? fail('cancelled', 'cancelled')
    : open(terminals, command, run, { background: true, ...(box === null ? {} : { wrap: box.wrap }) });
  if (!opened.ok) {
    await box?.leave({ output: '' });
    run.signal?.throwIfAborted();
    return notStarted(inEnglish(opened.error));
  }
  return watchStart(terminals, { session: opened.value, box, began }, run);
}

/** Follows a job that was opened until it failed or counts as started. */
async function watchStart(
  { sessions, options }: Terminals,
  { session, box, began }: { session: Session; box: EnteredSandbox | null; began: number },
  run: RunOptions,
): Promise<CommandOutcome & { jobId?: string }> {
  const over = session.ended.then(({ exitCode }) =>
    box === null ? null : box.leave({ output: plainText(session.recorded().data), exitCode }),
  );
  if (box !== null) sessions.beforeQuitting(over.catch(() => null));
  const { wholeOutput } = run;
  const output = new BoundedOutput(run.maxOutputBytes);
  const stopListening = session.listen((data) => {
    output.push(data);
    run.onOutput?.(data);
  });
  if (wholeOutput) sessions.beforeQuitting(keepAll(session, wholeOutput.file, options.redaction?.()));
  limitTime(session, run.timeoutMs);
  const outcome = await outcomeAtStart(session, run.signal, options.jobStarted);
  if (run.signal?.aborted) await session.ended;
  run.signal?.throwIfAborted();
  stopListening();
  const durationMs = performance.now() - began;
  const where = wholeOutput ? { outputFile: wholeOutput.path } : {};
  if (outcome !== null) {
    const ended = report(outcome, output.finish(), durationMs);
    return { ...withReport(ended, await over), ...where };
  }
  const { text, truncated } = output.finish();
  const jobId = jobIdOf(session.info);
  return { output: text, exitCode: null, truncated, timedOut: false, durationMs, jobId, ...where };
}

/** Ends a job once its time is over, if there is a limit. */
function limitTime(session: Session, timeoutMs: number): void {
  if (timeoutMs >= LONGEST_TIMEOUT) return;
  const timer = setTimeout(() => void session.end('timed_out', GRACE), timeoutMs);
  void session.ended.then(() => clearTimeout(timer));
}

/** How a job ended before it counted as started; null where it goes on. The signal ends it until then. */
async function outcomeAtStart(
  session: Session,
  signal: AbortSignal | undefined,
  jobStarted: (signal: AbortSignal) => Promise<unknown> = (looked) =>
    delay(FIRST_LOOK, null, { signal: looked }),
): Promise<SessionOutcome | null> {
  const looked = new AbortController();
  const stop = () => void session.end('stopped', GRACE);
  signal?.addEventListener('abort', stop, { once: true });
  const outcome = await Promise.race([
    session.ended,
    jobStarted(looked.signal).then(
      () => null,
      () => null,
    ),
  ]);
  looked.abort();
  signal?.removeEventListener('abort', stop);
  return outcome;
}

interface Opening {
  script?: string;
  background?: true;
  wrap?: EnteredSandbox['wrap'];
}

/** Follows the name of a session for its commands in the sandbox, which share nothing with those that reach more. */
const CONFINED = { 'read-only': '\0read-only', 'read-write': '\0confined' } as const;

/** Null where the command is not to be confined. */
async function enter(
  { sandbox, cwd, callId, access = 'read-write' }: RunOptions,
  writable: readonly string[],
): Promise<EnteredSandbox | { problem: string } | null> {
  if (sandbox === undefined) return null;
  try {
    return await sandbox.enter({ cwd, writable, access, ...optional({ callId }) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `The sandbox could not be made ready, so nothing was run: ${why}` };
  }
}

/** Runs in the sandbox, where one is wanted, and adds what it refused to the output. */
async function confined(
  run: RunOptions,
  writable: readonly string[],
  work: (box: EnteredSandbox | null) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const box = await enter(run, writable);
  if (box === null) return work(null);
  if ('problem' in box) return notStarted(box.problem);
  const outcome = await work(box).catch(async (error: unknown) => {
    await box.leave({ output: '' });
    throw error;
  });
  return withReport(outcome, await box.leave(outcome));
}

/** How the command ended, also by time or by the signal. */
async function ended(session: Session, { timeoutMs, signal }: RunOptions): Promise<SessionOutcome> {
  const stop = () => void session.end('stopped', GRACE);
  const timer = setTimeout(() => void session.end('timed_out', GRACE), Math.min(timeoutMs, LONGEST_TIMEOUT));
  signal?.addEventListener('abort', stop, { once: true });
  const outcome = await session.ended;
  clearTimeout(timer);
  signal?.removeEventListener('abort', stop);
  return outcome;
}

const fileOf = (file: string, session: Session, writeUnits?: number) =>
  new OutputFile({
    file,
    hold: () => session.hold('disk'),
    release: () => session.letGo('disk'),
    ...optional({ writeUnits }),
  });

/** Writes all that a job prints to a file, as it comes; resolves when all of it is there. */
async function keepAll(session: Session, path: string, filter?: TextFilter): Promise<void> {
  const file = fileOf(path, session, 1);
  const kept = filtered(file, filter);
  const text = new PlainText((part) => kept.write(part));
  session.listen((data) => text.push(data));
  await session.ended;
  text.end();
  if (filter !== undefined) file.write(filter.end());
  await file.finish();
}

/** The file, with what is written to it going through the filter first. */
function filtered(file: OutputFile, filter: TextFilter | undefined): Spill {
  if (filter === undefined) return file;
  return {
    get isDone() {
      return file.isDone;
    },
    write: (text) => file.write(filter.push(text)),
  };
}
