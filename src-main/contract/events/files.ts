import { z } from 'zod';
import { ProjectId } from '../ids';

export const filesEvents = [
  /** Absolute paths of directories whose listing or files changed; `all` if there are too many to list. */
  z.object({
    type: z.literal('files.changed'),
    projectId: ProjectId,
    directories: z.array(z.string()),
    files: z.array(z.string()),
    all: z.boolean(),
  }),
] as const;
