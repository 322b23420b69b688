import { z } from 'zod';
import { AgentMessage, Message } from '../conversation';
import { MessageId } from '../ids';
import { threadEvent } from '../thread-event';

export const messageEvents = [
  threadEvent('message.added', { message: Message }),
  threadEvent('message.delta', { messageId: MessageId, text: z.string(), reasoning: z.string() }),
  threadEvent('message.ended', { message: AgentMessage }),
  threadEvent('message.removed', { messageId: MessageId }),
  /** The person wants the message kept word for word when the thread is compacted, or no longer. */
  threadEvent('message.pinned', { messageId: MessageId, pinned: z.boolean() }),
] as const;
