import { z } from 'zod';

export const offersEvents = [
  /** The result of `project.offers` changed. */
  z.object({ type: z.literal('offers.changed') }),
] as const;
