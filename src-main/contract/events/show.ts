import { z } from 'zod';
import { ApprovalId, ProjectId, ThreadId } from '../ids';

export const showEvents = [
  /** A system notification or a menu asks the window to show a thread. */
  z.object({ type: z.literal('show.thread'), threadId: ThreadId }),
  /** The same for what waits for a decision; `approvalId`: that one first. */
  z.object({ type: z.literal('show.inbox'), approvalId: ApprovalId.nullable() }),
  /** A folder was opened from outside: show it. */
  z.object({ type: z.literal('show.project'), projectId: ProjectId }),
] as const;
