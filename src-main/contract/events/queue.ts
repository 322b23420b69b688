import { z } from 'zod';
import { QueuedMessage } from '../conversation';
import { threadEvent } from '../thread-event';

export const queueEvents = [threadEvent('queue.changed', { queue: z.array(QueuedMessage) })] as const;
