import type { ThreadState } from '../contract/conversation';
import type { AppError } from '../contract/result';

/** Why a turn ended before its answer: it failed, or its folder or computer is gone. */
export function failureOf({ turn, messages }: Pick<ThreadState, 'turn' | 'messages'>): AppError | null {
  if (turn.phase === 'failed') return turn.error;
  if (turn.phase !== 'interrupted') return null;
  return messages.findLast((message) => message.role === 'notice')?.error ?? null;
}
