import type { Message } from '../../contract/conversation';
import type { MessageId } from '../../contract/ids';

/**
 * Answers that are shown of an agent (`callId`: of the sub-agent of that call) but are not in the history that its model
 * is about to be asked with. The process ended after an answer was told and before it was saved with the agent's own
 * history; the model is asked for it again, and it must not stand there twice. None of its calls had started.
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
    // What broke off was never an answer and stays as it was told.
    if (message.phase !== 'done' || message.graphId === undefined) continue;
    known ??= new Set(history.map(({ id }) => id));
    if (known.has(message.graphId) || message.calls.some(({ startedAt }) => startedAt !== undefined)) break;
    lost.push(message.id);
  }
  return lost;
}
