import { z } from 'zod';
import { ActivityEntry } from '../activity';
import { command } from '../command';
import { ProjectId, ThreadId } from '../ids';

/** Calls that ran without asking. */
export const activityCommands = {
  /** Calls that ran without asking, the latest first. */
  'activity.list': command(
    z.strictObject({
      projectId: ProjectId.nullable(),
      threadId: ThreadId.nullable(),
      ruleId: z.string().max(200).nullable(),
      /** Searched in the call, its reason and the tool's name, ignoring case. */
      query: z.string().max(1_000),
      /** Includes calls that only looked into the folder. */
      looks: z.boolean(),
      /** Continues there: `next` of the previous page. */
      before: z.number().int().positive().nullable(),
    }),
    z.object({ entries: z.array(ActivityEntry), next: z.number().nullable() }),
  ),
} as const;
