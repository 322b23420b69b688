import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judgeCommand } from '../../command';
import { whyAskedAllTheSame } from '../../confined';
import { programFinder } from '../paths/programs';

let base = '';
let folder = '';
const git = (...args: string[]) =>
  execFileSync('git', args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: base,
      GIT_AUTHOR_NAME: 'me',
      GIT_AUTHOR_EMAIL: 'me@example.com',
      GIT_COMMITTER_NAME: 'me',
      GIT_COMMITTER_EMAIL: 'me@example.com',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-checkout-')));
  folder = join(base, 'project');
  mkdirSync(join(folder, 'docs'), { recursive: true });
  mkdirSync(join(folder, 'src'));
  git('init', '-q', '-b', 'main');
  for (const name of ['docs/a', 'src/a', 'notes']) write(name, 'committed');
  git('add', '.');
  git('commit', '-qm', 'Start');
  git('branch', 'docs');
  git('tag', 'notes');
  write('docs/a', 'changed');
  write('src/a', 'changed');
  write('notes', 'changed');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function asks(command: string): Promise<boolean> {
  const places = {
    folder,
    cwd: folder,
    home: base,
    dataDir: join(base, 'data'),
    ...programFinder('/usr/bin:/bin', folder),
  };
  return whyAskedAllTheSame(await judgeCommand({ command }, places, []), places) !== null;
}
const isKept = () =>
  ['docs/a', 'src/a', 'notes'].every((name) => readFileSync(join(folder, name), 'utf8') === 'changed');

describe('git checkout with one name', () => {
  it.each([
    [['checkout', 'docs'], true],
    [['checkout', '-q', 'docs'], true],
    [['checkout', 'docs', '--'], true],
    [['checkout', 'notes'], true],
    [['-C', 'src', 'checkout', 'docs'], true],
    [['checkout', 'src'], false],
    [['checkout', '--', 'docs'], false],
    [['checkout', 'docs/'], false],
    [['checkout', './docs'], false],
    [['checkout', 'main', 'docs'], false],
  ])('asks before git %s only if git itself discards changes by it', async (args, keeps) => {
    expect(await asks(`git ${args.join(' ')}`)).toBe(!keeps);
    git(...args);
    expect(isKept()).toBe(keeps);
  });

  it('knows packed branches and those of another working tree', async () => {
    git('pack-refs', '--all');
    expect(await asks('git checkout docs')).toBe(false);
    git('worktree', 'add', '-q', '../tree');
    folder = join(base, 'tree');
    expect(await asks('git checkout docs')).toBe(false);
    expect(await asks('git checkout src')).toBe(true);
  });

  it.each(['garbage\n', 'ref: refs/heads/missing\n'])(
    'asks about a ref that git ignores: %j',
    async (text) => {
      write('.git/refs/heads/docs', text);
      expect(await asks('git checkout docs')).toBe(true);
      git('checkout', 'docs');
      expect(isKept()).toBe(false);
    },
  );

  it.each([
    'git branch -m docs x; git checkout docs',
    'git -C . branch --move docs x && git checkout docs',
    'GIT_DIR=../x git checkout docs',
    'export GIT_DIR=../x; git checkout docs',
    'git --git-dir ../x checkout docs',
    'git init x; cd x; git checkout docs',
  ])('asks if the branch may be gone by then: %s', async (line) => expect(await asks(line)).toBe(true));

  it.each([
    'git status && git checkout docs',
    'git fetch; git checkout docs',
    'git add . && git checkout docs',
  ])('does not ask after %s', async (line) => expect(await asks(line)).toBe(false));
});
