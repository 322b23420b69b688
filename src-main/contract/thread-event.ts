import { z } from 'zod';
import { ThreadId } from './ids';

const numbered = { threadId: ThreadId, seq: z.number().int().positive() };

/** An event of one thread, with the thread's next number. */
export const threadEvent = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...numbered, ...shape });
