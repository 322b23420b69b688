import type { Message } from './conversation';
import type { MessageId } from './ids';

/** Whether a message starts a turn: it is the person's, and the agent got it neither during one nor with the one before. */
export const startsTurn = (message: Message, hasAnswer: boolean): boolean =>
  message.role === 'user' && message.duringTurn === undefined && hasAnswer;

/** The messages of the turn that a message of the person started; null if it is not there. */
export function turnMessages(messages: readonly Message[], first: MessageId): Message[] | null {
  const from = messages.findIndex(({ id }) => id === first);
  if (from < 0) return null;
  let hasAnswer = false;
  const to = messages.findIndex((message, index) => {
    if (index <= from) return false;
    if (startsTurn(message, hasAnswer)) return true;
    hasAnswer ||= message.role !== 'user';
    return false;
  });
  return messages.slice(from, to < 0 ? undefined : to);
}
