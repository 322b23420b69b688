import { z } from 'zod';
import { ProjectId } from '../ids';

export const filesEvents = [
  /** Directories (absolute) whose listing or files changed; `all` when too much happened to name. */
  z.object({
    type: z.literal('files.changed'),
    projectId: ProjectId,
    directories: z.array(z.string()),
    files: z.array(z.string()),
    all: z.boolean(),
  }),
] as const;
