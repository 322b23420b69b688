import { createHash } from 'node:crypto';
import { readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import type { Project } from '../../contract/app';
import type { Output } from '../../contract/commands';
import type { ErrorCode } from '../../contract/errors';
import { canStage, type GitAuthor, type GitFile, GitIdentity, pathsToStage } from '../../contract/git';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { Reverts } from '../project/changes/reverts';
import { authorOf, authorOfHunk, lastCommitted } from './authors';
import { failureOf } from './failures';
import { hooksOf } from './hooks';
import { DIFF, diffOfLink, parseDiff, patchOf, shownHunks } from './hunks';
import { argumentOf, fieldsOf, pathOf } from './path-texts';
import { hasRepository, hooksFolder, type Repository, withRepository } from './repository';
import { type GitOutput, runGit } from './run-git';
import { stagePaths } from './stage-paths';
import { operationIn, parseStatus, STATUS, type StatusRead } from './status';

const ALLOWED_HOOKS = 'git_hooks';
const MAX_ALLOWED = 500;
/** The names for commits by project, and how many are kept. */
const IDENTITIES = 'git_identities';
const MAX_IDENTITIES = 500;
/** Maximum bytes of a diff that is shown. */
const MAX_DIFF = 2 * 1024 * 1024;
/** Milliseconds for a commit, with its hooks. */
const COMMIT_WITHIN = 10 * 60_000;
/** What git itself says of a commit. */
const COMMIT_ERRORS = new Set<string>([
  'git_missing',
  'git_timeout',
  'cancelled',
  'git_output',
  'git_locked',
  'git_no_identity',
  'git_nothing_staged',
  'git_conflicts',
] satisfies ErrorCode[]);

export interface GitParts {
  storage: Storage;
  reverts: Reverts;
  env: NodeJS.ProcessEnv;
  /** Maximum number of listed files, in tests. */
  maxListed?: number;
}

export interface FileDiffRead {
  kind: Output<'git.file'>['kind'];
  bytes: Buffer;
}

/** What a person does with the repository of a folder. */
export class GitService {
  constructor(private readonly parts: GitParts) {}

  inRepository<T>(
    project: Project,
    work: (repository: Repository) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return withRepository(project.folder, this.parts.env, work);
  }

  async status(project: Project, signal: AbortSignal): Promise<Result<Output<'git.status'>>> {
    if (!(await hasRepository(project.folder))) return ok({ repository: null });
    return this.inRepository(project, async (repository) => {
      const read = await statusOf(repository, signal, this.parts.maxListed);
      if (!read.ok) return read;
      const { branch, headId, upstream, more, moreStaged, moreOpen } = read.value;
      const files = await this.withAuthors(project, repository, read.value, signal);
      const last =
        headId === null
          ? null
          : await text(repository, ['log', '-1', '--no-show-signature', '--format=%B'], signal);
      const isPushed = headId !== null && (await isOnRemote(repository, signal));
      const identity = await runGit(repository, ['var', 'GIT_COMMITTER_IDENT'], { signal });
      const email = await runGit(repository, ['config', 'user.email'], { signal });
      const hooks = await hooksOf(repository);
      return ok({
        repository: {
          branch,
          head: headId === null ? null : { id: headId, message: (last ?? '').trimEnd(), pushed: isPushed },
          upstream,
          hasRemote: repository.settings.some(({ key }) => /^remote\..*\.url$/s.test(key)),
          operation: await operationIn(repository.gitDir),
          files,
          more,
          moreStaged,
          moreOpen,
          hasIdentity: identity.code === 0 && email.code === 0,
          identity: this.identities()[project.id] ?? null,
          hooks: hooks === null ? null : { ...hooks, allowed: this.allowed().includes(hooks.digest) },
          ignored: repository.ignored,
        },
      });
    });
  }

  async file(
    project: Project,
    path: string,
    staged: boolean,
    signal: AbortSignal,
  ): Promise<Result<Output<'git.file'>>> {
    return this.inRepository<Output<'git.file'>>(project, async (repository) => {
      const read = await statusOf(repository, signal);
      if (!read.ok) return read;
      const [file] = (await this.withAuthors(project, repository, read.value, signal)).filter(
        (one) => one.path === path,
      );
      const diff = await diffOf(repository, path, staged, file, signal);
      if (!diff.ok) return diff;
      const { kind, bytes } = diff.value;
      if (kind !== 'text') return ok({ kind, hunks: [], digest: '' });
      const by = file?.by ?? 'person';
      // Lines are only known for the file as it is in the folder.
      const isCurrent = !staged || file?.unstaged === null;
      const blame = by === 'person' || !isCurrent ? null : await this.parts.reverts.blame(project, path);
      const hunks = shownHunks(parseDiff(bytes)).map((hunk) => ({
        ...hunk,
        by: blame === null ? by : authorOfHunk(hunk, blame, by),
      }));
      return ok({ kind, hunks, digest: digestOf(bytes) });
    });
  }

  stage(project: Project, paths: readonly string[], staged: boolean): Promise<Result<Record<never, never>>> {
    return this.inRepository(project, async (repository) => {
      if (staged && (await hasMarkers(repository, paths))) return fail('conflict', 'git_conflicts');
      const done = await stagePaths(repository, paths, staged);
      return done === null ? ok({}) : done;
    });
  }

  stageAll(project: Project, signal: AbortSignal): Promise<Result<Record<never, never>>> {
    return this.inRepository(project, async (repository) => {
      const read = await statusOf(repository, signal, Infinity);
      if (!read.ok) return read;
      const paths = read.value.files.filter(canStage).flatMap(pathsToStage);
      return paths.length === 0 ? ok({}) : ((await stagePaths(repository, paths, true)) ?? ok({}));
    });
  }

  stageHunk(
    project: Project,
    { path, hunk, digest, staged }: { path: string; hunk: number; digest: string; staged: boolean },
  ): Promise<Result<Record<never, never>>> {
    return this.inRepository(project, async (repository) => {
      const read = await statusOf(repository);
      if (!read.ok) return read;
      const file = read.value.files.find((one) => one.path === path);
      // To unstage, the diff shown is the staged one.
      const diff = await diffOf(repository, path, !staged, file);
      if (!diff.ok) return diff;
      if (diff.value.kind !== 'text' || digestOf(diff.value.bytes) !== digest)
        return fail('stale', 'file_changed_since_shown');
      const parsed = parseDiff(diff.value.bytes);
      const patch = patchOf(parsed, hunk, !staged);
      if (patch === null) return fail('stale', 'change_gone');
      if (parsed.isReplaced) return (await stagePaths(repository, [path], staged)) ?? ok({});
      return done(
        await runGit(
          repository,
          ['apply', '--cached', '--whitespace=nowarn', ...(staged ? [] : ['--reverse']), '-'],
          { input: patch },
        ),
      );
    });
  }

  /** Stages the agent's changes. Files with changes of unclear origin are left. */
  async stageAgent(project: Project, signal: AbortSignal): Promise<Result<Output<'git.stageAgent'>>> {
    const all = await this.inRepository(project, async (repository) => {
      const read = await statusOf(repository, signal, Infinity);
      return read.ok ? ok(await this.withAuthors(project, repository, read.value, signal)) : read;
    });
    if (!all.ok) return all;
    const open = all.value.filter(canStage);
    const whole = open.filter(({ by }) => by === 'agent').map(({ path }) => path);
    if (whole.length > 0) {
      const staged = await this.stage(project, whole, true);
      if (!staged.ok) return staged;
    }
    let files = whole.length;
    for (const { path } of open.filter(({ by }) => by === 'both')) {
      const count = await this.stageAgentHunks(project, path, signal);
      if (!count.ok) return count;
      if (count.value > 0) files += 1;
    }
    return ok({ files, left: open.length - files });
  }

  private async stageAgentHunks(
    project: Project,
    path: string,
    signal: AbortSignal,
  ): Promise<Result<number>> {
    for (let count = 0; ; count += 1) {
      const file = await this.file(project, path, false, signal);
      if (!file.ok) return file;
      const hunk = file.value.hunks.findIndex(({ by }) => by === 'agent');
      if (hunk < 0) return ok(count);
      const { digest } = file.value;
      const staged = await this.stageHunk(project, { path, hunk, digest, staged: true });
      if (!staged.ok) return staged;
    }
  }

  commit(
    project: Project,
    { message, amend, identity }: { message: string; amend: boolean; identity?: GitIdentity | undefined },
    signal: AbortSignal,
  ): Promise<Result<Output<'git.commit'>>> {
    return this.inRepository(project, async (repository) => {
      if (amend && (await isOnRemote(repository, signal))) return fail('conflict', 'git_pushed');
      const hooks = await this.hooksToRun(repository);
      const person = identity
        ? ['-c', `user.name=${identity.name}`, '-c', `user.email=${identity.email}`]
        : [];
      const output = await runGit(
        repository,
        // A line that starts with # is part of the message: nothing here is a comment.
        [...person, 'commit', '--cleanup=whitespace', '--file=-', ...(amend ? ['--amend'] : [])],
        { input: message, signal, deadline: COMMIT_WITHIN, hooks: hooks.folder },
      );
      const failure = failureOf({ ...output, stderr: `${output.stderr}\n${output.stdout.toString('utf8')}` });
      // Git passes on what a hook wrote, which may read like an error of git.
      if (failure !== null && hooks.folder !== undefined && !COMMIT_ERRORS.has(failure.error.code))
        return fail('conflict', 'git_hook_failed', {}, failure.error.detail);
      if (failure !== null) return failure;
      if (identity !== undefined) this.remember(project, identity);
      const id = await text(repository, ['rev-parse', 'HEAD'], signal);
      return ok({ id: (id ?? '').trim(), skippedHooks: hooks.skipped });
    });
  }

  allowHooks(project: Project, digest: string): Promise<Result<Record<never, never>>> {
    return this.inRepository(project, async (repository) => {
      const hooks = await hooksOf(repository);
      if (hooks?.digest !== digest) return fail('stale', 'git_hooks_changed');
      const all = [...this.allowed().filter((one) => one !== digest), digest].slice(-MAX_ALLOWED);
      this.parts.storage.settings.set(ALLOWED_HOOKS, all);
      return ok({});
    });
  }

  disallowHooks(digest: string): Record<never, never> {
    const others = this.allowed().filter((one) => one !== digest);
    this.parts.storage.settings.set(ALLOWED_HOOKS, others);
    return {};
  }

  /** The hooks folder if the person allowed exactly what is in it. */
  async hooksToRun(repository: Repository): Promise<{ folder: string | undefined; skipped: boolean }> {
    const hooks = await hooksOf(repository);
    if (hooks === null) return { folder: undefined, skipped: false };
    return this.allowed().includes(hooks.digest)
      ? { folder: hooksFolder(repository), skipped: false }
      : { folder: undefined, skipped: true };
  }

  /** In our database: a repository's own settings stay as they are. */
  private remember({ id }: Project, identity: GitIdentity): void {
    const { [id]: _, ...others } = this.identities();
    const kept = Object.entries(others).slice(1 - MAX_IDENTITIES);
    this.parts.storage.settings.set(IDENTITIES, { ...Object.fromEntries(kept), [id]: identity });
  }

  private identities(): Record<string, GitIdentity> {
    return this.parts.storage.settings.get(IDENTITIES, z.record(z.string(), GitIdentity)) ?? {};
  }

  private allowed(): string[] {
    return this.parts.storage.settings.get(ALLOWED_HOOKS, z.array(z.string())) ?? [];
  }

  private async withAuthors(
    project: Project,
    repository: Repository,
    { headId, files }: StatusRead,
    signal: AbortSignal,
  ): Promise<GitFile[]> {
    const changes = this.parts.storage.fileChanges.lastByAuthor(project.id);
    const committed =
      changes.size === 0 ? new Map<string, number>() : await lastCommitted(repository, headId, signal);
    const by = ({ path, from }: Omit<GitFile, 'by'>): GitAuthor =>
      authorOf(changes.get(path) ?? [], committed.get(from ?? path) ?? 0);
    return files.map((file) => ({ ...file, by: by(file) }));
  }
}

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The result of a run whose output does not matter. */
export function done(output: GitOutput): Result<Record<never, never>> {
  return failureOf(output) ?? ok({});
}

export async function statusOf(
  repository: Repository,
  signal?: AbortSignal,
  maxListed?: number,
): Promise<Result<StatusRead>> {
  const output = await runGit(repository, STATUS, { signal });
  return failureOf(output) ?? ok(parseStatus(output.stdout, maxListed));
}

/** Null if it failed. */
export async function text(
  repository: Repository,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | null> {
  const output = await runGit(repository, args, { signal });
  return output.end === 'exited' && output.code === 0 ? output.stdout.toString('utf8') : null;
}

/** Whether a remote has the last commit, as far as was fetched. */
async function isOnRemote(repository: Repository, signal: AbortSignal): Promise<boolean> {
  const refs = ['for-each-ref', '--contains=HEAD', '--count=1', '--format=%(refname)', 'refs/remotes'];
  return ((await text(repository, refs, signal)) ?? '').trim() !== '';
}

async function diffOf(
  repository: Repository,
  path: string,
  staged: boolean,
  file: Omit<GitFile, 'by'> | undefined,
  signal?: AbortSignal,
): Promise<Result<FileDiffRead>> {
  const nothing = Buffer.alloc(0);
  if (file?.submodule) return ok({ kind: 'submodule', bytes: nothing });
  if (file?.unstaged === 'conflict') return ok({ kind: 'conflict', bytes: nothing });
  const isNew = !staged && file?.unstaged === 'untracked';
  const name = argumentOf(path);
  if (!name.ok) return name;
  const target = isNew ? await targetOfFolderLink(join(repository.worktree, name.value)) : null;
  if (target !== null) return ok({ kind: 'text', bytes: diffOfLink(name.value, target) });
  const output = await runGit(
    repository,
    isNew
      ? // A file named - is not the standard input.
        [...DIFF, '--no-index', '--', '/dev/null', name.value === '-' ? './-' : name.value]
      : [...DIFF, ...(staged ? ['--cached'] : []), '--', name.value],
    { signal },
  );
  if (output.end === 'too_large') return ok({ kind: 'too_large', bytes: nothing });
  // Two different files are not a failure.
  const failure = failureOf(isNew && output.code === 1 ? { ...output, code: 0 } : output);
  if (failure !== null) return failure;
  const bytes = output.stdout;
  if (bytes.length > MAX_DIFF) return ok({ kind: 'too_large', bytes: nothing });
  const diff = parseDiff(bytes);
  if (diff.isBinary) return ok({ kind: 'binary', bytes: nothing });
  return ok({ kind: diff.hunks.length === 0 ? 'same' : 'text', bytes });
}

/** Where a link to a folder leads, in latin1, and null for anything else: with `--no-index`, git would follow it. */
async function targetOfFolderLink(at: string): Promise<string | null> {
  try {
    return (await stat(at)).isDirectory() ? await readlink(at, 'latin1') : null;
  } catch {
    // It leads nowhere, or has just been removed.
    return null;
  }
}

/** Whether a file with conflicts still has the lines that mark them. */
async function hasMarkers(repository: Repository, paths: readonly string[]): Promise<boolean> {
  const output = await runGit(repository, ['diff', '--name-only', '-z', '--diff-filter=U']);
  const unmerged = fieldsOf(output.stdout).map(pathOf);
  const wanted = new Set(paths);
  const root = repository.worktree;
  for (const path of unmerged.filter((one) => wanted.has(one))) {
    const read = await readRegularText(join(root, path), { root, links: 'none', maxBytes: MAX_DIFF });
    if (!isRefused(read) && /^(<{7}|>{7}) /m.test(read.text)) return true;
  }
  return false;
}
