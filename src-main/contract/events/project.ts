import { z } from 'zod';
import { Project } from '../app';
import { ProjectId } from '../ids';

export const projectEvents = [
  z.object({ type: z.literal('project.changed'), project: Project }),
  z.object({ type: z.literal('project.removed'), projectId: ProjectId }),
] as const;
