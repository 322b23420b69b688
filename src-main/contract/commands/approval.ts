import { z } from 'zod';
import { Preview } from '../approvals';
import { command } from '../command';
import { ApprovalMode, Risk } from '../control';
import { ApprovalId, ProjectId, ThreadId } from '../ids';
import { Reasons } from '../shared/reasons';

/** Calls that wait for a decision. */
export const approvalCommands = {
  /** What a waiting call would do with other arguments, judged as if the agent had requested them. */
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
  /** Which waiting calls would run without asking in another mode of their project; runs nothing. */
  'approval.wouldRun': command(
    z.strictObject({
      projectId: ProjectId,
      mode: ApprovalMode,
      calls: z
        .array(z.strictObject({ tool: z.string().max(200), args: z.record(z.string(), z.unknown()) }))
        .max(20),
    }),
    z.object({ runs: z.array(z.boolean()) }),
  ),
} as const;
