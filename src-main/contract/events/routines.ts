import { z } from 'zod';

export const routinesEvents = [
  /** A routine, its record or one of its runs changed. */
  z.object({ type: z.literal('routines.changed') }),
] as const;
