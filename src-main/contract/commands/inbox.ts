import { z } from 'zod';
import { WaitingDecision } from '../activity';
import { command, nothing } from '../command';

/** Pending decisions. */
export const inboxCommands = {
  /** All pending decisions across projects and threads, the longest-waiting first. */
  'inbox.list': command(nothing, z.object({ waiting: z.array(WaitingDecision) })),
} as const;
