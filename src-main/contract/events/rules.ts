import { z } from 'zod';
import { Rule } from '../control';

export const rulesEvents = [
  /** All rules, after one was saved or revoked. */
  z.object({ type: z.literal('rules.changed'), rules: z.array(Rule) }),
] as const;
