import { z } from 'zod';
import { AgentMessage, Message } from '../conversation';
import { MessageId } from '../ids';
import { threadEvent } from '../thread-event';

export const messageEvents = [
  threadEvent('message.added', { message: Message }),
  threadEvent('message.delta', { messageId: MessageId, text: z.string(), reasoning: z.string() }),
  threadEvent('message.ended', { message: AgentMessage }),
  threadEvent('message.removed', { messageId: MessageId }),
  /** Compaction keeps the message verbatim, or no longer does. */
  threadEvent('message.pinned', { messageId: MessageId, pinned: z.boolean() }),
] as const;
