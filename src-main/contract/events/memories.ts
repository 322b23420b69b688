import { z } from 'zod';

export const memoriesEvents = [
  /** Memories were written, deleted or restored, in one batch. */
  z.object({ type: z.literal('memories.changed'), paths: z.array(z.string()) }),
] as const;
