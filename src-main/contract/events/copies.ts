import { z } from 'zod';
import { ProjectId } from '../ids';

export const copiesEvents = [
  /** Progress of making a private copy of a project's folder. */
  z.object({
    type: z.literal('copies.progress'),
    projectId: ProjectId,
    files: z.number(),
    bytes: z.number(),
  }),
] as const;
