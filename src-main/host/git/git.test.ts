import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTreeSync } from '../../base/remove-tree';
import type { Project } from '../../contract/app';
import type { ChangeAuthor } from '../../contract/changes';
import { ProjectId } from '../../contract/ids';
import { ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { Reverts } from '../project/reverts';
import { branchesOf, switchTo } from './branches';
import { GitService } from './git-service';
import { runGit } from './run-git';
import { MAX_LISTED, parseStatus } from './status';
import { compare, transfer } from './transfer';

let base: string;
let folder: string;
let project: Project;
let git: GitService;
let service: (more?: { maxListed: number }) => GitService;
let env: NodeJS.ProcessEnv;
const settings = new Map<string, unknown>();
const authors = new Map<string, { by: ChangeAuthor['by']; at: number }[]>();
const signal = new AbortController().signal;

/** Runs git as the person does, in their own terminal. */
const run = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');
const first = () => {
  write('a.txt', lines(40));
  run('add', '.');
  run('commit', '-qm', 'first');
};

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.detail ?? ''}`);
  return result.value;
}
const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.error.code);
const status = async () => {
  const { repository } = must(await git.status(project, signal));
  if (repository === null) throw new Error('There is no repository.');
  return repository;
};

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-git-test-')));
  folder = join(base, 'project');
  mkdirSync(folder);
  const config = join(base, 'gitconfig');
  writeFileSync(config, '[user]\n\tname = Ann\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n');
  env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: '1' };
  settings.clear();
  authors.clear();
  const storage = {
    settings: {
      get: (key: string) => settings.get(key) ?? null,
      set: (key: string, value: unknown) => settings.set(key, value),
    },
    fileChanges: { lastByAuthor: () => authors },
  } as unknown as Storage;
  const reverts = {
    blame: async () => ({
      steps: [{ at: 1, author: { by: 'agent' } }],
      runs: [
        { count: 20, step: 0 },
        { count: 100, step: null },
      ],
    }),
  } as unknown as Reverts;
  service = (more) => new GitService({ storage, reverts, env, ...more });
  git = service();
  const id = ProjectId.parse('p1');
  project = { id, name: 'p', folder, mount: folder, isSample: false, openedAt: 1, missing: false };
  run('init', '-q');
});
afterEach(() => removeTreeSync(base));

describe('status', () => {
  it('is empty for a folder that is not a repository', async () => {
    removeTreeSync(join(folder, '.git'));
    expect(must(await git.status(project, signal)).repository).toBeNull();
  });

  it('shows a repository without commits', async () => {
    write('a b\n中.txt', 'x\n');
    const repository = await status();
    expect(repository).toMatchObject({ branch: 'main', head: null, upstream: null, hasRemote: false });
    expect(repository.files).toEqual([
      { path: 'a b\n中.txt', staged: null, unstaged: 'untracked', submodule: false, by: 'person' },
    ]);
  });

  it('shows a detached HEAD, renames, deletions and conflicts', async () => {
    first();
    run('checkout', '-q', '--detach');
    run('mv', 'a.txt', 'b c.txt');
    expect(await status()).toMatchObject({
      branch: null,
      files: [{ path: 'b c.txt', from: 'a.txt', staged: 'renamed', unstaged: null }],
    });
    run('reset', '-q', '--hard');
    run('switch', '-qc', 'other');
    write('a.txt', 'other\n');
    run('commit', '-qam', 'other');
    run('switch', '-q', 'main');
    write('a.txt', 'main\n');
    run('commit', '-qam', 'main');
    expect(() => run('merge', 'other')).toThrow();
    expect(await status()).toMatchObject({
      operation: 'merge',
      files: [{ path: 'a.txt', unstaged: 'conflict' }],
    });
    expect(codeOf(await git.commit(project, { message: 'm', amend: false }, signal))).toBe('git_conflicts');
    expect(codeOf(await git.stage(project, ['a.txt'], true))).toBe('git_conflicts');
    write('a.txt', 'both\n');
    must(await git.stage(project, ['a.txt'], true));
    must(await git.commit(project, { message: 'merged', amend: false }, signal));
    expect(run('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2);
    expect((await status()).operation).toBeNull();
  });

  it('lists ten thousand files and counts what is beyond the limit', () => {
    const all = (count: number) =>
      Buffer.from(Array.from({ length: count }, (_, at) => `? f ${at}`).join('\0'));
    expect(parseStatus(all(10_000)).files).toHaveLength(10_000);
    expect(parseStatus(all(MAX_LISTED + 3))).toMatchObject({ more: 3, moreOpen: 3, moreStaged: 0 });
  });

  it('stages all files, also those beyond the limit of the list', async () => {
    first();
    git = service({ maxListed: 3 });
    for (const name of ['1', '2', '3', '4', '5']) write(name, '');
    expect(await status()).toMatchObject({ more: 2, moreOpen: 2, moreStaged: 0 });
    must(await git.stageAll(project, signal));
    expect(await status()).toMatchObject({ more: 2, moreOpen: 0, moreStaged: 2 });
  });

  it('leaves files with conflicts when it stages all', async () => {
    first();
    run('checkout', '-q', '-b', 'other');
    write('a.txt', 'theirs\n');
    run('commit', '-qam', 'other');
    run('checkout', '-q', 'main');
    write('a.txt', 'ours\n');
    run('commit', '-qam', 'main');
    expect(() => run('merge', 'other')).toThrow();
    write('new.txt', 'new\n');
    must(await git.stageAll(project, signal));
    expect((await status()).files).toMatchObject([
      { path: 'a.txt', unstaged: 'conflict' },
      { path: 'new.txt', staged: 'added', unstaged: null },
    ]);
  });

  it('lists a file that was removed from the index only once, with both sides', async () => {
    first();
    write('b.txt', 'b\n');
    run('add', '.');
    run('commit', '-qm', 'second');
    run('rm', '-q', '--cached', 'a.txt', 'b.txt');
    expect((await status()).files).toMatchObject([
      { path: 'a.txt', staged: 'deleted', unstaged: 'untracked' },
      { path: 'b.txt', staged: 'deleted', unstaged: 'untracked' },
    ]);
    for (const staged of [true, false])
      expect(must(await git.file(project, 'a.txt', staged, signal)).kind).toBe('text');
    git = service({ maxListed: 1 });
    expect(await status()).toMatchObject({ more: 1, moreStaged: 1, moreOpen: 1 });
    must(await git.stageAll(project, signal));
    expect(await status()).toMatchObject({ files: [], more: 0 });
  });

  it('works in a worktree and refuses one that its repository does not name', async () => {
    first();
    const other = join(base, 'worktree');
    run('worktree', 'add', '-q', other);
    project = { ...project, folder: other };
    writeFileSync(join(other, 'a.txt'), 'changed\n');
    must(await git.stage(project, ['a.txt'], true));
    must(await git.commit(project, { message: 'in the worktree', amend: false }, signal));
    expect(run('log', '-1', '--format=%s', 'worktree').trim()).toBe('in the worktree');
    const thief = join(base, 'thief');
    mkdirSync(thief);
    writeFileSync(join(thief, '.git'), readFileSync(join(other, '.git')));
    expect(codeOf(await git.status({ ...project, folder: thief }, signal))).toBe('git_unsafe');
  });

  it('does not enter submodules', async () => {
    first();
    const sub = join(base, 'sub');
    execFileSync('git', ['clone', '-q', folder, sub], { env });
    run('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'sub');
    run('commit', '-qm', 'sub');
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'more'], { cwd: join(folder, 'sub'), env });
    expect((await status()).files).toMatchObject([{ path: 'sub', submodule: true, unstaged: 'modified' }]);
    expect(must(await git.file(project, 'sub', false, signal)).kind).toBe('submodule');
  });
});

describe('staging', () => {
  it('stages and unstages one hunk of two, and refuses one of an older diff', async () => {
    first();
    write('a.txt', lines(40).replace('line 1\n', 'one\n').replace('line 30\n', 'thirty\n'));
    const shown = must(await git.file(project, 'a.txt', false, signal));
    expect(shown.hunks).toHaveLength(2);
    const { digest } = shown;
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 1, digest, staged: true }));
    expect(run('diff', '--cached')).toContain('+thirty');
    expect(run('diff', '--cached')).not.toContain('+one');
    expect((await status()).files).toMatchObject([{ staged: 'modified', unstaged: 'modified' }]);
    expect(codeOf(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest, staged: true }))).toBe(
      'file_changed_since_shown',
    );
    const staged = must(await git.file(project, 'a.txt', true, signal));
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest: staged.digest, staged: false }));
    expect(run('diff', '--cached')).toBe('');
  });

  it('keeps CRLF and the missing line break at the end of a staged hunk', async () => {
    run('config', 'core.autocrlf', 'false');
    write('crlf.txt', 'a\r\nb\r\nc');
    run('add', '.');
    run('commit', '-qm', 'crlf');
    write('crlf.txt', 'a\r\nB\r\nC');
    const { digest } = must(await git.file(project, 'crlf.txt', false, signal));
    must(await git.stageHunk(project, { path: 'crlf.txt', hunk: 0, digest, staged: true }));
    expect(run('show', ':crlf.txt')).toBe('a\r\nB\r\nC');
  });

  it('stages new, deleted and binary files with unusual names, before the first commit too', async () => {
    const name = ':(top)*\n-x 中.bin';
    write(name, 'a\0b');
    expect(must(await git.file(project, name, false, signal)).kind).toBe('binary');
    must(await git.stage(project, [name], true));
    expect((await status()).files).toMatchObject([{ path: name, staged: 'added' }]);
    must(await git.stage(project, [name], false));
    expect((await status()).files).toMatchObject([{ path: name, staged: null, unstaged: 'untracked' }]);
  });

  it.skipIf(process.platform === 'win32')('shows and stages a new link to a folder as a link', async () => {
    first();
    mkdirSync(join(folder, 'deep'));
    write('deep/a.txt', 'a\n');
    for (const name of ['link', 'a "b"\\ 中']) {
      symlinkSync('deep', join(folder, name));
      const shown = must(await git.file(project, name, false, signal));
      expect(shown).toMatchObject({
        kind: 'text',
        hunks: [{ newStart: 1, newLines: 1, lines: ['+deep', '\\ No newline at end of file'] }],
      });
      must(await git.stageHunk(project, { path: name, hunk: 0, digest: shown.digest, staged: true }));
      expect(run('ls-files', '-s', '--', name)).toMatch(/^120000 /);
      expect(run('show', `:${name}`)).toBe('deep');
    }
  });

  it.skipIf(process.platform !== 'linux')(
    'stages files whose names are not UTF-8 (only Linux has such names)',
    async () => {
      first();
      const bytes = (name: string) => Buffer.from(`${folder}/${name}`, 'latin1');
      writeFileSync(bytes('caf\xe9.txt'), 'x\n');
      write('a\\xe9', 'y\n');
      write('b\\c', 'z\n');
      const paths = ['a\\x5cxe9', 'b\\c', 'caf\\xe9.txt'];
      expect((await status()).files.map(({ path }) => path)).toEqual(paths);
      must(await git.stageAll(project, signal));
      must(await git.commit(project, { message: 'm', amend: false }, signal));
      expect((await status()).files).toEqual([]);
      for (const name of ['caf\xe9.txt', 'a\\xe9', 'b\\c']) writeFileSync(bytes(name), 'changed\n');
      for (const path of paths) authors.set(path, [{ by: 'agent', at: Date.now() + 1_000 }]);
      expect((await status()).files.map(({ by }) => by)).toEqual(['agent', 'agent', 'agent']);
      expect(must(await git.file(project, 'a\\x5cxe9', false, signal)).kind).toBe('text');
      // Node passes no such bytes to a program.
      expect(codeOf(await git.file(project, 'caf\\xe9.txt', false, signal))).toBe('name_not_utf8');
      must(await git.stage(project, ['caf\\xe9.txt'], true));
      must(await git.stage(project, ['caf\\xe9.txt'], false));
      expect((await status()).files).toHaveLength(3);
    },
  );

  it('stages a link in place of a file as a whole', async () => {
    first();
    rmSync(join(folder, 'a.txt'));
    symlinkSync('b.txt', join(folder, 'a.txt'));
    const { digest, hunks } = must(await git.file(project, 'a.txt', false, signal));
    expect(hunks.map(({ lines: all }) => all.at(-2) ?? '')).toEqual(['-line 38', '+b.txt']);
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest, staged: true }));
    expect((await status()).files).toMatchObject([{ path: 'a.txt', staged: 'type', unstaged: null }]);
    const staged = must(await git.file(project, 'a.txt', true, signal));
    const hunk = { path: 'a.txt', hunk: 1, digest: staged.digest, staged: false };
    must(await git.stageHunk(project, hunk));
    expect((await status()).files).toMatchObject([{ path: 'a.txt', staged: null, unstaged: 'type' }]);
  });

  it('stages the other files if one cannot be added', async () => {
    first();
    mkdirSync(join(folder, 'nested'));
    execFileSync('git', ['init', '-q'], { cwd: join(folder, 'nested'), env });
    write('nested/y', 'y\n');
    write('b.txt', 'b\n');
    const all = await git.stageAll(project, signal);
    expect(all).toMatchObject({ ok: false, error: { code: 'git_failed' } });
    expect(!all.ok && all.error.detail).toContain("'nested/'");
    expect((await status()).files).toMatchObject([
      { path: 'b.txt', staged: 'added' },
      { path: 'nested/', staged: null },
    ]);
  });

  it('shows a new file named - and one beyond the limit of an output', async () => {
    write('-', 'dash\n');
    write('huge.txt', 'abcdefghi\n'.repeat(6_800_000));
    expect(must(await git.file(project, '-', false, signal)).hunks).toMatchObject([{ lines: ['+dash'] }]);
    expect(must(await git.file(project, 'huge.txt', false, signal)).kind).toBe('too_large');
  });

  it("counts empty lines if the person's git writes them without a space", async () => {
    run('config', '--global', 'diff.suppressBlankEmpty', 'true');
    write('a.txt', 'a\n\nb\n');
    run('add', '.');
    run('commit', '-qm', 'first');
    write('a.txt', 'a\n\nB\n');
    const [hunk] = must(await git.file(project, 'a.txt', false, signal)).hunks;
    expect(hunk?.lines).toEqual([' a', ' ', '-b', '+B']);
  });

  it("stages the agent's files and parts and leaves the person's", async () => {
    first();
    run('commit', '-q', '--amend', '--no-edit', '--date=2001-01-01T00:00:00Z');
    write('a.txt', lines(40).replace('line 1\n', 'one\n').replace('line 30\n', 'thirty\n'));
    write('agent.txt', 'x\n');
    write('mine.txt', 'y\n');
    const at = Date.now() + 1_000;
    authors.set('agent.txt', [{ by: 'agent', at }]);
    authors.set('a.txt', [
      { by: 'agent', at },
      { by: 'person', at },
    ]);
    expect((await status()).files.map(({ path, by }) => `${path} ${by}`)).toEqual([
      'a.txt both',
      'agent.txt agent',
      'mine.txt person',
    ]);
    expect(must(await git.stageAgent(project, signal))).toEqual({ files: 2, left: 1 });
    expect(run('diff', '--cached', '--name-only').trim().split('\n')).toEqual(['a.txt', 'agent.txt']);
    expect(run('diff', '--cached', 'a.txt')).not.toContain('thirty');
    must(await git.commit(project, { message: 'agent', amend: false }, signal));
    authors.set('agent.txt', [{ by: 'agent', at: 1 }]);
    write('agent.txt', 'mine now\n');
    expect((await status()).files.find(({ path }) => path === 'agent.txt')?.by).toBe('person');
  });
});

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

describe('a hostile repository', () => {
  it('runs nothing from its configuration, hooks, filters or remote', async () => {
    first();
    const remote = join(base, 'remote.git');
    run('init', '-q', '--bare', remote);
    run('remote', 'add', 'origin', remote);
    const ran = join(base, 'ran');
    mkdirSync(ran);
    const program = (name: string) => `touch ${join(ran, name)}; cat`;
    const planted: Record<string, string> = {
      'core.fsmonitor': program('fsmonitor'),
      'core.sshCommand': program('ssh'),
      'core.editor': program('editor'),
      'core.pager': program('pager'),
      'core.askPass': program('askpass'),
      'credential.helper': `!${program('credential')}`,
      'filter.x.clean': program('clean'),
      'filter.x.smudge': program('smudge'),
      'diff.x.textconv': program('textconv'),
      'diff.x.command': program('diff'),
      'diff.external': program('external'),
      'merge.x.driver': program('merge'),
      'gpg.program': program('gpg'),
      'commit.gpgSign': 'true',
      'push.gpgSign': 'if-asked',
      'remote.origin.receivepack': program('receivepack'),
      'remote.origin.uploadpack': program('uploadpack'),
      'remote.origin.vcs': 'x',
      'url.ext::x.insteadOf': remote,
      'protocol.ext.allow': 'always',
      'interactive.diffFilter': program('interactive'),
      'sequence.editor': program('sequence'),
    };
    for (const [key, value] of Object.entries(planted)) run('config', key, value);
    write('.gitattributes', '* filter=x diff=x merge=x\n');
    for (const place of [join(folder, '.git/hooks'), join(remote, 'hooks')])
      for (const hook of [
        'pre-commit',
        'commit-msg',
        'post-commit',
        'post-checkout',
        'pre-push',
        'post-index-change',
        'reference-transaction',
        'pre-receive',
        'update',
        'post-receive',
      ]) {
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, hook), `#!/bin/sh\ntouch ${join(ran, `hook-${hook}`)}\n`);
        chmodSync(join(place, hook), 0o755);
      }
    write('a.txt', 'changed\n');
    const before = await status();
    expect(before.ignored).toEqual(
      expect.arrayContaining(['core.fsmonitor', 'filter.x.clean', 'url.ext::x.insteadof']),
    );
    const { digest } = must(await git.file(project, 'a.txt', false, signal));
    must(await git.stageHunk(project, { path: 'a.txt', hunk: 0, digest, staged: true }));
    must(await git.stage(project, ['.gitattributes'], true));
    expect(must(await git.commit(project, { message: 'm', amend: false }, signal)).skippedHooks).toBe(true);
    must(await git.inRepository(project, (one) => switchTo(git, one, { branch: 'b', create: true }, signal)));
    must(
      await git.inRepository(project, (one) => switchTo(git, one, { branch: 'main', create: false }, signal)),
    );
    const shown = must(await git.inRepository(project, (one) => compare(one, 'push', signal))).transfer;
    if (shown === null) throw new Error('There is nothing to push.');
    must(await git.inRepository(project, (one) => transfer(git, one, 'push', shown, signal)));
    expect(execFileSync('ls', [ran], { encoding: 'utf8' })).toBe('');
  });

  it('is refused if its .git leads git to write elsewhere', async () => {
    first();
    const target = join(base, 'target');
    writeFileSync(target, 'precious');
    symlinkSync(target, join(folder, '.git/COMMIT_EDITMSG.lock'));
    expect(codeOf(await git.status(project, signal))).toBe('git_unsafe');
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  it('runs its hooks only once the person allowed exactly these', async () => {
    first();
    const hook = join(folder, '.git/hooks/pre-commit');
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\ntouch ${join(base, 'ran')}\n`);
    chmodSync(hook, 0o755);
    const { hooks } = await status();
    expect(hooks).toMatchObject({ names: ['pre-commit'], allowed: false });
    must(await git.allowHooks(project, String(hooks?.digest)));
    must(await git.commit(project, { message: 'm', amend: true }, signal));
    expect(existsSync(join(base, 'ran'))).toBe(true);
    rmSync(join(base, 'ran'));
    git.disallowHooks(String(hooks?.digest));
    expect((await status()).hooks?.allowed).toBe(false);
    expect(must(await git.commit(project, { message: 'm', amend: true }, signal)).skippedHooks).toBe(true);
    expect(existsSync(join(base, 'ran'))).toBe(false);
    must(await git.allowHooks(project, String(hooks?.digest)));
    writeFileSync(hook, '#!/bin/sh\nexit 1\n');
    expect((await status()).hooks?.allowed).toBe(false);
    expect(codeOf(await git.allowHooks(project, String(hooks?.digest)))).toBe('git_hooks_changed');
    must(await git.commit(project, { message: 'n', amend: true }, signal));
  });

  const allowHook = async (text: string) => {
    first();
    const hook = join(folder, '.git/hooks/pre-commit');
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\n${text}\n`);
    chmodSync(hook, 0o755);
    must(await git.allowHooks(project, String((await status()).hooks?.digest)));
    write('a.txt', 'changed\n');
    must(await git.stage(project, ['a.txt'], true));
  };

  it('says that a hook refused a commit, with what it wrote', async () => {
    await allowHook('echo "3 problems"; exit 1');
    expect(await git.commit(project, { message: 'm', amend: false }, signal)).toMatchObject({
      ok: false,
      error: { code: 'git_hook_failed', detail: '3 problems' },
    });
  });

  it('does not take what a hook wrote for an error of git', async () => {
    for (const wrote of [
      "The key 'a' already exists",
      'Your local changes are not formatted',
      'npm ERR! Could not resolve host: registry',
      'git@example.com: Permission denied (publickey).',
      'There are unmerged files in the queue',
    ]) {
      await allowHook(`cat <<'END'\n${wrote}\nEND\nexit 1`);
      expect(await git.commit(project, { message: 'm', amend: false }, signal)).toMatchObject({
        ok: false,
        error: { code: 'git_hook_failed', detail: wrote },
      });
      rmSync(join(folder, '.git'), { recursive: true });
      run('init', '-q');
    }
  });

  it('says that nothing is staged after a hook that wrote something and succeeded', async () => {
    await allowHook('echo checked');
    must(await git.commit(project, { message: 'm', amend: false }, signal));
    expect(codeOf(await git.commit(project, { message: 'm', amend: false }, signal))).toBe(
      'git_nothing_staged',
    );
  });

  it('leaves no lock behind when git is stopped', async () => {
    const lock = join(folder, '.git/index.lock');
    await allowHook('while :; do sleep 0.05; done');
    const stop = new AbortController();
    // Git holds its lock while the hook runs, because it commits one file.
    const run = { signal: stop.signal, hooks: join(folder, '.git/hooks') };
    const committed = git.inRepository(project, async (repository) =>
      ok(await runGit(repository, ['commit', '-qm', 'm', 'a.txt'], run)),
    );
    await expect.poll(() => existsSync(lock)).toBe(true);
    stop.abort();
    expect(must(await committed).end).toBe('cancelled');
    expect(existsSync(lock)).toBe(false);
  });

  it('asks again when a script beside its hooks changes, or one that Husky runs', async () => {
    first();
    run('config', 'core.hooksPath', '.husky/_');
    mkdirSync(join(folder, '.husky/_'), { recursive: true });
    write('.husky/_/pre-commit', '#!/bin/sh\n. "$(dirname "$0")/h"\n');
    write('.husky/_/h', 'sh .husky/pre-commit\n');
    write('.husky/pre-commit', 'true\n');
    for (const changed of ['.husky/_/h', '.husky/pre-commit', '.husky/_/pre-commit']) {
      must(await git.allowHooks(project, String((await status()).hooks?.digest)));
      expect((await status()).hooks).toMatchObject({ names: ['pre-commit'], allowed: true });
      write(changed, 'echo changed\n');
      expect((await status()).hooks?.allowed).toBe(false);
    }
  });
});
