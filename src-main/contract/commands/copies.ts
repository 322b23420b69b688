import { z } from 'zod';
import { Project } from '../app';
import { DiffHunk } from '../approvals';
import { command } from '../command';
import { BroughtIn, CopyAmounts, CopyConflictPart, CopyDifference, CopySide } from '../copies';
import { CallId, ProjectId, ThreadId } from '../ids';

/** Relative to the folder, with `/`. */
const Path = z.string().min(1).max(8_192);

/** Private copies of a folder, each a project of its own. `projectId` is the copy's unless stated otherwise. */
export const copiesCommands = {
  /** What a private copy of a project's folder would contain, and how it is made. Copies nothing. */
  'copies.measure': command(z.strictObject({ projectId: ProjectId }), CopyAmounts),
  /**
   * Makes a private copy of a project's folder; cancel the call to stop it. Reports `copies.progress`. `ignored`: includes
   * what git ignores. Errors: `storage` if the disk is full, `unsupported` if the folder contains the data folder.
   */
  'copies.make': command(
    z.strictObject({ projectId: ProjectId, ignored: z.boolean() }),
    z.object({ project: Project, skipped: z.number() }),
  ),
  /** What the copy changed, compared with the folder. */
  'copies.changes': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({
      files: z.array(CopyDifference),
      /** Number of further files that are not listed. */
      more: z.number(),
      /** As in `changes.list`. */
      uncounted: z.number().optional(),
    }),
  ),
  /**
   * What bringing in one file changes in the folder, as a diff. If lines of it conflict: the parts that need a choice, and as a
   * diff the other changes that come in.
   */
  'copies.file': command(
    z.strictObject({ projectId: ProjectId, path: Path }),
    z.object({
      kind: z.enum(['text', 'document', 'binary', 'too_large', 'link', 'same']),
      hunks: z.array(DiffHunk),
      /** True if only the first hunks are included because the change is huge. */
      cut: z.boolean(),
      isConflict: z.boolean(),
      /** Empty if the whole file conflicts. */
      conflicts: z.array(CopyConflictPart),
      /** Of the three versions: `stale` if one of them has changed since. */
      digest: z.string(),
    }),
  ),
  /**
   * Merges the copy's changes into the folder. Conflicts without a choice stay as they are. Errors: `conflict` while an agent
   * works in the copy, `stale` if a file with chosen parts has changed since it was shown.
   */
  'copies.bringIn': command(
    z.strictObject({
      projectId: ProjectId,
      threadId: ThreadId,
      /** Absent: all files. */
      paths: z.array(Path).max(10_000).optional(),
      /** Files with chosen parts: indexes of their hunks, or one side per conflict. One side for a file that is not text. */
      parts: z
        .record(
          Path,
          z.strictObject({
            digest: z.string().max(200),
            hunks: z.array(z.number().int().nonnegative()).max(10_000).optional(),
            sides: z.array(CopySide).max(10_000).optional(),
          }),
        )
        .optional(),
    }),
    BroughtIn,
  ),
  /** Undoes `copies.bringIn`: the changes are in the copy only, as before. `false`: the folder has changed since. */
  'copies.undo': command(
    z.strictObject({ projectId: ProjectId, threadId: ThreadId, callId: CallId, force: z.boolean() }),
    z.object({ done: z.boolean(), files: z.number() }),
  ),
  /** Removes the copy. Without `force`, only if it has no changes that are missing in the folder. */
  'copies.throwAway': command(
    z.strictObject({ projectId: ProjectId, force: z.boolean() }),
    z.discriminatedUnion('status', [
      /** `files`: changed files that the folder lacks; null if they cannot be compared. */
      z.object({ status: z.literal('asks'), files: z.number().nullable() }),
      z.object({ status: z.literal('done') }),
    ]),
  ),
} as const;
