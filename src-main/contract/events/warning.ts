import { z } from 'zod';
import { AppSnapshot } from '../app';

export const warningEvents = [
  /** Something that the person should know of this run came up. */
  z.object({ type: z.literal('warning.added'), warning: AppSnapshot.shape.warnings.element }),
] as const;
