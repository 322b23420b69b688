import { z } from 'zod';
import { DiffHunk } from '../approvals';
import { ChangedFile, ChangeStep, RevertOutcome, RevertScope, TurnFile } from '../changes';
import { command } from '../command';
import { MessageId, ThreadId } from '../ids';

const at = {
  threadId: ThreadId,
  /** Only changes after this message of the thread; absent: all its changes. */
  since: MessageId.optional(),
};

/** Changes that a thread made in its folder. */
export const changesCommands = {
  /**
   * The thread's changes in its folder, by path. Scans the folder first, so the list is current. `not_found`: no such
   * message.
   */
  'changes.list': command(
    z.strictObject(at),
    z.object({
      files: z.array(ChangedFile),
      /** Number of further changes that are not listed. */
      more: z.number(),
      /** Number of listed files whose lines were not counted because the list is long. Absent: none. */
      uncounted: z.number().optional(),
      /** False during the first scan of the folder: changes until then may not be undoable. */
      ready: z.boolean(),
    }),
  ),
  /** The diff of one file since before the thread's first change, and who changed it when, newest first. */
  'changes.file': command(
    z.strictObject({ ...at, path: z.string().min(1).max(8_192) }),
    z.object({
      kind: z.enum(['text', 'document', 'binary', 'too_large', 'lost', 'link', 'same']),
      hunks: z.array(DiffHunk),
      /** True if only the first hunks are included because the change is huge. */
      cut: z.boolean(),
      /** As in `ChangedFile`. */
      moved: z.string().nullable(),
      digest: z.string(),
      timeline: z.array(ChangeStep),
    }),
  ),
  /** What one turn changed, by path, as far as it is recorded. `not_found`: no such message. */
  'changes.turn': command(
    z.strictObject({ threadId: ThreadId, messageId: MessageId }),
    z.object({
      files: z.array(TurnFile),
      /** Number of further files that are not listed. */
      more: z.number(),
      /** Over all files, also those that are not listed. */
      undo: z.object({
        /** Number of files whose changes are undone. */
        done: z.number(),
        /** The reverts that undid them. */
        reverts: z.array(z.string()),
        /** Whether the changes of a file can still be undone. */
        possible: z.boolean(),
      }),
    }),
  ),
  /** Reverts changes. Without `force`, it asks first if somebody else has changed the same files since. */
  'changes.revert': command(
    z.strictObject({ threadId: ThreadId, scope: RevertScope, force: z.boolean() }),
    RevertOutcome,
  ),
} as const;
