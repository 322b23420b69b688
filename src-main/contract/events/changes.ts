import { z } from 'zod';
import { ProjectId, ThreadId } from '../ids';

export const changesEvents = [
  /** Files in a folder changed, whoever changed them, and the changes are recorded. */
  z.object({
    type: z.literal('changes.recorded'),
    projectId: ProjectId,
    threadId: ThreadId.nullable(),
  }),
] as const;
