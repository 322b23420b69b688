import { z } from 'zod';
import { command } from '../command';

/** External addresses. */
export const linkCommands = {
  /** Opens an http(s) or mailto address in the system's browser after the person confirms it. */
  'link.open': command(z.strictObject({ url: z.string().max(8_192) }), z.object({ opened: z.boolean() })),
} as const;
