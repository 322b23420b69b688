import type { Message } from '../../../contract/conversation';
import type { MessageId } from '../../../contract/ids';

/**
 * Answers shown of an agent (`callId`: the sub-agent of that call) but missing in the history for the next model request.
 * The process ended after an answer was published but before the agent's history was saved. The model will repeat it, and it
 * must not appear twice. None of its calls had started.
 */
export function lostAnswers(
  messages: readonly Message[],
  callId: string | null,
  history: readonly { id?: string | undefined }[],
): MessageId[] {
  const lost: MessageId[] = [];
  let known: Set<string | undefined> | undefined;
  for (const message of messages.toReversed()) {
    if (message.role === 'user') break;
    if (message.role !== 'agent' || (message.parentCallId ?? null) !== callId) continue;
    // An interrupted message was never an answer and stays as shown.
    if (message.phase !== 'done' || message.graphId === undefined) continue;
    known ??= new Set(history.map(({ id }) => id));
    if (known.has(message.graphId) || message.calls.some(({ startedAt }) => startedAt !== undefined)) break;
    lost.push(message.id);
  }
  return lost;
}
