import { z } from 'zod';
import { ProjectId } from '../ids';

export const memoriesEvents = [
  /**
   * Memories were written, moved, deleted or restored, in one batch. `projectId`: whose, if some are not for everywhere; for a
   * private copy, the project that it is of.
   */
  z.object({
    type: z.literal('memories.changed'),
    paths: z.array(z.string()),
    projectId: ProjectId.optional(),
  }),
  /** Progress of `memories.copy`. */
  z.object({ type: z.literal('memories.copying'), done: z.number(), total: z.number() }),
] as const;
