import { z } from 'zod';
import { ApprovalId, ProjectId, ThreadId } from '../ids';
import { AppError } from '../result';

export const showEvents = [
  /** A system notification or a menu asks the window to show a thread. */
  z.object({ type: z.literal('show.thread'), threadId: ThreadId }),
  /** The same for pending decisions; `approvalId`: this one first. */
  z.object({ type: z.literal('show.inbox'), approvalId: ApprovalId.nullable() }),
  /** Another program opened a folder: show it. */
  z.object({ type: z.literal('show.project'), projectId: ProjectId }),
  /** Why the window cannot show what another program asked for. */
  z.object({ type: z.literal('show.failure'), error: AppError }),
] as const;
