import { z } from 'zod';
import { ChangedFile } from './changes';
import { ApprovalMode } from './control';
import { Approval, MemoryChange, ToolCallStatus } from './conversation';
import { CallId, ProjectId, ThreadId } from './ids';
import { Reasons } from './shared/reasons';
import { ToolDisplay } from './shared/tool-display';

/** A decision that waits, with the place it belongs to. */
export const WaitingDecision = z.object({
  approval: Approval,
  projectId: ProjectId,
  /** Title of the thread; empty where it has none yet. */
  title: z.string(),
});
export type WaitingDecision = z.infer<typeof WaitingDecision>;

/** A call that ran without being asked about. */
export const ActivityEntry = z.object({
  id: z.number().int(),
  projectId: ProjectId,
  threadId: ThreadId,
  /** Title of the thread; empty where it has none. */
  title: z.string(),
  callId: CallId,
  /** When it began: milliseconds since 1970. */
  at: z.number(),
  /** Name of the sub-agent that made it; absent for the thread's own agent. */
  agent: z.string().optional(),
  tool: z.string(),
  /** Absent for a tool that is not built in. */
  display: ToolDisplay.optional(),
  /** The command, the path, or the beginning of the arguments. */
  about: z.string(),
  /** Why it was not asked about. */
  reason: Reasons,
  /** The rule of the person's that let it; it may have been revoked since. */
  ruleId: z.string().optional(),
  /** The project's mode at that time. */
  mode: ApprovalMode,
  /** False: it only looked into the folder. */
  outside: z.boolean(),
  /** `running` until it ends; what a crash cut off stays so. */
  status: ToolCallStatus,
  exitCode: z.number().nullable().optional(),
  durationMs: z.number().optional(),
  /** The beginning of what it answered. */
  result: z.string().optional(),
  /** Micro-dollars of the step that asked for it, shared with the other calls of that step; absent where not known. */
  stepCostMicroDollars: z.number().optional(),
  /** Files of the folder that it changed, as far as that was recorded. */
  files: z.number(),
  memory: MemoryChange.optional(),
  /** Its changes of files were undone. */
  undone: z.boolean(),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

/** What happened in a thread since the person last looked at it. */
export const SinceSeen = z.object({
  /** When it was last seen: milliseconds since 1970. */
  at: z.number(),
  /** Those listed, by path; `more` are not. */
  files: z.array(z.object({ path: z.string(), change: ChangedFile.shape.change })),
  more: z.number(),
  commands: z.object({
    run: z.number(),
    /** Those that failed, were cut off or ended with a code other than 0; at most ten. */
    failed: z.array(z.object({ callId: CallId, text: z.string(), exitCode: z.number().nullable() })),
    failedCount: z.number(),
  }),
  memories: z.array(MemoryChange),
  /** Calls that ran without being asked about, other than those that only looked. */
  unasked: z.number(),
  /** Micro-dollars, of the requests whose price is known. */
  costMicroDollars: z.number(),
  /** Requests whose price is not known. */
  unpriced: z.number(),
  waiting: z.number(),
});
export type SinceSeen = z.infer<typeof SinceSeen>;

/** Most entries of one page. */
export const ACTIVITY_PAGE = 100;
