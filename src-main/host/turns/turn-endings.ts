import type { Message, Notice } from '../../contract/conversation';
import { errorText } from '../../contract/errors';
import type { TurnId } from '../../contract/ids';
import { type AppError, appError } from '../../contract/result';
import { closeOpenCalls } from '../../contract/thread';
import type { LiveThread } from '../threads/live-thread';
import { newMessageId } from '../threads/new-ids';
import { explainRun } from '../window/run-errors';

const INTERRUPTED = appError('cancelled', errorText('interrupted'));

/** Why the turn of a deleted thread, or of one in a removed project, was interrupted. */
export const DELETED = appError('cancelled', errorText('deleted_at_work'));

const STOPPED = appError('cancelled', errorText('stopped_by_person'));

/** Whether an answer that was cut off, or a call that did not finish, already shows where the person stopped the agent. */
function showsStop(messages: readonly Message[]): boolean {
  const last = messages.findLast((message) => message.role === 'user' || message.role === 'agent');
  const shown = last && closeOpenCalls(last);
  return (
    shown?.role === 'agent' &&
    (shown.phase === 'cut' || shown.calls.some(({ status }) => status === 'cancelled'))
  );
}

/** Ends a turn that finished or that the person stopped, and withdraws its pending approvals. */
export function endTurn(live: LiveThread, turnId: TurnId, reason: 'finished' | 'stopped'): void {
  const at = live.now();
  const { approvals, thread, messages } = live.state;
  const isMarked = reason === 'finished' || showsStop(messages);
  // Together: each transaction waits for the disk.
  live.emit(
    ...approvals.map(({ id, callId }) => ({ type: 'approval.withdrawn' as const, approvalId: id, callId })),
    ...(isMarked ? [] : [{ type: 'message.added' as const, message: noticeOf(STOPPED, []) }]),
    { type: 'thread.changed', thread: { ...thread, updatedAt: at } },
    { type: 'turn.ended', turnId, at, reason },
  );
}

/** Ends a turn with an error and what the person can do about it. */
export function failTurn(live: LiveThread, turnId: TurnId, error: AppError): void {
  live.emit(
    { type: 'message.added', message: noticeOf(error, actionsFor(error)) },
    { type: 'turn.ended', turnId, at: live.now(), reason: 'failed', error },
  );
}

/** The turn was interrupted and can be continued: it was running when Deepdesk exited, or was stopped by `error`. */
export function interruptTurn(live: LiveThread, turnId: TurnId, error = INTERRUPTED): void {
  live.emit(
    { type: 'message.added', message: noticeOf(error, ['continue']) },
    { type: 'turn.ended', turnId, at: live.now(), reason: 'interrupted' },
  );
}

/** The last resort: ends the turn even if that cannot be saved, unless it has ended already. */
export function failAnyway(
  live: LiveThread,
  turnId: TurnId,
  error: unknown,
  report: (where: string, error: unknown) => void,
): void {
  const { turn } = live.state;
  if (turn.phase !== 'running' || turn.turnId !== turnId) return;
  const told =
    explainRun(error) ??
    appError('internal', errorText('run_failed'), { detail: String(error).slice(0, 1_000) });
  try {
    failTurn(live, turnId, told);
  } catch (second) {
    report('turn', second);
    if (live.state.turn.phase !== 'running') return;
    live.emitUnsaved({ type: 'message.added', message: noticeOf(told, ['retry']) });
    live.emitUnsaved({ type: 'turn.ended', turnId, at: Date.now(), reason: 'failed', error: told });
  }
}

function actionsFor({ kind, code }: AppError): Notice['actions'] {
  switch (kind) {
    case 'no_key':
    case 'bad_key':
      return ['key', 'retry'];
    case 'spending_limit':
      return [code.startsWith('routine_') ? 'budget' : 'ceiling', 'retry'];
    case 'no_price':
      return ['price', 'retry'];
    default:
      return ['retry'];
  }
}

const noticeOf = (error: AppError, actions: Notice['actions']): Notice => ({
  role: 'notice',
  id: newMessageId(),
  at: Date.now(),
  error,
  actions,
});
