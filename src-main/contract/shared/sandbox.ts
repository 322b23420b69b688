import { z } from 'zod';
import { Reason } from './reasons';

/** An access that the sandbox refused to a command. */
export const Refused = z.object({
  what: z.enum(['write', 'read', 'network', 'permission']),
  /** The path or host as the command named it; empty if unknown. */
  name: z.string(),
  /** The allowed host that the command named, if `name` is its local address, which no rule allows. */
  via: z.string().optional(),
});
export type Refused = z.infer<typeof Refused>;

/** A command that ran in the sandbox. Refusals are unknown while it is running. */
export const SandboxedCall = z.object({
  refused: z.array(Refused),
  /**
   * Names in the folder that other programs load and that the command created: they did not exist, so they could not be made
   * read-only.
   */
  made: z.array(z.string()).optional(),
  /** Existing ones that changed during the command. */
  changed: z.array(z.string()).optional(),
  /** It saw the folder read-only, since nobody was asked whether it may write. */
  readOnly: z.literal(true).optional(),
});
export type SandboxedCall = z.infer<typeof SandboxedCall>;

/** Whether and how commands can be sandboxed on this machine. */
export const SandboxState = z.object({
  kind: z.enum(['bubblewrap', 'seatbelt']).nullable(),
  /** Why there is no sandbox; null if there is one. */
  reason: Reason.nullable(),
  /** Why single hosts cannot be allowed; null if they can. */
  noHosts: Reason.nullable(),
  /** Limitations of the sandbox on this machine. */
  lacking: z.array(Reason).optional(),
});
export type SandboxState = z.infer<typeof SandboxState>;
