import { z } from 'zod';
import { AppSnapshot } from '../app';

export const warningEvents = [
  /** A warning about this run was added. */
  z.object({ type: z.literal('warning.added'), warning: AppSnapshot.shape.warnings.element }),
] as const;
