import { z } from 'zod';
import { ActivityEntry } from '../activity';
import { command } from '../command';
import { ProjectId, ThreadId } from '../ids';

/** What ran without being asked about. */
export const activityCommands = {
  /** What ran without being asked about, the last first. */
  'activity.list': command(
    z.strictObject({
      projectId: ProjectId.nullable(),
      threadId: ThreadId.nullable(),
      ruleId: z.string().max(200).nullable(),
      /** In what ran, why, and the tool's name; any case. */
      query: z.string().max(1_000),
      /** With calls that only looked into the folder. */
      looks: z.boolean(),
      /** Goes on from there: `next` of the page before. */
      before: z.number().int().positive().nullable(),
    }),
    z.object({ entries: z.array(ActivityEntry), next: z.number().nullable() }),
  ),
} as const;
