import { z } from 'zod';
import { Reason } from './reasons';

/** Something that the sandbox did not let a command do. */
export const Refused = z.object({
  what: z.enum(['write', 'read', 'network', 'permission']),
  /** The path or the host, as the command named it; empty where it did not say. */
  name: z.string(),
});
export type Refused = z.infer<typeof Refused>;

/** A command that ran inside the sandbox; while it runs nothing is known to be refused. */
export const SandboxedCall = z.object({
  refused: z.array(Refused),
  /** Names in the folder that other programs obey and that the command made: none was there to be kept read-only. */
  made: z.array(z.string()).optional(),
  /** The same that were there, and that are no longer as they were before the command. */
  changed: z.array(z.string()).optional(),
  /** It saw the folder read-only, since nobody was asked whether it may write. */
  readOnly: z.literal(true).optional(),
});
export type SandboxedCall = z.infer<typeof SandboxedCall>;

/** Whether commands can be confined on this machine, and how. */
export const SandboxState = z.object({
  kind: z.enum(['bubblewrap', 'seatbelt']).nullable(),
  /** Why there is none; null where there is one. */
  reason: Reason.nullable(),
  /** Why hosts cannot be allowed one by one; null where they can. */
  noHosts: Reason.nullable(),
  /** What the sandbox does less well here than elsewhere. */
  lacking: z.array(Reason).optional(),
});
export type SandboxState = z.infer<typeof SandboxState>;
