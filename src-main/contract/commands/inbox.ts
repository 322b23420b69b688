import { z } from 'zod';
import { WaitingDecision } from '../activity';
import { command, nothing } from '../command';

/** What waits for the person. */
export const inboxCommands = {
  /** Every decision that waits, over all projects and threads, those that have waited longest first. */
  'inbox.list': command(nothing, z.object({ waiting: z.array(WaitingDecision) })),
} as const;
