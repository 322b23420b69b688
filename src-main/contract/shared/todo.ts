import { z } from 'zod';

/** A step of the agent's plan. */
export const Todo = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
});
export type Todo = z.infer<typeof Todo>;
