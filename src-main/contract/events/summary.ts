import { z } from 'zod';
import { ThreadSummary } from '../app';

export const summaryEvents = [
  z.object({ type: z.literal('summary.changed'), summary: ThreadSummary }),
] as const;
