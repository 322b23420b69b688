import { z } from 'zod';
import { ProjectId } from '../ids';

export const hooksEvents = [
  /** A hook of the project has run, or the person decided about its hooks. */
  z.object({ type: z.literal('hooks.changed'), projectId: ProjectId }),
] as const;
