import { z } from 'zod';
import { WaitingDecision } from '../activity';

/** What waits for the person. */
export const inboxCommands = {
  /** Every decision that waits, over all projects and threads, those that have waited longest first. */
  'inbox.list': { input: z.strictObject({}), output: z.object({ waiting: z.array(WaitingDecision) }) },
} as const;
