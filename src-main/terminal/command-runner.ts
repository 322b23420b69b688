import { setTimeout as delay } from 'node:timers/promises';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { after } from '../base/timers';
import { CallId, type ProjectId, type TerminalId, type ThreadId } from '../contract/ids';
import { fail } from '../contract/result';
import { optional } from '../contract/shared/optional';
import type { CommandOutcome, CommandRunner, Elsewhere, EnteredSandbox, RunOptions } from '../harness';
import { notStarted, report, withNotes, withReport } from './command-outcome';
import { createJobControl, jobIdOf } from './jobs';
import { BoundedOutput, type Spill } from './output/bounded-output';
import { OutputFile } from './output/output-file';
import { PlainText, plainText } from './output/plain-text';
import type { Session, SessionOutcome } from './session';
import type { TerminalSessions } from './sessions';
import { ShellSession } from './shell-session';

/**
 * Milliseconds between SIGTERM and SIGKILL for a command that timed out or was canceled. It is short because the command
 * already had its time.
 */
const GRACE = 200;
/** Milliseconds after which a job that has not failed counts as started. */
const FIRST_LOOK = 400;

export interface CommandRunnerOptions {
  projectId: ProjectId;
  threadId: ThreadId;
  /** Called when a terminal was opened for a call, before its first output. */
  onOpened?(terminalId: TerminalId, callId: string | undefined): void;
  /** Called when the terminal of a call has exited, with the time that its command ran. */
  onEnded?(callId: string | undefined, durationMs: number): void;
  /** Whether somebody can type into the terminal. If not, commands get end of file as input. Default: yes. */
  hasPerson?(): boolean;
  /** Creates a filter that redacts output before it is written to a file. Called once for each output. */
  redaction?(): TextFilter;
  /**
   * Asked when a command reaches its time limit, while it keeps running. Resolves to the milliseconds that it gets in
   * addition, or null: it is stopped. `over` is aborted when the command has exited. Default: it is stopped.
   */
  moreTime?(run: Pick<RunOptions, 'callId' | 'timeoutMs'>, over: AbortSignal): Promise<number | null>;
  /** Resolves when a job that is still running counts as started. Default: after 400 milliseconds. */
  jobStarted?(signal: AbortSignal): Promise<unknown>;
}

/** Filters text that arrives in pieces. The filtered text may come out later. */
export interface TextFilter {
  push(text: string): string;
  /** Returns the rest. Nothing may follow. */
  end(): string;
}

/**
 * Runs each command of one thread in a separate terminal with `/bin/bash -c` (`/bin/sh` if bash is missing, PowerShell on
 * Windows). The shell leads a separate session.
 *
 * - The command is finished when the shell exits. Processes that it left running (`server &`, `nohup`, `setsid`) are
 *   killed and named at the end of the output, so that nothing the agent starts runs unseen. Use a job for a process that
 *   should keep running.
 * - The person may type into the terminal. A command that waits for input waits until its timeout. If nobody can type,
 *   the command gets end of file as input, unless it is a job.
 * - Timeout: unless `moreTime` gives it more, the whole tree is killed (SIGTERM, 200 ms later SIGKILL), the result has `timedOut` and no exit code. Abort:
 *   the same, then `onStopped` receives the output so far and the promise rejects with the signal's reason.
 * - If the person stops the command in the terminal, there is no exit code, and the output says so.
 * - `output`: plain text as in `PlainText`, at most `maxOutputBytes` (head and tail) plus the notes. With `wholeOutput`,
 *   longer output is kept in that file as plain text, up to 200 MB; the program waits for the disk.
 * - A command that cannot start (its folder is gone) has exit code 127 and the reason as output.
 * - `session`: see `ShellSession`. Commands of one session run one after another.
 * - `sandbox`: the command runs inside it, and the end of the output lists what the sandbox blocked. Sessions inside and
 *   outside share nothing. If the sandbox cannot be prepared, the exit code is 127 and nothing was run.
 * - Jobs stop with the thread (`TerminalSessions.endOf`) and with the app.
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

/** The terminals that the commands of one thread run in. */
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
    // A job blocks nobody, and many servers exit when their input ends.
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
  const opened = open(terminals, command, run, box === null ? more : { ...more, ...wrapped(box) });
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
  const outcome = await ended(session, run, terminals.options);
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
  const { startedAt, endedAt } = session.info;
  const durationMs = (endedAt ?? Date.now()) - startedAt;
  terminals.options.onEnded?.(run.callId, durationMs);
  const answer = report(outcome, output.finish(kept), durationMs);
  return kept !== undefined && kept.problem === undefined ? { ...answer, outputFile: kept.path } : answer;
}

/** The shells of a thread's sessions, by name. */
class Shells {
  private readonly shells = new Map<string, ShellSession>();

  constructor(private readonly terminals: Terminals) {}

  run(key: string, command: string, run: RunOptions): Promise<CommandOutcome> {
    // The next command runs what a confined command hands over, so an unconfined command must never receive it.
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
    : open(terminals, command, run, { background: true, ...(box === null ? {} : wrapped(box)) });
  if (!opened.ok) {
    await box?.leave({ output: '' });
    run.signal?.throwIfAborted();
    return notStarted(inEnglish(opened.error));
  }
  return watchStart(terminals, { session: opened.value, box, began }, run);
}

/** Watches a job from its opening until it fails or counts as started. */
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

/** Stops a job when its time limit is reached, if it has one. */
function limitTime(session: Session, timeoutMs: number): void {
  const timer = after(timeoutMs, () => void session.end('timed_out', GRACE));
  void session.ended.then(() => clearTimeout(timer));
}

/** Returns how a job exited before it counted as started, or null if it is still running. Until then the signal stops it. */
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
  inLayer?: true;
  isOpen?: true;
  elsewhere?: Elsewhere;
}

const wrapped = ({ wrap, inLayer, isOpen, elsewhere }: EnteredSandbox) => ({
  wrap,
  ...optional({ inLayer, isOpen, elsewhere }),
});

/** Suffix for the session names of sandboxed commands, which share nothing with commands that have more access. */
const CONFINED = { 'read-only': '\0read-only', 'read-write': '\0confined' } as const;

/** Returns null if the command is not confined. */
async function enter(
  { sandbox, cwd, callId, access = 'read-write' }: RunOptions,
  writable: readonly string[],
): Promise<EnteredSandbox | { problem: string } | null> {
  if (sandbox === undefined) return null;
  try {
    return await sandbox.enter({ cwd, writable, access, ...optional({ callId }) });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `The sandbox could not be prepared, so nothing was run: ${why}` };
  }
}

/** Runs the command in the sandbox if one is requested, and adds what the sandbox blocked to the output. */
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

/** Resolves with how the command finished, including by timeout or signal. */
async function ended(
  session: Session,
  run: RunOptions,
  { moreTime }: CommandRunnerOptions,
): Promise<SessionOutcome> {
  const { timeoutMs, signal } = run;
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = async () => {
    const more = (await moreTime?.(run, over.signal).catch(() => null)) ?? null;
    if (over.signal.aborted) return;
    if (more === null) void session.end('timed_out', GRACE);
    else allow(more);
  };
  const allow = (time: number) => {
    timer = after(time, () => void timeIsUp());
  };
  const stop = () => void session.end('stopped', GRACE);
  allow(timeoutMs);
  signal?.addEventListener('abort', stop, { once: true });
  const outcome = await session.ended;
  over.abort();
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

/** Writes all output of a job to a file as it arrives. Resolves when everything is written. */
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

/** The file, behind the filter. */
function filtered(file: OutputFile, filter: TextFilter | undefined): Spill {
  if (filter === undefined) return file;
  return {
    get isDone() {
      return file.isDone;
    },
    write: (text) => file.write(filter.push(text)),
  };
}
