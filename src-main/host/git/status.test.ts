import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTreeSync } from '../../base/remove-tree';
import { MAX_LISTED, parseStatus } from './status';
import {
  base,
  codeOf,
  env,
  first,
  folder,
  git,
  must,
  project,
  replaceGit,
  replaceProject,
  run,
  service,
  signal,
  start,
  status,
  stop,
  write,
} from './testing/git-project';

beforeEach(start);
afterEach(stop);

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
    replaceGit(service({ maxListed: 3 }));
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
    replaceGit(service({ maxListed: 1 }));
    expect(await status()).toMatchObject({ more: 1, moreStaged: 1, moreOpen: 1 });
    must(await git.stageAll(project, signal));
    expect(await status()).toMatchObject({ files: [], more: 0 });
  });

  it('works in a worktree and refuses one that its repository does not name', async () => {
    first();
    const other = join(base, 'worktree');
    run('worktree', 'add', '-q', other);
    replaceProject({ ...project, folder: other });
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
