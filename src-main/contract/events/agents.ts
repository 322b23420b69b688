import { z } from 'zod';
import { ThreadId } from '../ids';

export const agentsEvents = [
  /** A remote agent was added, changed or removed. */
  z.object({ type: z.literal('agents.changed') }),
  /** A task of a thread on a server was started or changed. */
  z.object({ type: z.literal('agents.taskChanged'), threadId: ThreadId }),
] as const;
