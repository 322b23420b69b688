import { z } from 'zod';
import { ThreadId } from '../ids';

export const scratchEvents = [
  /** Scratch files of a thread (stored in its state) changed. */
  z.object({ type: z.literal('scratch.changed'), threadId: ThreadId }),
] as const;
