import type { ToolMessage } from '@langchain/core/messages';
import type { Verdict } from '../../../approvals/gate';
import type { Attempt } from '../../../contract/conversation';
import type { ToolArtifact } from '../../../harness/tools/define-tool';

/** UTF-16 units of what an attempt printed that a card shows. */
const ATTEMPT_SHOWN = 4_000;
const RAN = '[This ran in the read-only sandbox: it could not write any file.]';
const FAILED =
  '[This ran in the read-only sandbox: it could not write files, reach the network or see the home folder. Nothing shows that it needed any of that. If it did, run it again with outside_sandbox and the reason.]';

const artifactOf = ({ artifact }: ToolMessage) => (artifact ?? {}) as ToolArtifact;

/**
 * What the person is told of a command that could not do all that it wanted in the read-only sandbox; null where what came
 * of it is its answer. A failure is an answer too where the program ended by itself and the sandbox refused nothing: the
 * same would come of it outside.
 */
export function attemptIn(message: ToolMessage, judged: Verdict): Attempt | null {
  const { exitCode = null, refused = [] } = artifactOf(message);
  if (refused.length === 0 && isAnswer(exitCode, message.text, judged)) return null;
  return { refused, exitCode, output: message.text.slice(-ATTEMPT_SHOWN) };
}

/** Whether how a command ended is its answer: nothing of the sandbox is behind it. */
export function isAnswer(exitCode: number | null, output: string, judged: Verdict): boolean {
  // Without an exit code the person stopped it.
  if (exitCode === null || exitCode === 0) return true;
  if (judged.verdict !== 'allow' || wasEnded(exitCode)) return false;
  if (exitCode === NOT_FOUND && !SAYS_NOT_FOUND.test(output)) return false;
  // `xargs` makes 123 of a 1.
  if (judged.exitOneAnswers === true && (exitCode === 1 || exitCode === 123)) return true;
  return judged.hidesErrors !== true;
}

/** Of a shell: there is no such program. Also of a sandbox that could not be prepared. */
const NOT_FOUND = 127;
const SAYS_NOT_FOUND = /: (command )?not found|: No such file or directory/;

/** By time, or by a signal that the sandbox may be behind: SIGILL (128 + 4) to SIGSEGV and its like, and SIGSYS. */
const wasEnded = (exitCode: number): boolean =>
  exitCode === 124 || (exitCode >= 132 && exitCode <= 140) || exitCode === 159;

/** What the model is told of an answer. */
export const noteOnAttempt = (message: ToolMessage): string =>
  (artifactOf(message).exitCode ?? 0) === 0 ? RAN : FAILED;
