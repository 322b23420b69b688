import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { standardTime } from '../../base/testing/processor-time';
import { isObeyed, runsSteps } from './repositories';

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-repositories-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function todo(text: string): string {
  const path = join(temporary(), 'git-rebase-todo');
  writeFileSync(path, text);
  return path;
}

it.each([
  ['pick 1234567 a\n \texec ./evil.sh\n', true],
  ['pick 1234567 a\n\n\nx make\n', true],
  ['pick 1234567 exec it\n# exec x\n', false],
])('finds steps of a rebase that run a program: %j', async (text, runs) => {
  expect(await runsSteps(todo(text))).toBe(runs);
});

it('searches a rebase of empty lines in little time', async () => {
  const path = todo('\n'.repeat(250_000));
  expect(await standardTime(() => runsSteps(path), 1)).toBeLessThan(500);
});

it.each(['a', 'a b ', 'a\u2028b', 'a\nb', 'a\rb'])(
  'finds the repository that a .git file names: %j',
  async (name) => {
    const folder = temporary();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    git('init', '-q', '.');
    git('config', 'core.pager', 'evil');
    renameSync(join(folder, '.git'), join(folder, name));
    // Another repository, of which nothing is run.
    if (name !== 'a') mkdirSync(join(folder, 'a'));
    writeFileSync(join(folder, '.git'), `gitdir: ${name}\r\n\n`);
    expect(git('config', 'core.pager')).toBe('evil\n');
    expect(await isObeyed(join(folder, '.git'))).toBe(true);
  },
);
