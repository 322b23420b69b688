import type { ToolMessage } from '@langchain/core/messages';
import type { Verdict } from '../../../approvals/gate';
import type { Attempt } from '../../../contract/approvals';
import type { ToolArtifact } from '../../../harness/tools/define-tool';
import { withoutVerdict } from '../../../harness/tools/execute';

/** UTF-16 units of an attempt's output on a card. */
const MAX_OUTPUT_LENGTH = 4_000;
const RAN = '[This ran in the read-only sandbox: it could not write any file.]';
const FAILED =
  '[This ran in the read-only sandbox: it could not write files, reach the network or see the home folder. Nothing shows that it needed any of that. If it did, run it again with outside_sandbox and the reason.]';

const artifactOf = ({ artifact }: ToolMessage) => (artifact ?? {}) as ToolArtifact;

/**
 * The report for a command that could not do everything in the read-only sandbox; null if its result is final. A failure is
 * final too if the program exited normally and the sandbox refused nothing: it would fail the same way outside.
 */
export function attemptIn(message: ToolMessage, judged: Verdict): Attempt | null {
  const { exitCode = null, refused = [] } = artifactOf(message);
  if (refused.length === 0 && isAnswer(exitCode, message.text, judged)) return null;
  return { refused, exitCode, output: withoutVerdict(message.text).slice(-MAX_OUTPUT_LENGTH) };
}

/** Whether an exit code is the command's real answer and not caused by the sandbox. */
export function isAnswer(exitCode: number | null, output: string, judged: Verdict): boolean {
  // Without an exit code, the person stopped it.
  if (exitCode === null || exitCode === 0) return true;
  if (judged.verdict !== 'allow' || wasEnded(exitCode)) return false;
  if (exitCode === NOT_FOUND && !SAYS_NOT_FOUND.test(output)) return false;
  // `xargs` turns 1 into 123.
  if (judged.exitOneAnswers === true && (exitCode === 1 || exitCode === 123)) return true;
  return judged.hidesErrors !== true;
}

/** A shell's code for a missing program, and a sandbox's if it could not be prepared. */
const NOT_FOUND = 127;
const SAYS_NOT_FOUND = /: (command )?not found|: No such file or directory/;

/**
 * Killed by a timeout, or by a signal that the sandbox may have caused: SIGILL (128 + 4) to SIGSEGV and the like, and
 * SIGSYS.
 */
const wasEnded = (exitCode: number): boolean =>
  exitCode === 124 || (exitCode >= 132 && exitCode <= 140) || exitCode === 159;

/** The note for the model with a final result. */
export const noteOnAttempt = (message: ToolMessage): string =>
  (artifactOf(message).exitCode ?? 0) === 0 ? RAN : FAILED;
