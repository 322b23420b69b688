import { z } from 'zod';
import { DiffHunk } from '../approvals';
import { command } from '../command';
import { ApprovalId, ProjectId, ThreadId } from '../ids';
import { NotRehearsed } from '../outcome';

/** Commands that ran in a throwaway layer. */
export const rehearsalCommands = {
  /** An outcome's changes to one file. `not_found` if the call no longer waits, or has no such file. */
  'rehearsal.diff': command(
    z.strictObject({ threadId: ThreadId, approvalId: ApprovalId, path: z.string().min(1).max(8_192) }),
    z.object({
      kind: z.enum(['text', 'document', 'binary', 'too_large', 'lost', 'link', 'same']),
      hunks: z.array(DiffHunk),
      /** True if only the first hunks are included because the change is huge. */
      cut: z.boolean(),
    }),
  ),
  /** Whether a project's commands are rehearsed, and if not, why. */
  'rehearsal.available': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({
      reason: NotRehearsed.nullable(),
      detail: z.string().optional(),
      /** What stops a command in a layer: bytes on disk, files, processes and threads, bytes of memory. */
      limits: z
        .object({ bytes: z.number(), files: z.number(), processes: z.number(), memory: z.number() })
        .optional(),
    }),
  ),
} as const;
