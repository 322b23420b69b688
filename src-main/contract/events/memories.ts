import { z } from 'zod';

export const memoriesEvents = [
  /** Memories were written, deleted or brought back, all of them together. */
  z.object({ type: z.literal('memories.changed'), paths: z.array(z.string()) }),
] as const;
