import { z } from 'zod';
import { SandboxState } from '../shared/sandbox';

export const sandboxEvents = [
  /** Whether commands can be confined on this machine is known now. */
  z.object({ type: z.literal('sandbox.changed'), sandbox: SandboxState }),
] as const;
