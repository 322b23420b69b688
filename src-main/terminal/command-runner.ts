import type { CommandOutcome, CommandRunner } from '../backends/protocol';
import { CallId, type ProjectId, type TerminalId, type ThreadId } from '../contract/ids';
import { BoundedOutput } from './bounded-output';
import { OutputFile } from './output-file';
import type { Session, SessionOutcome } from './session';
import type { TerminalSessions } from './sessions';

/** Milliseconds between SIGTERM and SIGKILL for a command out of time or cancelled: it had its time. */
const GRACE = 200;
/** Longest time Node.js can count, in milliseconds; about 25 days. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;
/** Exit code of a command that could not be started, as shells give it. */
const NOT_STARTED = 127;

export interface CommandRunnerOptions {
  projectId: ProjectId;
  threadId: ThreadId;
  /** A terminal was opened for a call, before its first output. */
  onOpened?(terminalId: TerminalId, callId: string | undefined): void;
}

/**
 * Runs each command of one thread in a terminal of its own, by `/bin/bash -c` (`/bin/sh` where there is none, PowerShell on
 * Windows), leading its own session.
 *
 * - The command is over when the shell is. Whatever it left running (`server &`, `nohup`, `setsid`) is ended then and
 *   named at the end of the output: nothing the agent starts goes on unseen. A server is started by the person, in a
 *   terminal of their own, or runs in the foreground until the timeout.
 * - The person may type into the terminal; a command that waits for input waits until its timeout.
 * - Timeout: the whole tree is ended (SIGTERM, 200 ms later SIGKILL), `timedOut`, no exit code. Abort: the same, then
 *   the promise rejects with the signal's reason.
 * - Ended by the person in the terminal: no exit code, and the output says so.
 * - `output`: plain text as in `PlainText`, at most `maxOutputBytes` (head and tail) plus those notes. With `wholeOutput`
 *   an output that is longer is kept in that file, as plain text, up to 200 MB; the program waits for the disk.
 * - A command that cannot start (its folder is gone): exit code 127 and the reason as output.
 */
export function createCommandRunner(
  sessions: TerminalSessions,
  options: CommandRunnerOptions,
): CommandRunner {
  return {
    async run(command, run) {
      run.signal?.throwIfAborted();
      const began = performance.now();
      const opened = sessions.open({
        kind: 'agent',
        projectId: options.projectId,
        threadId: options.threadId,
        callId: run.callId === undefined ? null : CallId.parse(run.callId),
        command,
        cwd: run.cwd,
        env: run.env,
      });
      if (!opened.ok) {
        const { message } = opened.error;
        return { output: message, exitCode: NOT_STARTED, truncated: false, timedOut: false, durationMs: 0 };
      }
      const session = opened.value;
      const { wholeOutput } = run;
      const file = wholeOutput && keepIn(wholeOutput.file, session);
      const output = new BoundedOutput(run.maxOutputBytes, file && ((text) => file.write(text)));
      session.listen((data) => {
        output.push(data);
        run.onOutput?.(data);
      });
      options.onOpened?.(session.info.id, run.callId);

      const stop = () => void session.end('stopped', GRACE);
      const timer = setTimeout(
        () => void session.end('timed_out', GRACE),
        Math.min(run.timeoutMs, LONGEST_TIMEOUT),
      );
      run.signal?.addEventListener('abort', stop, { once: true });
      const outcome = await session.ended;
      clearTimeout(timer);
      run.signal?.removeEventListener('abort', stop);
      if (run.signal?.aborted) await file?.discard();
      run.signal?.throwIfAborted();
      const kept = output.end() &&
        file &&
        wholeOutput && { ...(await file.finish()), path: wholeOutput.path };
      return report(outcome, output.finish(kept || undefined), performance.now() - began, kept || undefined);
    },
  };
}

const keepIn = (file: string, session: Session) =>
  new OutputFile({ file, hold: () => session.hold('disk'), release: () => session.letGo('disk') });

function report(
  { status, exitCode, leftovers }: SessionOutcome,
  { text, truncated }: { text: string; truncated: boolean },
  durationMs: number,
  kept: { path: string; problem?: string } | undefined,
): CommandOutcome {
  const notes: string[] = [];
  if (leftovers.length > 0) {
    notes.push(
      `[${leftovers.length === 1 ? '1 process' : `${leftovers.length} processes`} left running in the background ended with the command: ${nameSome(leftovers)}]`,
    );
  }
  if (status === 'stopped') notes.push('[The person ended this command in the terminal.]');
  const separator = text === '' || text.endsWith('\n') || notes.length === 0 ? '' : '\n';
  return {
    output: text + separator + notes.join('\n'),
    exitCode,
    truncated,
    timedOut: status === 'timed_out',
    durationMs,
    ...(kept !== undefined && kept.problem === undefined ? { outputFile: kept.path } : {}),
  };
}

/** `node, sh and 3 more` */
function nameSome(names: string[]): string {
  const different = [...new Set(names)];
  const shown = different.slice(0, 5);
  const more = different.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
