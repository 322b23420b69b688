import type { QueuedMessage } from '../../../contract/conversation';
import type { MessageId } from '../../../contract/ids';

type Queue = readonly QueuedMessage[];

/** Messages for the agent's next step come before those for the end of the turn, each in order. */
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

/** `to` is 0-based; a larger index means the end. */
export function moved(queue: Queue, id: MessageId, to: number): QueuedMessage[] {
  const message = queue.find((one) => one.id === id);
  return message === undefined ? [...queue] : ordered(without(queue, id).toSpliced(to, 0, message));
}

/** The queue with this message as the next to be sent. */
export const atOnce = (queue: Queue, id: MessageId): QueuedMessage[] =>
  moved(
    changed(queue, id, { when: 'next_step' }).map((one) => (one.id === id ? released(one) : one)),
    id,
    0,
  );

const released = ({ kept: _, ...message }: QueuedMessage): QueuedMessage => message;

/** The queue after a stop: no message is sent until the person sends it. */
export const keptQueue = (queue: Queue): QueuedMessage[] => queue.map((one) => ({ ...one, kept: true }));

/** The queue when the person sends what was kept. */
export const releasedQueue = (queue: Queue): QueuedMessage[] => queue.map(released);

interface Taken {
  taken: QueuedMessage[];
  rest: QueuedMessage[];
}

const isForNextStep = ({ when, kept }: QueuedMessage): boolean => when === 'next_step' && kept === undefined;

/** The messages for the agent before its next model request. */
export const forNextStep = (queue: Queue): Taken => ({
  taken: queue.filter(isForNextStep),
  rest: queue.filter((message) => !isForNextStep(message)),
});

/** The messages that start the next turn: all that were meant for the step that did not come, else one. */
export function forNextTurn(queue: Queue): Taken {
  const step = forNextStep(queue);
  if (step.taken.length > 0) return step;
  const first = queue.find(({ kept }) => kept === undefined);
  return { taken: first ? [first] : [], rest: queue.filter((message) => message !== first) };
}
