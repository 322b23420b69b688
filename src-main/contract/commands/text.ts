import { z } from 'zod';
import { command } from '../command';

/** Texts that the person saves. */
export const textCommands = {
  /**
   * Asks the person for a file and writes a text to it. The name is only a suggestion; a path never comes from the window.
   */
  'text.save': command(
    z.strictObject({ name: z.string().min(1).max(200), text: z.string().max(20_000_000) }),
    z.object({ path: z.string().nullable() }),
  ),
} as const;
