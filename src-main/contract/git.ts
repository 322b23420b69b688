import { z } from 'zod';
import { DiffHunk } from './approvals';

/** Who changed a file or a part of it since the last commit. */
export const GitAuthor = z.enum(['agent', 'person', 'both', 'unclear']);
export type GitAuthor = z.infer<typeof GitAuthor>;

export const GitChange = z.enum(['added', 'modified', 'deleted', 'renamed', 'type', 'untracked', 'conflict']);
export type GitChange = z.infer<typeof GitChange>;

export const GitFile = z.object({
  /** Relative to the folder, with `/`. */
  path: z.string(),
  /** Its name in the last commit, if it was renamed. */
  from: z.string().optional(),
  staged: GitChange.nullable(),
  unstaged: GitChange.nullable(),
  submodule: z.boolean(),
  by: GitAuthor,
});
export type GitFile = z.infer<typeof GitFile>;

/** Whether a file has changes that can be staged. */
export const canStage = ({ unstaged }: Pick<GitFile, 'unstaged'>): boolean =>
  unstaged !== null && unstaged !== 'conflict';

/** What to stage of a file. The old name of a rename is gone, unless the rename itself is not staged yet. */
export const pathsToStage = ({
  path,
  from,
  unstaged,
}: Pick<GitFile, 'path' | 'from' | 'unstaged'>): string[] =>
  from === undefined || unstaged !== 'renamed' ? [path] : [path, from];

export const GitHunk = DiffHunk.extend({ by: GitAuthor });
export type GitHunk = z.infer<typeof GitHunk>;

/** A repository's hooks, and whether the person allowed exactly these to run. */
export const GitHooks = z.object({ names: z.array(z.string()), digest: z.string(), allowed: z.boolean() });
export type GitHooks = z.infer<typeof GitHooks>;

/** Who commits, where git knows no name and address. */
export const GitIdentity = z.strictObject({
  name: z.string().min(1).max(200),
  email: z.string().min(1).max(200),
});
export type GitIdentity = z.infer<typeof GitIdentity>;

export const GitRepository = z.object({
  /** Null if HEAD is detached. */
  branch: z.string().nullable(),
  /** The last commit; null if there are none yet. */
  head: z.object({ id: z.string(), message: z.string(), pushed: z.boolean() }).nullable(),
  upstream: z.object({ name: z.string(), ahead: z.number(), behind: z.number() }).nullable(),
  hasRemote: z.boolean(),
  operation: z.enum(['merge', 'rebase', 'cherry-pick', 'revert']).nullable(),
  files: z.array(GitFile),
  /** Number of further files that are not listed. */
  more: z.number(),
  /** Number of those that have staged changes. */
  moreStaged: z.number(),
  /** Number of those whose changes can be staged. */
  moreOpen: z.number(),
  /** False if git knows no name and address for commits. */
  hasIdentity: z.boolean(),
  /** What the person entered at an earlier commit in this project. */
  identity: GitIdentity.nullable(),
  hooks: GitHooks.nullable(),
  /** Settings of the repository that would run programs. They do not apply here. */
  ignored: z.array(z.string()),
});
export type GitRepository = z.infer<typeof GitRepository>;

/** What a push or pull would do. `id` names the commit that it was prepared for. */
export const GitTransfer = z.object({
  remote: z.string(),
  branch: z.string(),
  commits: z.number(),
  id: z.string(),
  /** The branch does not exist on the remote yet. */
  isNew: z.boolean(),
});
export type GitTransfer = z.infer<typeof GitTransfer>;
