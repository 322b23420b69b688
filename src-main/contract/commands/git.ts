import { z } from 'zod';
import { command, done } from '../command';
import { GitHunk, GitIdentity, GitRepository, GitTransfer } from '../git';
import { ThreadId } from '../ids';

const at = { threadId: ThreadId };
const Path = z.string().min(1).max(8_192);
const Branch = z.string().min(1).max(250);
const Digest = z.string().max(200);
const Direction = z.enum(['push', 'pull']);

/** The git repository of a thread's folder. Nothing that the repository configures runs. */
export const gitCommands = {
  /** Null if the folder is not the top of a repository. */
  'git.status': command(z.strictObject(at), z.object({ repository: GitRepository.nullable() })),
  /** The differences of one file, either staged or not yet staged. */
  'git.file': command(
    z.strictObject({ ...at, path: Path, staged: z.boolean() }),
    z.object({
      kind: z.enum(['text', 'binary', 'too_large', 'submodule', 'conflict', 'same']),
      hunks: z.array(GitHunk),
      digest: z.string(),
    }),
  ),
  /** Stages or unstages whole files. */
  'git.stage': command(
    z.strictObject({ ...at, paths: z.array(Path).min(1).max(20_000), staged: z.boolean() }),
    done,
  ),
  /** Stages every changed file, also those that are not listed. Files with conflicts are left. */
  'git.stageAll': command(z.strictObject(at), done),
  /** Stages or unstages one hunk of the diff with this digest. `stale` if the file changed since. */
  'git.stageHunk': command(
    z.strictObject({
      ...at,
      path: Path,
      hunk: z.number().int().nonnegative(),
      digest: Digest,
      staged: z.boolean(),
    }),
    done,
  ),
  /** Stages what the agent changed since the last commit: its files, and its parts of files that both changed. */
  'git.stageAgent': command(z.strictObject(at), z.object({ files: z.number(), left: z.number() })),
  /** Commits what is staged. `amend`: replaces the last commit, if it was not pushed. */
  'git.commit': command(
    z.strictObject({
      ...at,
      message: z.string().min(1).max(100_000),
      amend: z.boolean(),
      /** For a person whose git has no name and address yet. The project remembers it. */
      identity: GitIdentity.optional(),
    }),
    z.object({ id: z.string(), skippedHooks: z.boolean() }),
  ),
  /** Lets exactly these hooks run, from now on. `stale` if they changed. */
  'git.allowHooks': command(z.strictObject({ ...at, digest: Digest }), done),
  /** Withdraws that. */
  'git.disallowHooks': command(z.strictObject({ ...at, digest: Digest }), done),
  /** Asks the thread's model for a commit message for what is staged. It commits nothing. */
  'git.draft': command(
    z.strictObject(at),
    z.object({ message: z.string(), costMicroDollars: z.number().nullable() }),
  ),
  'git.branches': command(z.strictObject(at), z.object({ branches: z.array(z.string()) })),
  /** Switches to a branch, or creates it at the last commit. Refused if changes would be lost. */
  'git.switch': command(z.strictObject({ ...at, branch: Branch, create: z.boolean() }), done),
  /** What a push or pull would transfer; null: nothing. `pull` fetches first. */
  'git.compare': command(
    z.strictObject({ ...at, direction: Direction }),
    z.object({ transfer: GitTransfer.nullable() }),
  ),
  /** Pushes or pulls exactly what was shown. `stale` if it changed since. Never forces, never merges. */
  'git.transfer': command(z.strictObject({ ...at, direction: Direction, transfer: GitTransfer }), done),
  /** Discards a file's changes that are not staged. `undo` names the previous content. */
  'git.discard': command(z.strictObject({ ...at, path: Path }), z.object({ undo: z.number() })),
  'git.undoDiscard': command(z.strictObject({ ...at, path: Path, undo: z.number() }), done),
} as const;
