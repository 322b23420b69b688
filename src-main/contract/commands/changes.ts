import { z } from 'zod';
import { ChangedFile, ChangeStep, RevertOutcome, RevertScope } from '../changes';
import { command } from '../command';
import { DiffHunk } from '../conversation';
import { MessageId, ThreadId } from '../ids';

const at = {
  threadId: ThreadId,
  /** Only what came after this message of the thread; absent: all that the thread changed. */
  since: MessageId.optional(),
};

/** What a thread changed in its folder. */
export const changesCommands = {
  /** What the thread changed in its folder, by path. Looks at the folder first, so it is true now. `not_found`: no such message. */
  'changes.list': command(
    z.strictObject(at),
    z.object({
      files: z.array(ChangedFile),
      /** There are more, which are not listed. */
      more: z.number(),
      /** False while the folder is first looked through: what runs until then may not be undone. */
      ready: z.boolean(),
    }),
  ),
  /** How one file differs from before the thread's first change, and who changed it when, newest first. */
  'changes.file': command(
    z.strictObject({ ...at, path: z.string().min(1).max(8_192) }),
    z.object({
      kind: z.enum(['text', 'binary', 'too_large', 'lost', 'link', 'same']),
      hunks: z.array(DiffHunk),
      /** True when only the first hunks are here because the change is huge. */
      cut: z.boolean(),
      digest: z.string(),
      timeline: z.array(ChangeStep),
    }),
  ),
  /** Takes changes back. Without `force` it asks first where somebody else changed the same files since. */
  'changes.revert': command(
    z.strictObject({ threadId: ThreadId, scope: RevertScope, force: z.boolean() }),
    RevertOutcome,
  ),
} as const;
