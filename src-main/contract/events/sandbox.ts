import { z } from 'zod';
import { SandboxState } from '../shared/sandbox';

export const sandboxEvents = [
  /** It is now known whether commands can be sandboxed on this machine. */
  z.object({ type: z.literal('sandbox.changed'), sandbox: SandboxState }),
] as const;
