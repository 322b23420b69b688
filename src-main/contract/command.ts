import { z } from 'zod';

/** A command of the window's port, with its input and output. */
export const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

export const nothing = z.strictObject({});
export const done = z.strictObject({});

/** `provider:name` */
export const ModelName = z
  .string()
  .regex(/^[a-z-]+:.+$/)
  .max(200);

/** Absolute, as the agent's tools see it. */
export const FilePath = z.string().min(1).max(8_192);
