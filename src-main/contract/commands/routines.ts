import { z } from 'zod';
import { command, done, nothing } from '../command';
import { ApprovalId, RoutineId, ThreadId } from '../ids';
import { RoutineDraft, RoutineInfo, ScheduleInfo } from '../routines';
import { isVisibleName } from '../shared/shown-name';

const one = z.strictObject({ id: RoutineId });

/** Prompts that run on a schedule. */
export const routinesCommands = {
  'routines.list': command(
    nothing,
    z.object({
      routines: z.array(RoutineInfo),
      /** IANA name of the computer's time zone. */
      timeZone: z.string(),
    }),
  ),
  /** When a schedule is due. Errors: `invalid`. */
  'routines.preview': command(RoutineDraft.pick({ schedule: true, timeZone: true }), ScheduleInfo),
  /**
   * Saves a new (null) or changed routine. A mode that asks less than the project's is confirmed in a native dialog. Errors:
   * `invalid`, `conflict` if the name is taken, `not_found` if it was removed, `cancelled`.
   */
  'routines.save': command(
    z.strictObject({
      id: RoutineId.nullable(),
      // Not in the draft itself: a saved routine with another name stays readable.
      draft: RoutineDraft.extend({ name: RoutineDraft.shape.name.refine(isVisibleName) }),
    }),
    z.object({ id: RoutineId }),
  ),
  'routines.turn': command(z.strictObject({ id: RoutineId, isOn: z.boolean() }), done),
  /** Removes a routine; its runs stay as threads. */
  'routines.remove': command(one, done),
  'routines.restore': command(one, done),
  /**
   * Runs it now. `record`: as an attended run, whose record replaces the earlier one; always so for the first run. Errors:
   * `conflict` while an earlier run is in progress, and those of the project and the model.
   */
  'routines.run': command(
    z.strictObject({ id: RoutineId, record: z.boolean() }),
    z.object({ threadId: ThreadId }),
  ),
  /** Dismisses the offer to run what was missed. */
  'routines.dismiss': command(one, done),
  /** Adds a waiting call to the record of its routine and approves it. Errors: as `thread.decide`. */
  'routines.always': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId, digest: z.string().max(200) }),
    done,
  ),
  /** Removes a call from the record, so that it needs approval again. */
  'routines.forget': command(
    z.strictObject({ id: RoutineId, tool: z.string().max(200), about: z.string().max(100_000) }),
    done,
  ),
} as const;
