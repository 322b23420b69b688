import { z } from 'zod';

export const runEvents = [
  /** The person chose an action in a menu. */
  z.object({ type: z.literal('run.action'), id: z.string() }),
] as const;
