import { z } from 'zod';
import { command, nothing } from '../command';
import { SandboxState } from '../shared/sandbox';

export const SandboxDetails = SandboxState.extend({
  /** Places that exist on this machine and that commands find empty or cannot open. */
  hidden: z.array(z.string()),
  /** What in a project folder stays as it is. */
  readOnly: z.array(z.string()),
});
export type SandboxDetails = z.infer<typeof SandboxDetails>;

/** How commands are confined on this machine. */
export const sandboxCommands = {
  'sandbox.read': command(nothing, SandboxDetails),
} as const;
