import { z } from 'zod';
import { ModelName } from './command';
import { ApprovalMode, RuleMatch } from './control';
import { ProjectId, RoutineId, ThreadId } from './ids';
import { AppError } from './result';

/** Milliseconds since 1970. */
const Instant = z.number();

/** What one run may use; null: only the limits of Settings → Spending apply. */
const RoutineBudget = z.strictObject({
  microDollars: z.number().int().positive().nullable(),
  /** Input and output together. */
  tokens: z.number().int().positive().nullable(),
});
export type RoutineBudget = z.infer<typeof RoutineBudget>;

/** A prompt that runs on a schedule, as the person describes it. */
export const RoutineDraft = z.strictObject({
  name: z.string().trim().min(1).max(100),
  projectId: ProjectId,
  prompt: z.string().trim().min(1).max(100_000),
  /** A cron expression with five fields, or words such as "every weekday at 9". */
  schedule: z.string().trim().min(1).max(200),
  /** IANA name. */
  timeZone: z.string().min(1).max(100),
  model: ModelName,
  /** Null: the mode of the project. */
  mode: ApprovalMode.nullable(),
  budget: RoutineBudget,
  isOn: z.boolean(),
});
export type RoutineDraft = z.infer<typeof RoutineDraft>;

/** A call that the routine may repeat without a person. */
export const RecordedCall = z.object({
  tool: z.string(),
  /** The command, the path or the address. */
  about: z.string(),
  /** The person approved the call: these match it, as rules do. Empty: it ran without asking. */
  matches: z.array(RuleMatch),
  /** Digest of the approved call with everything that the decision was about. */
  digest: z.string().nullable(),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

/** What the routine did in its first, attended run, and what the person added since. */
const RoutineRecord = z.object({
  at: Instant,
  threadId: ThreadId,
  calls: z.array(RecordedCall),
});
export type RoutineRecord = z.infer<typeof RoutineRecord>;

/** Missed due times that are counted; there may be more of them. */
export const MAX_COUNTED_MISSES = 1_000;

/** Runs that were due while nothing could run them. */
const MissedRuns = z.object({
  /** When the last of them was due. */
  dueAt: Instant,
  /** From `MAX_COUNTED_MISSES` on: at least so many. */
  times: z.number().int().positive(),
});

export const Routine = RoutineDraft.extend({
  id: RoutineId,
  createdAt: Instant,
  /** Null before the first run. */
  record: RoutineRecord.nullable(),
  missed: MissedRuns.nullable(),
});
export type Routine = z.infer<typeof Routine>;

/** A run, or a due time at which none started. */
export const RoutineRun = z.object({
  id: z.string().min(1).max(200),
  routineId: RoutineId,
  at: Instant,
  trigger: z.enum(['schedule', 'person', 'missed']),
  /** Null: it did not start, because of `error`. */
  threadId: ThreadId.nullable(),
  /** An attended run: what it does is recorded. */
  isRecording: z.boolean(),
  /** Calls of an attended run that the person approved, with the digests of what they saw. */
  approved: z.array(
    z.object({ callId: z.string(), args: z.record(z.string(), z.unknown()), digest: z.string().nullable() }),
  ),
  error: AppError.nullable(),
  /** Number of due times in a row with the same outcome. */
  times: z.number().int().positive(),
});
export type RoutineRun = z.infer<typeof RoutineRun>;

/** A run as the history shows it. */
export const RoutineRunInfo = RoutineRun.omit({ approved: true }).extend({
  status: z.enum(['running', 'waiting', 'finished', 'failed', 'interrupted', 'skipped', 'deleted']),
  /** Absent if nothing was reported. */
  costMicroDollars: z.number().optional(),
  tokens: z.number(),
  /** Number of files in the folder that differ because of it. */
  changedFiles: z.number(),
  /** It changed files, and all of these changes were undone. */
  isUndone: z.boolean(),
});
export type RoutineRunInfo = z.infer<typeof RoutineRunInfo>;

/** Runs in a history. */
export const ROUTINE_HISTORY = 20;

export const RoutineInfo = Routine.extend({
  /** Null: it is off, or never due again. */
  nextAt: Instant.nullable(),
  /** The last `ROUTINE_HISTORY`, the newest first. */
  runs: z.array(RoutineRunInfo),
});
export type RoutineInfo = z.infer<typeof RoutineInfo>;

/** A schedule as understood. */
export const ScheduleInfo = z.object({
  cron: z.string(),
  /** The next times that it is due, up to three. */
  next: z.array(Instant),
});
export type ScheduleInfo = z.infer<typeof ScheduleInfo>;
