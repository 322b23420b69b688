import type { Output } from '../../contract/commands';
import { fail, ok, type Result } from '../../contract/result';
import { failureOf } from './failures';
import { done, type GitService, text } from './git-service';
import type { Repository } from './repository';
import { runGit } from './run-git';

const MAX_BRANCHES = 1_000;

/** Local branches, the last used first. */
export async function branchesOf(
  repository: Repository,
  signal: AbortSignal,
): Promise<Result<Output<'git.branches'>>> {
  const output = await runGit(
    repository,
    [
      'for-each-ref',
      '--sort=-committerdate',
      `--count=${MAX_BRANCHES}`,
      '--format=%(refname:lstrip=2)',
      'refs/heads',
    ],
    { signal },
  );
  const branches = output.stdout
    .toString('utf8')
    .split('\n')
    .filter((name) => name !== '');
  return failureOf(output) ?? ok({ branches });
}

/** Git itself refuses if changes in the folder would be lost. */
export async function switchTo(
  git: GitService,
  repository: Repository,
  { branch, create }: { branch: string; create: boolean },
  signal: AbortSignal,
): Promise<Result<Record<never, never>>> {
  if ((await text(repository, ['check-ref-format', '--branch', branch], signal)) === null)
    return fail('invalid', 'git_branch_name');
  const { folder: hooks } = await git.hooksToRun(repository);
  const args = create ? ['switch', '--no-track', '--create', branch] : ['switch', '--no-guess', branch];
  return done(await runGit(repository, args, { signal, hooks }));
}
