import { z } from 'zod';

export const offersEvents = [
  /** `project.offers` has another answer. */
  z.object({ type: z.literal('offers.changed') }),
] as const;
