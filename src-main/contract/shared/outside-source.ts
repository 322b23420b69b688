import { z } from 'zod';

/**
 * Where text from outside came from: a web page by its host, an external tool by its server, a command's download by its host or
 * program, or a file that the person attached or that the thread was imported from, by its name.
 */
export const OutsideSource = z.object({
  kind: z.enum(['page', 'server', 'download', 'attachment', 'import']),
  name: z.string(),
  /** Identity of a server: another one may have the same name. */
  id: z.string().optional(),
});
export type OutsideSource = z.infer<typeof OutsideSource>;
