import { z } from 'zod';
import { ProjectId, ThreadId } from '../ids';

export const changesEvents = [
  /** Files of a folder changed by whomever, and it is recorded. */
  z.object({
    type: z.literal('changes.recorded'),
    projectId: ProjectId,
    threadId: ThreadId.nullable(),
  }),
] as const;
