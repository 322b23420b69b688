import type { QueuedMessage } from '../../contract/conversation';
import type { MessageId } from '../../contract/ids';

type Queue = readonly QueuedMessage[];

/** What is for the agent's next step comes before what waits for the end of the turn, each in the order it was put. */
const ordered = (queue: Queue): QueuedMessage[] => [
  ...queue.filter(({ when }) => when === 'next_step'),
  ...queue.filter(({ when }) => when === 'after_turn'),
];

export const added = (queue: Queue, message: QueuedMessage): QueuedMessage[] => ordered([...queue, message]);

export const without = (queue: Queue, id: MessageId): QueuedMessage[] => queue.filter((one) => one.id !== id);

export const changed = (
  queue: Queue,
  id: MessageId,
  change: Partial<Pick<QueuedMessage, 'text' | 'when'>>,
): QueuedMessage[] => ordered(queue.map((one) => (one.id === id ? { ...one, ...change } : one)));

/** `to` is 0-based; beyond the end is the end. */
export function moved(queue: Queue, id: MessageId, to: number): QueuedMessage[] {
  const message = queue.find((one) => one.id === id);
  return message === undefined ? [...queue] : ordered(without(queue, id).toSpliced(to, 0, message));
}

/** The same message, the very next to be sent. */
export const atOnce = (queue: Queue, id: MessageId): QueuedMessage[] =>
  moved(changed(queue, id, { when: 'next_step' }), id, 0);

interface Taken {
  taken: QueuedMessage[];
  rest: QueuedMessage[];
}

/** What goes to the agent before its next request to the model. */
export const forNextStep = (queue: Queue): Taken => ({
  taken: queue.filter(({ when }) => when === 'next_step'),
  rest: queue.filter(({ when }) => when === 'after_turn'),
});

/** What begins the next turn: all that was meant for the step that did not come, or else one message. */
export function forNextTurn(queue: Queue): Taken {
  const step = forNextStep(queue);
  return step.taken.length > 0 ? step : { taken: queue.slice(0, 1), rest: queue.slice(1) };
}
