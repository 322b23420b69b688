import { z } from 'zod';
import { command } from '../command';
import { Risk } from '../control';
import { Preview } from '../conversation';
import { ApprovalId, ThreadId } from '../ids';
import { Reasons } from '../shared/reasons';

/** Calls that wait for a decision. */
export const approvalCommands = {
  /** What a waiting call would do with other arguments, judged as if the agent had asked for them. */
  'approval.check': command(
    z.strictObject({
      threadId: ThreadId,
      approvalId: ApprovalId,
      args: z.record(z.string(), z.unknown()),
    }),
    z.object({
      verdict: z.enum(['allow', 'ask', 'deny']),
      reason: Reasons,
      risk: Risk,
      preview: Preview.nullable(),
    }),
  ),
} as const;
