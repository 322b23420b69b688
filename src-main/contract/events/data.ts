import { z } from 'zod';

export const dataEvents = [
  /** Progress of copying or testing data. */
  z.object({
    type: z.literal('data.progress'),
    step: z.enum(['copying', 'checking']),
    /** Share of the step, 0 to 1; null if unknown. */
    share: z.number().nullable(),
  }),
] as const;

export type DataProgress = Omit<z.infer<(typeof dataEvents)[0]>, 'type'>;
