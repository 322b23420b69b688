import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseIndex } from '../base/git-index';
import { marksOf } from './marks';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-marks-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: folder,
    stdio: 'pipe',
    env: { PATH: process.env.PATH, HOME: folder },
  });
const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

function repository(version: string): void {
  git('init', '-q');
  git('config', 'index.version', version);
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  for (const name of ['a.txt', 'b.txt', 'src/c.txt', 'src/deep/d.txt', 'src/deep/e.txt'])
    put(name, `${name}\n`);
  git('add', '.');
  git('commit', '-qm', 'first');
}

it.each(['2', '3', '4'])(
  'marks files that differ from the index (version %s) or are not in it',
  async (version) => {
    repository(version);
    expect(await marksOf(folder, ['a.txt', 'b.txt'])).toEqual({ repository: true, marks: [], cut: false });
    put('src/deep/d.txt', 'other words\n');
    rmSync(join(folder, 'b.txt'));
    put('new.txt', '');
    // Rewritten with the same text: unchanged.
    put('a.txt', 'a.txt\n');
    utimesSync(join(folder, 'a.txt'), 1_000_000, 1_000_000);
    expect((await marksOf(folder, ['a.txt', 'new.txt', 'src/c.txt'])).marks).toEqual([
      { path: 'b.txt', mark: 'changed' },
      { path: 'src/deep/d.txt', mark: 'changed' },
      { path: 'new.txt', mark: 'untracked' },
    ]);
    expect((await marksOf(join(folder, 'src'), [])).marks).toEqual([{ path: 'deep/d.txt', mark: 'changed' }]);
  },
);

it('runs no program that the repository names', async () => {
  repository('2');
  const trap = join(folder, 'ran');
  git('config', 'filter.trap.clean', `touch ${trap}; cat`);
  git('config', 'core.fsmonitor', `touch ${trap}`);
  put('.gitattributes', '* filter=trap\n');
  put('a.txt', 'b.txt\n');
  expect((await marksOf(folder, [])).marks).toEqual([{ path: 'a.txt', mark: 'changed' }]);
  expect(() => execFileSync('ls', [trap], { stdio: 'pipe' })).toThrow();
});

it('marks an unresolved merge', async () => {
  repository('2');
  git('checkout', '-qb', 'other');
  put('a.txt', 'theirs\n');
  git('commit', '-qam', 'theirs');
  git('checkout', '-q', '-');
  put('a.txt', 'ours\n');
  git('commit', '-qam', 'ours');
  expect(() => git('merge', 'other')).toThrow();
  expect((await marksOf(folder, [])).marks).toEqual([{ path: 'a.txt', mark: 'conflict' }]);
});

it('returns null for a damaged index and reads nothing beyond its end', async () => {
  const bytes = Buffer.alloc(64);
  bytes.write('DIRC');
  bytes.writeUInt32BE(2, 4);
  bytes.writeUInt32BE(1_000_000, 8);
  expect(parseIndex(bytes, 20)).toBeNull();
  expect(parseIndex(Buffer.from('DIRC'), 20)).toBeNull();
  expect(await marksOf(folder, ['a'])).toEqual({ repository: false, marks: [], cut: false });
});
