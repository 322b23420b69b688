import { z } from 'zod';
import { Approval } from './approvals';
import { ChangedFile } from './changes';
import { ApprovalMode } from './control';
import { MemoryChange, ToolCallStatus } from './conversation';
import { CallId, ProjectId, ThreadId } from './ids';
import { Reasons } from './shared/reasons';
import { ToolDisplay } from './shared/tool-display';

/** A pending decision and its place. */
export const WaitingDecision = z.object({
  approval: Approval,
  projectId: ProjectId,
  /** Title of the thread; empty if it has none yet. */
  title: z.string(),
});
export type WaitingDecision = z.infer<typeof WaitingDecision>;

/** A call that ran without asking. */
export const ActivityEntry = z.object({
  id: z.number().int(),
  projectId: ProjectId,
  threadId: ThreadId,
  /** Title of the thread; empty if it has none. */
  title: z.string(),
  callId: CallId,
  /** Start time, in milliseconds since 1970. */
  at: z.number(),
  /** Name of the calling sub-agent; absent for the thread's main agent. */
  agent: z.string().optional(),
  tool: z.string(),
  /** Absent for a tool that is not built in. */
  display: ToolDisplay.optional(),
  /** The command, the path, or the beginning of the arguments. */
  about: z.string(),
  /** Why it did not ask. */
  reason: Reasons,
  /** The person's rule that allowed it; it may have been revoked since. */
  ruleId: z.string().optional(),
  /** The project's mode at that time. */
  mode: ApprovalMode,
  /** False: it only looked into the folder. */
  outside: z.boolean(),
  /** `running` until it finishes. A crash leaves it `running`. */
  status: ToolCallStatus,
  exitCode: z.number().nullable().optional(),
  durationMs: z.number().optional(),
  /** The beginning of its result. */
  result: z.string().optional(),
  /** Cost in micro-dollars of the step that requested it, shared with the other calls of that step; absent if unknown. */
  stepCostMicroDollars: z.number().optional(),
  /** Number of files in the folder that it is known to have changed. */
  files: z.number(),
  memory: MemoryChange.optional(),
  /** Its file changes were undone. */
  undone: z.boolean(),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

/** Events in a thread since the person last opened it. */
export const SinceSeen = z.object({
  /** Time of the last view, in milliseconds since 1970. */
  at: z.number(),
  /** The listed files by path; `more` counts the rest. */
  files: z.array(z.object({ path: z.string(), change: ChangedFile.shape.change })),
  more: z.number(),
  commands: z.object({
    run: z.number(),
    /** Calls that failed, were cut off or exited with a code other than 0; at most ten. */
    failed: z.array(z.object({ callId: CallId, text: z.string(), exitCode: z.number().nullable() })),
    failedCount: z.number(),
  }),
  memories: z.array(MemoryChange),
  /** Calls that ran without asking, except those that only read. */
  autoApproved: z.number(),
  /** Cost in micro-dollars of the requests with a known price. */
  costMicroDollars: z.number(),
  /** Requests without a known price. */
  unpriced: z.number(),
  waiting: z.number(),
});
export type SinceSeen = z.infer<typeof SinceSeen>;

/** Maximum entries per page. */
export const ACTIVITY_PAGE = 100;
