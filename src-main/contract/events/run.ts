import { z } from 'zod';

export const runEvents = [
  /** An action was chosen in a menu. */
  z.object({ type: z.literal('run.action'), id: z.string() }),
] as const;
