import type { QueuedMessage } from '../../contract/conversation';
import type { NewThreadEvent } from '../../contract/events';
import type { TurnId } from '../../contract/ids';
import { fail, type Result } from '../../contract/result';
import { optional } from '../../contract/shared/optional';
import type { Storage } from '../../storage';
import type { LiveThread } from '../threads/live-thread';
import { titleOfText } from '../threads/thread-titles';

interface TurnStart {
  turnId: TurnId;
  /** The messages that the turn answers. */
  messages: readonly QueuedMessage[];
  /** What waits from now on. */
  queue: QueuedMessage[];
}

/** The events of a turn's start. An unnamed thread is named after its first message; a finished plan is cleared. */
export function turnStart(live: LiveThread, { turnId, messages, queue }: TurnStart): NewThreadEvent[] {
  const at = live.now();
  const { thread, todos } = live.state;
  const [first] = messages;
  const name = first?.text.trim() || first?.attachments?.[0]?.name || '';
  const title = thread.title === '' ? titleOfText(name) : thread.title;
  const isPlanDone = todos.length > 0 && todos.every((todo) => todo.status === 'completed');
  return [
    ...(queue.length === live.state.queue.length ? [] : [{ type: 'queue.changed' as const, queue }]),
    ...messageEvents(messages),
    { type: 'thread.changed', thread: { ...thread, title, updatedAt: at } },
    ...(isPlanDone ? [{ type: 'todos.changed' as const, todos: [] }] : []),
    { type: 'turn.started', turnId, at },
  ];
}

/** The person's messages in the conversation. */
export const messageEvents = (messages: readonly QueuedMessage[], duringTurn?: true): NewThreadEvent[] =>
  messages.map(({ id, text, attachments }) => ({
    type: 'message.added',
    message: {
      role: 'user',
      id,
      at: Date.now(),
      text,
      ...optional({ attachments, duringTurn }),
    },
  }));

/** The thread, unless its project was removed: no window would show its turn. Errors: `not_found`. */
export function inListedProject(
  { projects }: Pick<Storage, 'projects'>,
  found: Result<LiveThread>,
): Result<LiveThread> {
  if (!found.ok) return found;
  const { projectId } = found.value.state.thread;
  const isRemoved = projects.get(projectId) !== null && !projects.list().some(({ id }) => id === projectId);
  return isRemoved ? fail('not_found', 'thread_project_removed') : found;
}
