import type { CallPast, Gate, GateCall, Verdict } from '../../approvals/gate';
import { JudgedOtherwise } from '../../harness/agent/start-check';

/** How often a call is judged in one go: files that change each time must not keep it busy for ever. */
export const MAX_ROUNDS = 5;

export interface JudgedCall {
  call: GateCall;
  past: CallPast;
  /** What lets it run. */
  judged: Verdict;
}

/**
 * What to await right before a command starts: judges the call once more, and rejects with `JudgedOtherwise` where it
 * would not run just as it was judged, because a file, a rule or the mode has changed meanwhile.
 */
export const lastCheck =
  (gate: Gate, { call, past, judged }: JudgedCall, signal: AbortSignal) =>
  async (): Promise<void> => {
    const now = await gate.judge(call, signal, past);
    if (!isAlike(judged, now)) throw new JudgedOtherwise();
  };

/** Whether a call would run just as it was judged before. */
function isAlike(before: Verdict, now: Verdict): boolean {
  if (before.verdict === 'ask')
    return now.verdict === 'ask' && now.question.digest === before.question.digest;
  return (
    before.verdict === 'allow' &&
    now.verdict === 'allow' &&
    before.confined === now.confined &&
    before.rehearsal === now.rehearsal
  );
}
