import { z } from 'zod';
import { CallId, ProjectId } from './ids';

/** An amount of files. */
const Amount = z.object({ files: z.number(), bytes: z.number() });

/** What a private copy would contain. */
export const CopyAmounts = z.object({
  /** What git does not ignore, with the repository itself. */
  own: Amount,
  /** What git ignores, such as installed packages and build results. */
  ignored: Amount,
  /** `clone`: the file system shares the content, so the copy is fast and needs hardly any space. */
  method: z.enum(['clone', 'copy']),
  /** Free bytes on the disk of the copies. */
  free: z.number(),
});
export type CopyAmounts = z.infer<typeof CopyAmounts>;

/** One file that a private copy changed. */
export const CopyDifference = z.object({
  /** Relative to the folder, with `/`. */
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed', 'mode']),
  /** `merge`: the folder changed it too, in other parts. `conflict`: in the same parts. */
  state: z.enum(['take', 'merge', 'conflict']),
  /** Other programs run or load it. */
  obeyed: z.boolean().optional(),
  /** Lines that bringing it in adds and removes; null if it is not text or was not compared. */
  added: z.number().nullable(),
  removed: z.number().nullable(),
});
export type CopyDifference = z.infer<typeof CopyDifference>;

/** Lines that the folder and the copy changed differently. */
export const CopyConflictPart = z.object({
  /** The line in the folder's version, from 1. */
  line: z.number(),
  base: z.string(),
  folder: z.string(),
  copy: z.string(),
});
export type CopyConflictPart = z.infer<typeof CopyConflictPart>;

/** The version to keep. `both`: the folder's lines, then the copy's. */
export const CopySide = z.enum(['folder', 'copy', 'both']);
export type CopySide = z.infer<typeof CopySide>;

export const BroughtIn = z.object({
  /** Paths that are in the folder now. */
  brought: z.array(z.string()),
  /** Paths that were left out, with the reason. */
  left: z.array(
    z.object({ path: z.string(), reason: z.enum(['conflict', 'changed', 'open', 'database', 'refused']) }),
  ),
  /** Used to undo it; null if nothing changed in the folder. */
  callId: CallId.nullable(),
});
export type BroughtIn = z.infer<typeof BroughtIn>;

/** For a project that is a private copy of another one's folder. */
export const CopyInfo = z.object({
  /** The project id of the original. */
  of: ProjectId,
  madeAt: z.number(),
  method: CopyAmounts.shape.method,
  /** It includes what git ignored. */
  ignored: z.boolean(),
  /** It was thrown away; its threads remain. */
  gone: z.boolean().optional(),
});
export type CopyInfo = z.infer<typeof CopyInfo>;
