import { z } from 'zod';
import { ThreadInfo } from '../conversation';
import { ThreadId } from '../ids';
import { threadEvent } from '../thread-event';

export const threadEvents = [threadEvent('thread.changed', { thread: ThreadInfo })] as const;

export const threadAppEvents = [z.object({ type: z.literal('thread.removed'), threadId: ThreadId })] as const;
