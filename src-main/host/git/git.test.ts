import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchesOf, switchTo } from './branches';
import {
  base,
  codeOf,
  env,
  first,
  folder,
  git,
  must,
  project,
  run,
  signal,
  start,
  status,
  stop,
  write,
} from './testing/git-project';
import { compare, transfer } from './transfer';

beforeEach(start);
afterEach(stop);

describe('commit', () => {
  it('says that nothing is staged, that git has no name, and that the index is locked', async () => {
    first();
    expect(codeOf(await git.commit(project, { message: 'm', amend: false }, signal))).toBe(
      'git_nothing_staged',
    );
    writeFileSync(String(env.GIT_CONFIG_GLOBAL), '[user]\n\tuseConfigOnly = true\n');
    write('a.txt', 'x\n');
    must(await git.stage(project, ['a.txt'], true));
    expect((await status()).hasIdentity).toBe(false);
    expect(codeOf(await git.commit(project, { message: 'm', amend: false }, signal))).toBe('git_no_identity');
    const identity = { name: 'Bo', email: 'bo@example.com' };
    must(await git.commit(project, { message: 'm', amend: false, identity }, signal));
    expect(run('log', '-1', '--format=%an <%ae>').trim()).toBe('Bo <bo@example.com>');
    // The next commit offers it again.
    expect(await status()).toMatchObject({ hasIdentity: false, identity });
    writeFileSync(join(folder, '.git/index.lock'), '');
    expect(codeOf(await git.stage(project, ['a.txt'], true))).toBe('git_locked');
  });

  it('keeps lines of a message that start with #', async () => {
    first();
    write('a.txt', 'x\n');
    run('add', '.');
    const message = '#12: fix the list\n\n# Why\nIt was wrong.';
    must(await git.commit(project, { message, amend: false }, signal));
    expect(run('log', '-1', '--format=%B').trim()).toBe(message);
  });

  it('says that the repository asks for signatures, which its own setting does not cause', async () => {
    first();
    expect((await status()).ignored).toEqual([]);
    run('config', 'commit.gpgSign', 'true');
    expect((await status()).ignored).toEqual(['commit.gpgsign']);
  });

  it('amends the last commit unless it was pushed', async () => {
    first();
    must(await git.commit(project, { message: 'better', amend: true }, signal));
    expect(run('log', '--format=%s').trim()).toBe('better');
    const remote = join(base, 'remote.git');
    run('clone', '-q', '--bare', folder, remote);
    run('remote', 'add', 'origin', remote);
    run('fetch', '-q');
    expect(codeOf(await git.commit(project, { message: 'again', amend: true }, signal))).toBe('git_pushed');
  });

  it('is cancelled', async () => {
    expect(codeOf(await git.commit(project, { message: 'm', amend: false }, AbortSignal.abort()))).toBe(
      'cancelled',
    );
  });
});

describe('branches', () => {
  it('creates and switches, and refuses to lose changes', async () => {
    first();
    const to = (branch: string, create: boolean) =>
      git.inRepository(project, (repository) => switchTo(git, repository, { branch, create }, signal));
    must(await to('new/branch', true));
    expect((await status()).branch).toBe('new/branch');
    expect(codeOf(await to('new/branch', true))).toBe('git_branch_exists');
    expect(codeOf(await to('-bad..name', true))).toBe('git_branch_name');
    write('a.txt', 'committed\n');
    run('commit', '-qam', 'second');
    write('a.txt', 'not committed\n');
    expect(codeOf(await to('main', false))).toBe('git_would_lose');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('not committed\n');
    const { branches } = must(await git.inRepository(project, (one) => branchesOf(one, signal)));
    expect(branches.toSorted()).toEqual(['main', 'new/branch']);
  });
});

describe('remotes', () => {
  const asks = (direction: 'push' | 'pull') =>
    git.inRepository(project, (one) => compare(one, direction, signal));
  const go = (direction: 'push' | 'pull', shown: NonNullable<Awaited<ReturnType<typeof found>>>) =>
    git.inRepository(project, (one) => transfer(git, one, direction, shown, signal));
  const found = async (direction: 'push' | 'pull') => must(await asks(direction)).transfer;
  let remote: string;
  const other = (...args: string[]) =>
    execFileSync('git', args, { cwd: join(base, 'other'), env, encoding: 'utf8' });
  beforeEach(() => {
    first();
    remote = join(base, 'remote.git');
    run('init', '-q', '--bare', remote);
    run('remote', 'add', 'origin', remote);
  });

  it('pushes what was shown, follows the branch, and pulls what others pushed', async () => {
    const shown = await found('push');
    expect(shown).toMatchObject({ remote: 'origin', branch: 'main', commits: 1, isNew: true });
    if (shown === null) return;
    must(await go('push', shown));
    expect((await status()).upstream).toEqual({ name: 'origin/main', ahead: 0, behind: 0 });
    expect(await found('push')).toBeNull();
    execFileSync('git', ['clone', '-q', remote, join(base, 'other')], { env });
    other('commit', '-q', '--allow-empty', '-m', 'theirs');
    other('push', '-q');
    const theirs = await found('pull');
    expect(theirs).toMatchObject({ commits: 1 });
    if (theirs === null) return;
    must(await go('pull', theirs));
    expect(run('log', '-1', '--format=%s').trim()).toBe('theirs');
    expect(codeOf(await go('push', shown))).toBe('git_transfer_changed');
  });

  it("refuses to push over other people's commits and to pull into a diverged branch", async () => {
    const shown = await found('push');
    if (shown === null) throw new Error('There is nothing to push.');
    must(await go('push', shown));
    execFileSync('git', ['clone', '-q', remote, join(base, 'other')], { env });
    write('a.txt', 'mine\n');
    run('commit', '-qam', 'mine');
    const mine = await found('push');
    other('commit', '-q', '--allow-empty', '-m', 'theirs');
    other('push', '-q');
    if (mine === null) throw new Error('There is nothing to push.');
    expect(codeOf(await go('push', mine))).toBe('git_rejected');
    expect(codeOf(await asks('push'))).toBe('git_diverged');
    const theirs = await found('pull');
    if (theirs === null) throw new Error('There is nothing to pull.');
    expect(codeOf(await go('pull', theirs))).toBe('git_diverged');
    expect(run('log', '-1', '--format=%s').trim()).toBe('mine');
  });

  it('says that a remote cannot be reached', async () => {
    run('remote', 'set-url', 'origin', join(base, 'gone.git'));
    expect(codeOf(await asks('push'))).toBe('git_unreachable');
  });

  it("does not let a fetch move the person's branches", async () => {
    const shown = await found('push');
    if (shown === null) throw new Error('There is nothing to push.');
    must(await go('push', shown));
    run('branch', 'mine');
    execFileSync('git', ['clone', '-q', remote, join(base, 'other')], { env });
    other('commit', '-q', '--allow-empty', '-m', 'theirs');
    other('push', '-q', 'origin', 'HEAD:mine', 'HEAD');
    run('config', 'remote.origin.fetch', '+refs/heads/*:refs/heads/*');
    await asks('pull');
    expect(run('log', '-1', '--format=%s', 'mine').trim()).toBe('first');
  });

  it('does not use a remote inside the folder', async () => {
    run('init', '-q', '--bare', 'inner.git');
    run('remote', 'set-url', 'origin', './inner.git');
    expect(codeOf(await asks('push'))).toBe('git_remote_inside');
  });
});
