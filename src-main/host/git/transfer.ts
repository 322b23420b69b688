import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBelow } from '../../base/is-below';
import type { Output } from '../../contract/commands';
import type { GitTransfer } from '../../contract/git';
import { fail, ok, type Result } from '../../contract/result';
import { failureOf } from './failures';
import { done, type GitService, statusOf, text } from './git-service';
import type { Repository } from './repository';
import { runGit } from './run-git';

type Direction = 'push' | 'pull';

/** Milliseconds for a request to a remote. */
const REMOTE_WITHIN = 5 * 60_000;

/** A remote on this disk starts git there: without its hooks and programs. */
const RECEIVE =
  'git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=true -c receive.denyCurrentBranch=refuse -c receive.autogc=false receive-pack';

interface Target {
  branch: string;
  head: string;
  remote: string;
  /** Its branch, and whether the branch follows it already. */
  remoteBranch: string;
  isTracked: boolean;
  isLocal: boolean;
}

/** Where the current branch goes to. */
async function targetOf(repository: Repository, signal: AbortSignal): Promise<Result<Target>> {
  const status = await statusOf(repository, signal);
  if (!status.ok) return status;
  const { branch, headId } = status.value;
  if (branch === null) return fail('invalid', 'git_detached');
  if (headId === null) return fail('invalid', 'git_no_commits');
  const last = (wanted: string) => repository.settings.findLast(({ key }) => key === wanted)?.value;
  const remotes = repository.settings.flatMap(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  const tracked = last(`branch.${branch}.remote`);
  const remote = tracked ?? (remotes.includes('origin') ? 'origin' : remotes[0]);
  if (remote === undefined || !remotes.includes(remote) || remote.startsWith('-'))
    return fail('invalid', 'git_no_remote');
  const url = last(`remote.${remote}.pushurl`) ?? last(`remote.${remote}.url`) ?? '';
  const place = await localPlace(url, repository.worktree);
  const fetched = await localPlace(last(`remote.${remote}.url`) ?? '', repository.worktree);
  for (const one of [place, fetched])
    if (one !== null && isBelow(one, await realpath(repository.worktree)))
      return fail('denied', 'git_remote_inside', { remote });
  const merge = last(`branch.${branch}.merge`);
  const remoteBranch =
    tracked === undefined ? branch : (/^refs\/heads\/(.+)$/.exec(merge ?? '')?.[1] ?? branch);
  return ok({
    branch,
    head: headId,
    remote,
    remoteBranch,
    isTracked: tracked !== undefined && merge !== undefined,
    isLocal: place !== null,
  });
}

/** The real folder of a remote on this disk; null for one elsewhere. */
async function localPlace(url: string, worktree: string): Promise<string | null> {
  if (url.startsWith('file://')) {
    const path = attempt(() => fileURLToPath(url));
    return path === null ? url : realpath(path).catch(() => path);
  }
  if (!isAbsolute(url) && (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[^/]*:/.test(url))) return null;
  const path = resolve(worktree, url);
  return realpath(path).catch(() => path);
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** What a push or pull would transfer. */
export async function compare(
  repository: Repository,
  direction: Direction,
  signal: AbortSignal,
): Promise<Result<Output<'git.compare'>>> {
  const target = await targetOf(repository, signal);
  if (!target.ok) return target;
  const { remote, remoteBranch, head } = target.value;
  const tracking = `refs/remotes/${remote}/${remoteBranch}`;
  // A push to a branch that others changed is refused by the remote anyway, but its count would be wrong.
  const fetched = await runGit(
    repository,
    ['fetch', '--no-recurse-submodules', '--no-tags', '--no-auto-maintenance', '--', remote],
    { signal, deadline: REMOTE_WITHIN },
  );
  const failure = failureOf(fetched);
  if (failure !== null) return failure;
  const there =
    (await text(repository, ['rev-parse', '--verify', '--quiet', tracking], signal))?.trim() ?? null;
  if (direction === 'pull') {
    if (there === null) return fail('not_found', 'git_no_upstream');
    const commits = await countOf(repository, `${head}..${there}`, signal);
    return ok({
      transfer: commits === 0 ? null : { remote, branch: remoteBranch, commits, id: there, isNew: false },
    });
  }
  const missing = there === null ? [head, '--not', `--remotes=${remote}`] : [`${there}..${head}`];
  const commits = await countOf(repository, missing, signal);
  const behind = there === null ? 0 : await countOf(repository, `${head}..${there}`, signal);
  if (behind > 0) return fail('conflict', commits > 0 ? 'git_diverged' : 'git_rejected');
  const isNothing = there !== null && commits === 0;
  return ok({
    transfer: isNothing ? null : { remote, branch: remoteBranch, commits, id: head, isNew: there === null },
  });
}

async function countOf(
  repository: Repository,
  range: string | readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const args = typeof range === 'string' ? [range] : range;
  return Number((await text(repository, ['rev-list', '--count', ...args], signal)) ?? 0);
}

/** Pushes or pulls what was shown, as long as it is still that. */
export async function transfer(
  git: GitService,
  repository: Repository,
  direction: Direction,
  shown: GitTransfer,
  signal: AbortSignal,
): Promise<Result<Record<never, never>>> {
  const target = await targetOf(repository, signal);
  if (!target.ok) return target;
  const { remote, remoteBranch, head, branch, isTracked, isLocal } = target.value;
  if (remote !== shown.remote || remoteBranch !== shown.branch) return fail('stale', 'git_transfer_changed');
  const { folder: hooks } = await git.hooksToRun(repository);
  if (direction === 'pull') {
    const there = (
      await text(repository, ['rev-parse', `refs/remotes/${remote}/${remoteBranch}`], signal)
    )?.trim();
    if (there !== shown.id) return fail('stale', 'git_transfer_changed');
    return done(
      await runGit(repository, ['merge', '--ff-only', '--no-verify-signatures', shown.id], { signal, hooks }),
    );
  }
  if (head !== shown.id) return fail('stale', 'git_transfer_changed');
  const pushed = await runGit(
    repository,
    [
      'push',
      '--porcelain',
      '--no-force',
      '--no-follow-tags',
      '--recurse-submodules=no',
      ...(isLocal ? [`--receive-pack=${RECEIVE}`] : []),
      '--',
      remote,
      `${shown.id}:refs/heads/${remoteBranch}`,
    ],
    { signal, deadline: REMOTE_WITHIN, hooks },
  );
  const failure = failureOf(
    pushed.code === 0 ? pushed : { ...pushed, stderr: `${pushed.stderr}\n${pushed.stdout.toString('utf8')}` },
  );
  if (failure !== null) return failure;
  if (isTracked) return ok({});
  // The real configuration: git itself writes only to the private one.
  const file = `${repository.realCommon}/config`;
  await runGit(repository, ['config', '--file', file, `branch.${branch}.remote`, remote], { signal });
  return done(
    await runGit(
      repository,
      ['config', '--file', file, `branch.${branch}.merge`, `refs/heads/${remoteBranch}`],
      { signal },
    ),
  );
}
