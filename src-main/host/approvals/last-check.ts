import type { CallPast, Gate, GateCall, Verdict } from '../../approvals/gate';
import { JudgedOtherwise } from '../../harness/agent/start-check';

/** Maximum number of times a call is judged in a row: files that change every time must not keep it busy forever. */
export const MAX_ROUNDS = 5;

export interface JudgedCall {
  call: GateCall;
  past: CallPast;
  /** The verdict that lets it run. */
  judged: Verdict;
}

/**
 * Await this right before a command starts. It judges the call again, and rejects with `JudgedOtherwise` if a changed file,
 * rule or mode leads to a different verdict.
 */
export const lastCheck =
  (gate: Gate, { call, past, judged }: JudgedCall, signal: AbortSignal) =>
  async (): Promise<void> => {
    const now = await gate.judge(call, signal, past);
    if (!isAlike(judged, now)) throw new JudgedOtherwise();
  };

/** Whether a call would run exactly as judged before. */
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
