import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keep, type Manifest, rowsOf } from './index';
import { base, eachTestHas, folder } from './testing/each-folder';
import { note, rehearsed, whyNoRehearsal, writeIn } from './testing/place';

eachTestHas({ 'a.txt': 'a\n', 'src/b.txt': 'b\n' });

const shell = (script: string) =>
  execFileSync('bash', ['--norc', '-ec', script], { cwd: folder, stdio: 'pipe' });
/** A repository without the samples that git copies, with one commit. */
const REPOSITORY =
  'git init -q -b main --template=; git add .; git -c user.name=a -c user.email=a@b.c commit -qm first';
const factsIn = ({ git }: Manifest) => git.flatMap(({ facts }) => facts);

describe.skipIf(whyNoRehearsal !== null)(`what git runs or follows${note}`, () => {
  it.each([
    ['commondir', 'echo ../evil > .git/commondir'],
    ['info/attributes', 'mkdir -p .git/info; echo "* filter=x" > .git/info/attributes'],
    ['objects/info/alternates', 'mkdir -p .git/objects/info; echo /etc > .git/objects/info/alternates'],
    ['modules/sub/config', 'mkdir -p .git/modules/sub; echo x > .git/modules/sub/config'],
    [
      'modules/sub/hooks/pre-commit',
      'mkdir -p .git/modules/sub/hooks; echo x > .git/modules/sub/hooks/pre-commit',
    ],
    ['worktrees/w/commondir', 'mkdir -p .git/worktrees/w; echo ../.. > .git/worktrees/w/commondir'],
    [
      'rebase-merge/git-rebase-todo',
      'mkdir .git/rebase-merge; echo "exec x" > .git/rebase-merge/git-rebase-todo',
    ],
    ['hooks', 'ln -s ../src .git/hooks'],
    ['refs/heads/x', 'ln -s ../../../a.txt .git/refs/heads/x'],
    ['unknown', 'echo x > .git/unknown'],
  ])('is named: %s', async (name, command) => {
    shell(REPOSITORY);
    const facts = factsIn((await rehearsed(base, command)).manifest);
    expect(facts).toContainEqual({ what: 'obeyed', names: [name], count: 1 });
  });

  it.each([
    ['a file', 'mkdir evil; mv .git/* evil; rmdir .git; echo "gitdir: evil" > .git', ['deleted', 'obeyed']],
    ['a link', 'mv .git evil; ln -s evil .git', ['deleted', 'obeyed']],
    ['another file', 'echo "gitdir: evil" > .git', ['obeyed'], 'mv .git .real; echo "gitdir: .real" > .git'],
  ])('includes a .git that becomes %s', async (_, command, facts, before = 'true') => {
    shell(`${REPOSITORY}; ${before}`);
    const { manifest } = await rehearsed(base, command);
    expect(factsIn(manifest).map(({ what }) => what)).toEqual(facts);
  });

  it('does not include what git only stores', async () => {
    shell(
      `${REPOSITORY}; git checkout -qb side; echo s > s; git add s; git -c user.name=a -c user.email=a@b.c commit -qm side; git checkout -q main`,
    );
    const { manifest, output, exitCode } = await rehearsed(
      base,
      'set -e; export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.c; echo 2 > a.txt; git commit -qam two; git rebase -q side; git tag v1; echo 3 > a.txt; git stash -q; git stash pop -q; git add .; git gc -q; git branch -D side -q; git merge -q v1; git reset -q --hard HEAD~1',
    );
    expect({ output, exitCode }).toEqual({ output: '', exitCode: 0 });
    expect(factsIn(manifest).filter(({ what }) => what === 'obeyed')).toEqual([]);
  });

  it('does not include what git only stores for a worktree, but a new worktree', async () => {
    shell(`${REPOSITORY}; git worktree add -q side`);
    const commit =
      'set -e; cd side; echo s > s; git add s; git -c user.name=a -c user.email=a@b.c commit -qm side; git switch -qc other';
    const stored = await rehearsed(base, commit);
    expect(stored.exitCode).toBe(0);
    expect(factsIn(stored.manifest).filter(({ what }) => what === 'obeyed')).toEqual([]);
    const { manifest } = await rehearsed(base, 'git worktree add -q new');
    const names = ['worktrees/new/commondir', 'worktrees/new/gitdir'];
    expect(factsIn(manifest)).toContainEqual({ what: 'obeyed', names, count: 2 });
  });

  it('includes new files with names of secrets, also ignored ones, but not those of packages', async () => {
    writeIn(folder, { '.gitignore': '.env\nnode_modules/\n' });
    const { manifest } = await rehearsed(
      base,
      'node -e \'fs.writeFileSync("src/.e" + "nv", "A=1")\'; mkdir -p node_modules/x; echo A=1 > node_modules/x/.env',
    );
    const found = manifest.changes.filter((change) => change.protected === true);
    expect(found).toMatchObject([{ path: 'src/.env' }]);
    expect(found[0]).not.toHaveProperty('ignored');
  });

  it('includes a folder that a command turns into a repository without .git', async () => {
    const { manifest } = await rehearsed(
      base,
      'git init -q --bare --template= src/evil; git init -q --bare --template= node_modules/x',
    );
    const found = manifest.changes.filter((change) => change.protected === true).map(({ path }) => path);
    expect(found).toEqual(['node_modules/x/config', 'src/evil/config']);
    expect(rowsOf(manifest).find(({ path }) => path === 'node_modules/x/config')).toMatchObject({
      protected: true,
    });
  });
});

describe.skipIf(whyNoRehearsal !== null)(`what a card must not hide${note}`, () => {
  it('is a file that git tracks, although it is ignored or in a generated folder', async () => {
    writeIn(folder, {
      '.gitignore': 'dist/\n.cache/\n',
      'dist/a.js': '1\n',
      '.cache/b': '1\n',
      'bin/c': '1\n',
    });
    shell(`git init -q -b main; git add -f .; git -c user.name=a -c user.email=a@b.c commit -qm first`);
    const { manifest } = await rehearsed(
      base,
      'echo 2 > dist/a.js; echo 2 > dist/new.js; echo 2 > .cache/b; echo 2 > bin/c; echo 2 > bin/new1; echo 2 > bin/new2',
    );
    expect(rowsOf(manifest).map(({ path, kind, ignored }) => [path, kind, ignored])).toEqual([
      ['.cache/b', 'changed', undefined],
      ['bin', 'group', undefined],
      ['bin/c', 'changed', undefined],
      ['dist/a.js', 'changed', undefined],
      ['dist/new.js', 'created', true],
    ]);
  });

  const TRACKED = { '.gitignore': 'dist/\n', 'dist/a.js': '1\n' };
  const commit = (where = '.') =>
    `git -C ${where} add -f .; git -C ${where} -c user.name=a -c user.email=a@b.c commit -qm first`;
  it.each([
    ['uses longer hashes', `git init -q --object-format=sha256; ${commit()}`],
    ['splits its index', `git init -q; git config core.splitIndex true; ${commit()}`],
    ['has its index elsewhere', `git init -q --separate-git-dir ../git; ${commit()}`],
    ['contains the folder', `git init -q ..; ${commit('..')}`],
    ['has a damaged index', `git init -q; ${commit()}; echo x > .git/index`],
  ])('is a file that git tracks in a repository that %s', async (_, command) => {
    writeIn(folder, TRACKED);
    shell(command);
    const { manifest } = await rehearsed(base, 'echo 2 > dist/a.js; echo 2 > dist/new.js');
    expect(rowsOf(manifest).map(({ path, ignored }) => [path, ignored])).toEqual([
      ['dist/a.js', undefined],
      ['dist/new.js', true],
    ]);
  });

  it('is a link that leads out of the folder, even through other links', async () => {
    shell('mkdir -p d/e; ln -s ../.. d/e/top; ln -s / root');
    const { manifest } = await rehearsed(
      base,
      `ln -s root/etc one; ln -s d/e/top/../../.. two; ln -s two three; ln -s "$PWD/src" four; ln -s ../src d/five; ln -s d/e/top/src six; ln -s seven seven; ln -s ../../d eight; rm root; mkdir root; ln -s root/etc nine`,
    );
    const out = manifest.changes.filter(({ leadsOutside }) => leadsOutside).map(({ path }) => path);
    expect(out).toEqual(['eight', 'three', 'two']);
    const before = await rehearsed(base, 'ln -s root/etc one');
    expect(before.manifest.changes).toMatchObject([{ path: 'one', leadsOutside: true }]);
  });
});

describe.skipIf(whyNoRehearsal !== null)(`a file with several names${note}`, () => {
  it('is shown with their number, because all of them get the content that is kept', async () => {
    shell('ln a.txt src/other; ln a.txt third');
    const { manifest } = await rehearsed(base, 'echo new > t; mv t a.txt');
    expect(manifest.changes).toMatchObject([{ path: 'a.txt', before: { names: 3 } }]);
    await keep(manifest);
    expect(readFileSync(join(folder, 'src/other'), 'utf8')).toBe('new\n');
  });
});

describe.skipIf(whyNoRehearsal !== null)(`special files${note}`, () => {
  it('are never opened: a file that becomes a pipe or a socket is removed', async () => {
    shell('mkdir d; touch d/f; ln -s a.txt link; touch sock; mkfifo old');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 'oldsock'), resolve));
    const { manifest } = await rehearsed(
      base,
      `rm a.txt; mkfifo a.txt; rm -r d; mkfifo d; rm link; mkfifo link; rm sock; node -e 'require("net").createServer().listen("sock", () => process.exit())'; chmod 600 old oldsock; rm src/b.txt; mkdir src/b.txt; mkfifo src/b.txt/p`,
    );
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(['old', 'oldsock', 'src']);
    expect([
      lstatSync(join(folder, 'old')).mode & 0o777,
      lstatSync(join(folder, 'oldsock')).mode & 0o777,
    ]).toEqual([0o600, 0o600]);
    expect(readdirSync(join(folder, 'src/b.txt'))).toEqual([]);
    server.close();
  });
});
