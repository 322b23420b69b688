import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locateRipgrep } from '../harness/backends/search/ripgrep';
import { repositoryOf } from './git-index';
import { Scout } from './scout';

let top: string;
let folder: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-workspace-')));
  folder = join(top, 'project');
  mkdirSync(folder);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const put = (name: string, text = 'x') => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const pipe = (name: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  execFileSync('mkfifo', [join(folder, name)]);
};
const scout = async () => new Scout(await locateRipgrep());
const filesOf = async () => {
  const finder = await scout();
  await finder.ignored(folder, []);
  return (await finder.find(folder, 'txt', 10)).matches.map(({ name }) => name).sort();
};

describe('file names', () => {
  it.each(['.gitignore', '.ignore', 'sub/.gitignore', 'sub/.rgignore', '.git/info/exclude', '.git'])(
    'are listed next to a pipe called %s [safety 22]',
    async (name) => {
      put('a.txt');
      put('sub/b.txt');
      pipe(name);
      expect(await filesOf()).toEqual(['a.txt', 'sub/b.txt']);
    },
    30_000,
  );

  it.each(['.gitignore', 'sub/.ignore'])(
    'are listed next to a link called %s to an endless device [safety 22]',
    async (name) => {
      put('a.txt');
      put('sub/b.txt');
      symlinkSync('/dev/zero', join(folder, name));
      expect(await filesOf()).toEqual(['a.txt', 'sub/b.txt']);
    },
    30_000,
  );

  it('exclude files that only this clone ignores', async () => {
    put('.git/info/exclude', 'own.txt\n');
    put('own.txt');
    put('a.txt');
    expect(await filesOf()).toEqual(['a.txt']);
  });
});

describe('marks', () => {
  it.each(['.git/index', '.git/config', '.git/commondir', '.git'])(
    'are returned immediately next to a pipe called %s [safety 22]',
    async (name) => {
      put('a.txt');
      if (name !== '.git') execFileSync('git', ['init', '-q', folder]);
      if (name !== '.git') execFileSync('git', ['-C', folder, 'add', 'a.txt']);
      rmSync(join(folder, name), { force: true });
      pipe(name);
      expect(await (await scout()).marks(folder)).toMatchObject({ cut: false });
    },
    30_000,
  );

  it('reveal nothing about outside files that an index names [safety 22]', async () => {
    writeFileSync(join(top, 'outside.txt'), 'secret');
    execFileSync('git', ['init', '-q', folder]);
    const blob = execFileSync('git', ['-C', folder, 'hash-object', '-w', '--stdin'], { input: 'other!' });
    const entry = `100644 ${String(blob).trim()}\tzz/outside.txt`;
    execFileSync('git', ['-C', folder, 'update-index', '--index-info'], { input: `${entry}\n` });
    symlinkSync('..', join(folder, 'zz'));
    expect((await (await scout()).marks(folder)).marks).toEqual([
      { path: 'zz/outside.txt', mark: 'changed' },
    ]);
  });
});

describe('the repository of a folder', () => {
  const other = () => {
    execFileSync('git', ['init', '-q', join(top, 'other')]);
    return join(top, 'other');
  };

  it('is not chosen by a file in the folder alone [safety 22]', () => {
    put('.git', `gitdir: ${join(other(), '.git')}\n`);
    expect(repositoryOf(folder)?.gitFolder).not.toBe(join(top, 'other', '.git'));
  });

  it('is the repository of its worktree when both name each other', () => {
    const main = other();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', main, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-q', join(top, 'tree'));
    expect(repositoryOf(join(top, 'tree'))?.gitFolder).toBe(join(main, '.git', 'worktrees', 'tree'));
  });

  it('is the repository of its submodule when both name each other', () => {
    const git = (at: string, ...args: string[]) =>
      execFileSync('git', [
        '-C',
        at,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b',
        '-c',
        'protocol.file.allow=always',
        ...args,
      ]);
    const inner = other();
    git(inner, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(top, 'init', '-q', folder);
    git(folder, 'submodule', '--quiet', 'add', inner, 'sub');
    expect(repositoryOf(join(folder, 'sub'))?.gitFolder).toBe(join(folder, '.git', 'modules', 'sub'));
  });
});
