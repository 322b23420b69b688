import { z } from 'zod';

export const dataEvents = [
  /** How far copying or testing data is. */
  z.object({
    type: z.literal('data.progress'),
    step: z.enum(['copying', 'checking']),
    /** Of the step, 0 to 1; null where that is not known. */
    share: z.number().nullable(),
  }),
] as const;

export type DataProgress = Omit<z.infer<(typeof dataEvents)[0]>, 'type'>;
