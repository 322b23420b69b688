import { z } from 'zod';
import { command, nothing } from '../command';
import { SandboxState } from '../shared/sandbox';

export const SandboxDetails = SandboxState.extend({
  /** Existing places that commands find empty or cannot open. */
  hidden: z.array(z.string()),
  /** Paths in a project folder that commands cannot change. */
  readOnly: z.array(z.string()),
});
export type SandboxDetails = z.infer<typeof SandboxDetails>;

/** The sandbox on this machine. */
export const sandboxCommands = {
  'sandbox.read': command(nothing, SandboxDetails),
} as const;
