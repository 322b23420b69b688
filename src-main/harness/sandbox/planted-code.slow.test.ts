import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxedCall } from '../../contract/shared/sandbox';
import { clearPlaceholders, createSandbox, PLACEHOLDER_RECORDS } from './index';
import { holdPlaceholders, isHeld } from './placeholders';
import {
  bubblewrap,
  folderForTest,
  giveToNobody,
  mayBeNobody,
  noteOnNobody,
  runProgram,
  whySkipped,
} from './testing/bubblewrap';

const title = `code planted for the next git command${whySkipped === null ? '' : ` (skipped: ${whySkipped})`}`;

let base = '';
let folder = '';
let home = '';
let calls: SandboxedCall[] = [];
beforeEach(() => {
  base = folderForTest();
  folder = join(base, 'project');
  home = join(base, 'home');
  calls = [];
  for (const path of ['project', 'home', 'data']) mkdirSync(join(base, path));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const write = (path: string, text: string, mode = 0o644) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text, { mode });
};

const sandbox = () =>
  createSandbox({
    found: bubblewrap,
    folder,
    home,
    own: [join(base, 'data')],
    temporary: join(base, 'data/tmp'),
    isSecret: () => false,
    hosts: () => ({ allow: [], deny: [] }),
    onCommand: (_callId, call) => calls.push(call),
  });

async function run(command: string, options: { as?: 'nobody' } = {}) {
  const box = await sandbox().enter({ cwd: folder, callId: 'c' });
  const identity =
    'export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b';
  const program = box.wrap({ file: '/bin/bash', args: ['-c', `${identity}\n${command}`] });
  const ended = await runProgram(program, options);
  return { ...ended, ...(await box.leave(ended)) };
}

/** Runs git as the person does, outside. */
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-C', folder, ...args], {
    env: { PATH: process.env.PATH, HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
function makeRepository(): void {
  git('init', '-q', '-b', 'main');
  write('project/a.txt', 'a\n');
  git('add', '.');
  git('commit', '-qm', 'first');
}

const canary = () => join(base, 'ran');
/** A project script that leaves a trace if the person's git runs it. */
const planted = () => `printf '#!/bin/sh\\ntouch ${canary()}\\n'`;
/** The person's next git commands. None may run what a command planted. */
function nextCommands(): void {
  for (const args of [
    ['status'],
    ['add', '.'],
    ['commit', '-qm', 'next', '--allow-empty'],
    ['checkout', '-q', '-b', 'other'],
    ['diff', 'HEAD'],
  ])
    try {
      git(...args);
    } catch {
      // Git may refuse, but it must not run anything.
    }
}

describe.skipIf(whySkipped !== null)(title, () => {
  it('is blocked in files of folders below that other programs run, and reported in new ones [safety 17]', async () => {
    write('project/packages/app/.envrc', 'own\n');
    write('project/packages/app/.vscode/tasks.json', 'own\n');
    const ran = await run(
      'cd packages/app; echo x > .envrc; echo x > .vscode/tasks.json; mv .vscode old; mv ../app ../b; mkdir .husky; echo x > .husky/pre-commit',
    );
    for (const name of ['.envrc', '.vscode/tasks.json'])
      expect(readFileSync(join(folder, 'packages/app', name), 'utf8')).toBe('own\n');
    expect(calls.at(-1)?.made).toEqual(['packages/app/.husky']);
    expect(ran.note).toContain('packages/app/.husky');
  });

  it.each([
    [
      'another common folder',
      () =>
        `cp -r .git .evil; rm -rf .evil/hooks; mkdir .evil/hooks; ${planted()} > .evil/hooks/pre-commit; chmod +x .evil/hooks/*; ${planted()} > .fsm; chmod +x .fsm; git config -f .evil/config core.fsmonitor "$PWD/.fsm"; rm -f .git/commondir; printf '../.evil\\n' > .git/commondir; mv .evil .git/x; printf 'x\\n' > .git/commondir`,
    ],
    [
      'a configuration of the worktree',
      () =>
        `${planted()} > .fsm; chmod +x .fsm; git config -f .git/config.worktree core.fsmonitor "$PWD/.fsm"; printf '[core]\\nfsmonitor = %s\\n' "$PWD/.fsm" > .git/config.worktree`,
    ],
    [
      'the configuration by rename',
      () =>
        `${planted()} > .fsm; chmod +x .fsm; cp .git/config c; git config -f c core.fsmonitor "$PWD/.fsm"; mv -f c .git/config; cp -r .git .git2; mv .git .git3; mv .git2 .git`,
    ],
    [
      'hooks',
      () =>
        `rm -rf .git/hooks; mv .git/hooks .git/h; mkdir -p .git/hooks; ${planted()} > .git/hooks/pre-commit; ${planted()} > .git/hooks/post-checkout; chmod +x .git/hooks/*`,
    ],
    [
      'attributes and exclusions',
      () =>
        'echo "* filter=x" > .git/info/attributes; rm -r .git/info; mkdir .git/info; echo "* filter=x" > .git/info/attributes',
    ],
    [
      'other worktrees and modules',
      () => 'mkdir -p .git/worktrees/x .git/modules/x; echo y > .git/worktrees/x/gitdir',
    ],
  ])('is blocked through %s [safety 17]', async (_name, command) => {
    makeRepository();
    git('config', 'extensions.worktreeConfig', 'true');
    const before = readFileSync(join(folder, '.git/config'), 'utf8');
    await run(command());
    nextCommands();
    expect(existsSync(canary())).toBe(false);
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe(before);
    for (const name of [
      'commondir',
      'config.worktree',
      'info/attributes',
      'worktrees/x',
      'modules/x',
      'hooks/pre-commit',
    ])
      expect(existsSync(join(folder, '.git', name))).toBe(false);
  });

  it('is blocked through folders above hooks and nested repositories, which cannot be renamed [safety 17]', async () => {
    makeRepository();
    git('config', 'core.hooksPath', 'tools/git/hooks');
    write('project/tools/git/hooks/pre-commit', '#!/bin/sh\nexit 0\n', 0o755);
    execFileSync('git', ['init', '-q', join(folder, 'lib/deep/inner')]);
    execFileSync('git', ['init', '-q', join(folder, 'vendor')]);
    const { output } = await run(
      [
        'for d in tools tools/git lib lib/deep lib/deep/inner vendor; do mv $d $d-old && cp -r $d-old $d; done',
        `${planted()} > tools/git/hooks/pre-commit`,
        `${planted()} > lib/deep/inner/.git/hooks/post-checkout`,
        `${planted()} > vendor/.git/hooks/post-checkout`,
      ].join('; '),
    );
    expect(output).toContain('Device or resource busy');
    expect(readFileSync(join(folder, 'tools/git/hooks/pre-commit'), 'utf8')).toBe('#!/bin/sh\nexit 0\n');
    for (const repository of ['lib/deep/inner', 'vendor'])
      expect(existsSync(join(folder, repository, '.git/hooks/post-checkout'))).toBe(false);
    expect((await run('touch tools/new lib/deep/inner/new && rm tools/new && echo written')).output).toBe(
      'written\n',
    );
  });

  it('is blocked through a missing hooks folder [safety 17]', async () => {
    makeRepository();
    git('config', 'core.hooksPath', 'my/hooks');
    await run(`mkdir -p my/hooks; ${planted()} > my/hooks/pre-commit; chmod +x my/hooks/pre-commit`);
    nextCommands();
    expect([existsSync(canary()), existsSync(join(folder, 'my'))]).toEqual([false, false]);
  });

  it('is blocked through files that the configuration of the repository or the person includes or runs [safety 17]', async () => {
    makeRepository();
    write('project/.gitconfig', '[include]\n\tpath = more\n');
    write('project/scripts/clean.sh', '#!/bin/sh\ncat\n', 0o755);
    write('project/scripts/words.sh', '#!/bin/sh\ncat "$1"\n', 0o755);
    write(
      'home/.gitconfig',
      '[diff "x"]\n\ttextconv = scripts/words.sh\n[core]\n\tattributesFile = attributes\n',
    );
    git('config', 'include.path', '../.gitconfig');
    git('config', 'filter.x.clean', 'sh scripts/clean.sh %f');
    await run(
      `${planted()} > .fsm; chmod +x .fsm; for f in .gitconfig more; do git config -f $f core.fsmonitor "$PWD/.fsm"; printf '[core]\\nfsmonitor=%s\\n' "$PWD/.fsm" > $f; done; ${planted()} > scripts/clean.sh; ${planted()} > scripts/words.sh; mv scripts s; rm -f .gitconfig`,
    );
    nextCommands();
    expect(existsSync(canary())).toBe(false);
    expect(readFileSync(join(folder, '.gitconfig'), 'utf8')).toBe('[include]\n\tpath = more\n');
    expect(existsSync(join(folder, 'more'))).toBe(false);
    for (const name of ['clean.sh', 'words.sh'])
      expect(readFileSync(join(folder, 'scripts', name), 'utf8')).toContain('cat');
  });

  it.each([
    ['hooks that are a link', '.git/hooks', '../githooks', '.git'],
    ['hooks behind two links', '.git/hooks', '../second', '.git'],
    ['hooks that are a link to nowhere yet', '.git/hooks', '../missing', '.git'],
    ['the configuration', '.git/config', '../config-of-git', '.git'],
    ['the repository', '.git', 'repository', '.'],
    ['a folder that another program obeys', '.husky', 'githooks', '.'],
    ['such a folder that is not there yet', '.vscode', 'missing', '.'],
    ['the folder above core.hooksPath', 'tools/git', '../second', 'tools'],
  ])('cannot replace a link: %s [safety 17]', async (_what, link, target, closed) => {
    makeRepository();
    write('project/githooks/README', 'none\n');
    write('project/tools/README', 'none\n');
    symlinkSync('githooks', join(folder, 'second'));
    git('config', 'core.hooksPath', link === 'tools/git' ? 'tools/git' : '.git/hooks');
    const path = join(folder, link);
    if (target.endsWith('config-of-git')) renameSync(path, join(folder, 'config-of-git'));
    if (target === 'repository') renameSync(path, join(folder, 'repository'));
    rmSync(path, { recursive: true, force: true });
    symlinkSync(target, path);
    const hook = `${planted()} > $d/pre-commit; chmod +x $d/pre-commit`;
    const { output, note } = await run(
      [
        `rm ${link}; mv ${link} old; ln -sfn x ${link}; mkdir ${link}`,
        `for d in ${link} ${link}/hooks githooks missing; do mkdir -p $d; ${hook}; done`,
        'mv tools old-tools; mv second old-second; ln -sfn x second; mkdir second',
        'echo "[core] hooksPath = x" > config-of-git; mv config-of-git x',
        `touch ${closed}/new`,
      ].join('\n'),
    );
    expect(output).toContain('Read-only file system');
    expect(existsSync(join(folder, closed, 'new'))).toBe(false);
    expect(readlinkSync(path)).toBe(target);
    expect(note).toContain(`the folders that hold the links are read-only: `);
    expect(note).toContain(link);
    nextCommands();
    expect(existsSync(canary())).toBe(false);
    if (target.endsWith('missing')) expect(existsSync(join(folder, 'missing/pre-commit'))).toBe(false);
  });

  it('cannot replace a link on the path to a repository, from a link or a file [safety 17]', async () => {
    makeRepository();
    renameSync(join(folder, '.git'), join(folder, 'repository'));
    mkdirSync(join(folder, 'links'));
    symlinkSync('../repository', join(folder, 'links/one'));
    write('project/lib/x', 'x');
    for (const [git, make] of [
      ['.git', (path: string) => symlinkSync('links/one', path)],
      ['lib/.git', (path: string) => writeFileSync(path, 'gitdir: ../links/one\n')],
    ] as const) {
      make(join(folder, git));
      const { output } = await run(
        `cp -r repository evil; ${planted()} > evil/hooks/pre-commit; chmod +x evil/hooks/*; ln -sfn ../evil links/one; rm links/one; mv links old; touch links/new`,
      );
      expect(output).toContain('Read-only file system');
      expect(readlinkSync(join(folder, 'links/one'))).toBe('../repository');
      expect(existsSync(join(folder, 'links/new'))).toBe(false);
      rmSync(join(folder, git));
      rmSync(join(folder, 'evil'), { recursive: true, force: true });
    }
  });

  it('does not make the rest of the folder read-only if .git/hooks is a link [safety 18]', async () => {
    makeRepository();
    rmSync(join(folder, '.git/hooks'), { recursive: true });
    write('project/githooks/README', 'none\n');
    symlinkSync('../githooks', join(folder, '.git/hooks'));
    expect(await run('echo x > b.txt && mkdir new && git status --short && cat b.txt')).toMatchObject({
      output: '?? b.txt\n?? githooks/\nx\n',
      note: null,
    });
    expect((await run('git add b.txt')).note).toContain('read-only: .git/hooks.');
  });

  it('does not stop commands if .git/hooks is an absolute link, even a dangling one [safety 18]', async () => {
    makeRepository();
    rmSync(join(folder, '.git/hooks'), { recursive: true });
    for (const target of [join(home, 'hooks'), '/usr/share', '/nowhere/at/all']) {
      mkdirSync(join(home, 'hooks'), { recursive: true });
      symlinkSync(target, join(folder, '.git/hooks'));
      expect(await run('echo x > b.txt && git status --short')).toMatchObject({
        output: '?? b.txt\n',
        exitCode: 0,
        note: null,
      });
      rmSync(join(folder, '.git/hooks'));
    }
  });

  it('is reported if a new repository, bare or linked by a file, would run it [safety 17]', async () => {
    const { note } = await run(
      'git init -q one && printf "../../evil\\n" > one/.git/commondir; git init -q --bare two && git -C two config core.fsmonitor ./x; git init -q evil && git -C evil config alias.x "!y"; mkdir three && echo "gitdir: ../evil/.git" > three/.git; git init -q node_modules && git -C node_modules config core.sshCommand x; git init -q plain; git init -q .; git config core.pager x',
    );
    for (const path of ['.git', 'one/.git', 'two', 'three/.git', 'evil/.git', 'node_modules/.git'])
      expect(note).toContain(path);
    expect(note).not.toContain('plain');
  });

  it('is reported if a pending rebase would run a program [safety 17]', async () => {
    makeRepository();
    const { note } = await run(
      'mkdir .git/rebase-merge; printf "exec touch x\\n" > .git/rebase-merge/git-rebase-todo',
    );
    expect(note).toContain('.git/rebase-merge/git-rebase-todo changed');
  });

  it('leaves no placeholders behind after a command or a crash [safety 17]', async () => {
    makeRepository();
    git('config', 'core.hooksPath', 'my/hooks');
    rmSync(join(folder, '.git/hooks'), { recursive: true });
    const listed = () => [readdirSync(folder).sort(), readdirSync(join(folder, '.git')).sort()];
    const before = listed();
    expect((await run('ls .git')).output).toContain('commondir');
    expect(listed()).toEqual(before);
    // Killed before it could remove its placeholder.
    const records = join(base, 'data', 'crashed', PLACEHOLDER_RECORDS);
    const left = [
      { path: join(folder, '.git/modules'), content: null },
      { path: join(folder, '.git/commondir'), content: '././.\n' },
      { path: join(folder, '.git/hooks'), content: null },
    ];
    mkdirSync(records, { recursive: true });
    writeFileSync(join(records, 'a.json'), JSON.stringify(left));
    for (const { path, content } of left)
      if (content === null) mkdirSync(path);
      else writeFileSync(path, content);
    writeFileSync(join(folder, '.git/hooks/mine'), 'kept');
    expect(git('log', '--format=%s')).toBe('first\n');
    await clearPlaceholders(records);
    expect(readdirSync(join(folder, '.git')).sort()).toEqual([...(before[1] ?? []), 'hooks'].sort());
    expect(readdirSync(records)).toEqual([]);
  });

  it('finds a placeholder as long as one of several commands needs it', async () => {
    const path = join(folder, 'held');
    const records = join(base, 'data', PLACEHOLDER_RECORDS);
    const one = await holdPlaceholders([{ path, content: null }], records);
    const two = await holdPlaceholders([{ path, content: null }], records);
    await one.release();
    expect(lstatSync(path).isDirectory()).toBe(true);
    await two.release();
    expect(existsSync(path)).toBe(false);
  });

  it('finds a placeholder for a command that starts while another finishes', async () => {
    const wanted = [
      { path: join(folder, 'held'), content: null },
      { path: join(folder, 'held.txt'), content: 'held' },
    ];
    const paths = wanted.map(({ path }) => path);
    const records = join(base, 'data', PLACEHOLDER_RECORDS);
    const command = async () => {
      for (let round = 0; round < 40; round++) {
        const held = await holdPlaceholders(wanted, records);
        expect(held.there).toEqual(paths);
        // One disk access, during which other commands finish.
        await readFile(join(folder, 'held.txt'));
        expect(paths.filter((path) => !existsSync(path))).toEqual([]);
        await held.release();
      }
    };
    await Promise.all([1, 2, 3, 4].map(command));
    expect(paths.filter((path) => existsSync(path) || isHeld(path))).toEqual([]);
  });

  it('is blocked while several commands run, whichever finishes first [safety 17]', async () => {
    makeRepository();
    git('config', 'core.hooksPath', 'my/hooks');
    const before = [readdirSync(folder).sort(), readdirSync(join(folder, '.git')).sort()];
    const boxes = await Promise.all([1, 2, 3].map(() => sandbox().enter({ cwd: folder })));
    await boxes[0]?.leave({ output: '' });
    const late = await sandbox().enter({ cwd: folder });
    await boxes[1]?.leave({ output: '' });
    await boxes[2]?.leave({ output: '' });
    const attack =
      'echo x > .git/commondir; echo x > .git/config.worktree; mkdir -p my/hooks; mkdir .git/modules/x; echo x > my/x';
    const ended = await runProgram(late.wrap({ file: '/bin/bash', args: ['-c', attack] }));
    expect(ended.output.match(/Read-only file system/g)).toHaveLength(5);
    expect((await late.leave({ output: '' })).note).toBeNull();
    expect([readdirSync(folder).sort(), readdirSync(join(folder, '.git')).sort()]).toEqual(before);
  });

  const work = `set -e
echo b > b.txt; git add b.txt; git commit -qm second; git checkout -q -b next; echo c >> b.txt; git stash -q; git stash pop -q
git commit -qam third; git checkout -q main; echo d > d.txt; git add .; git commit -qm fourth; git rebase -q next
git rebase -q --onto HEAD~2 HEAD~1; git merge -q next; git tag v1; git mv b.txt e.txt; git reset -q --hard; git status --short
git log --format=%s main; git worktree list | wc -l; git rev-parse --git-dir`;

  it('lets git add, commit, branch, stash and rebase [safety 17]', async () => {
    makeRepository();
    const { output, exitCode, note } = await run(work);
    expect({ output: output.split('\n').slice(-3), exitCode, note }).toEqual({
      output: ['1', '.git', ''],
      exitCode: 0,
      note: null,
    });
    expect(git('fsck')).not.toContain('error');
    expect(git('status', '--short')).toBe('');
  });

  it.skipIf(!mayBeNobody)(
    `lets a person who is not root do the same [safety 17]${noteOnNobody}`,
    async () => {
      makeRepository();
      giveToNobody(base);
      chmodSync(base, 0o755);
      const { exitCode, note } = await run(work, { as: 'nobody' });
      expect({ exitCode, note }).toEqual({ exitCode: 0, note: null });
    },
  );
});
