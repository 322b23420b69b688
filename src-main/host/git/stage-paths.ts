import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemPath } from '../../base/path-names';
import { failureOf } from './failures';
import { fieldsOf, pathOf, pathspecs } from './path-texts';
import type { Repository } from './repository';
import { type GitRun, runGit } from './run-git';

const FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'];
/** Fields of `git ls-files --stage`. The mode of files and links, but not of submodules, starts like this. */
const STAGED_FILE = /^1[02]\d{4} \w+ \d\t([\s\S]*)$/;

/** Stages or unstages whole files. Null if nothing failed. */
export async function stagePaths(repository: Repository, paths: readonly string[], staged: boolean) {
  if (!staged) return unstage(repository, { input: pathspecs(paths) });
  const replaced = await filesReplacedByFolders(repository, paths);
  const others = paths.filter((path) => !replaced.has(path));
  if (replaced.size > 0) {
    const run = { input: pathspecs([...replaced]) };
    const failure = failureOf(
      await runGit(repository, ['update-index', '--force-remove', '-z', '--stdin'], run),
    );
    if (failure !== null || others.length === 0) return failure;
  }
  const run = { input: pathspecs(others) };
  // One that cannot be added, such as a nested repository without commits, must not hold back the others.
  return failureOf(await runGit(repository, ['add', '--all', '--ignore-errors', ...FROM_INPUT], run));
}

/** Files of the index with a folder in their place. To `git add`, their paths would mean everything in these folders. */
async function filesReplacedByFolders(
  repository: Repository,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  for (const path of paths) {
    const found = await lstat(systemPath(join(repository.worktree, path))).catch(() => null);
    if (found?.isDirectory()) folders.add(path);
  }
  if (folders.size === 0) return folders;
  const listed = await runGit(repository, ['ls-files', '--stage', '-z']);
  const files = fieldsOf(listed.stdout).flatMap((field) => STAGED_FILE.exec(field)?.[1] ?? []);
  return new Set(files.map(pathOf).filter((path) => folders.has(path)));
}

async function unstage(repository: Repository, run: GitRun) {
  const head = await runGit(repository, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  const hasHead = head.end === 'exited' && head.code === 0;
  const args = hasHead ? ['reset', '--quiet'] : ['rm', '--cached', '--quiet', '-r'];
  return failureOf(await runGit(repository, [...args, ...FROM_INPUT], run));
}
