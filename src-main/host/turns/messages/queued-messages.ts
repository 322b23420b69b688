import type { HumanMessage, MessageContent } from '@langchain/core/messages';
import type { Attachment } from '../../../contract/attachments';
import type { QueuedMessage } from '../../../contract/conversation';
import type { MessageId, ThreadId } from '../../../contract/ids';
import { fail, ok, type Result } from '../../../contract/result';
import { optional } from '../../../contract/shared/optional';
import type { LiveThread } from '../../threads/live-thread';
import type { LiveThreads } from '../../threads/live-threads';
import { messageEvents } from '../turn-start';
import { personMessage } from './outside-context';
import { atOnce, changed, forNextStep, keptQueue, moved, releasedQueue, without } from './queue';

/**
 * What the person can do with queued messages. Errors: `not_found` if the thread is gone or the message was already sent.
 */
export class QueuedMessages {
  constructor(private readonly threads: LiveThreads) {}

  /** Changes its text or its timing. Errors: `invalid` if nothing would be in it. */
  change(
    threadId: ThreadId,
    messageId: MessageId,
    change: Partial<Pick<QueuedMessage, 'text' | 'when'>>,
  ): Result<Record<string, never>> {
    const found = this.threads.get(threadId);
    const message = found.ok && found.value.state.queue.find(({ id }) => id === messageId);
    if (message && change.text?.trim() === '' && (message.attachments ?? []).length === 0)
      return fail('invalid', 'message_empty');
    return done(this.requeue(threadId, messageId, (queue) => changed(queue, messageId, change)));
  }

  /** Moves it to another position (0-based). */
  move(threadId: ThreadId, messageId: MessageId, to: number): Result<Record<string, never>> {
    return done(this.requeue(threadId, messageId, (queue) => moved(queue, messageId, to)));
  }

  /** Makes it the next to be sent. */
  putFirst(threadId: ThreadId, messageId: MessageId): Result<{ live: LiveThread }> {
    return this.requeue(threadId, messageId, (queue) => atOnce(queue, messageId));
  }

  /** Keeps all of them for the person to send. */
  keep(live: LiveThread): void {
    const { queue } = live.state;
    if (queue.some(({ kept }) => kept === undefined))
      live.emit({ type: 'queue.changed', queue: keptQueue(queue) });
  }

  /** Lets the agent have the kept ones again. */
  release(threadId: ThreadId): Result<{ live: LiveThread }> {
    const found = this.threads.get(threadId);
    if (!found.ok) return found;
    const live = found.value;
    if (live.state.queue.some(({ kept }) => kept))
      live.emit({ type: 'queue.changed', queue: releasedQueue(live.state.queue) });
    return ok({ live });
  }

  /** Removes it and returns its content. */
  withdraw(threadId: ThreadId, messageId: MessageId): Result<{ text: string; attachments?: Attachment[] }> {
    const taken = this.requeue(threadId, messageId, (queue) => without(queue, messageId));
    if (!taken.ok) return taken;
    const { text, attachments } = taken.value.message;
    return ok({ text, ...optional({ attachments }) });
  }

  /**
   * The messages for the agent's next step: they move from the queue to the conversation in one transaction, and the graph
   * gets them with its next checkpoint. If Deepdesk exits in between, `unsentMessage` finds them.
   */
  async takeForStep(
    live: LiveThread,
    isWanted: () => boolean,
    contentOf: (live: LiveThread, message: QueuedMessage) => Promise<MessageContent>,
  ): Promise<HumanMessage[]> {
    const contents = new Map<QueuedMessage, MessageContent>();
    for (;;) {
      if (!isWanted()) return [];
      const { taken, rest } = forNextStep(live.state.queue);
      if (taken.length === 0) return [];
      // While its files are read, the person may still change or withdraw a message.
      const unread = taken.find((message) => !contents.has(message));
      if (unread !== undefined) {
        contents.set(unread, await contentOf(live, unread));
        continue;
      }
      live.emit(...messageEvents(taken, true), { type: 'queue.changed', queue: rest });
      return taken.map((message) => personMessage(message, contents.get(message) ?? message.text));
    }
  }

  private requeue(
    threadId: ThreadId,
    messageId: MessageId,
    change: (queue: readonly QueuedMessage[]) => QueuedMessage[],
  ): Result<{ live: LiveThread; message: QueuedMessage }> {
    const found = this.threads.get(threadId);
    if (!found.ok) return found;
    const live = found.value;
    const { queue } = live.state;
    const message = queue.find((queued) => queued.id === messageId);
    if (!message) return fail('not_found', 'message_sent_already');
    live.emit({ type: 'queue.changed', queue: change(queue) });
    return ok({ live, message });
  }
}

const done = (result: Result<unknown>): Result<Record<string, never>> => (result.ok ? ok({}) : result);
