import { execFileSync } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conflictsIn, keep } from '../index';
import { base, eachTestHas, folder } from '../testing/each-folder';
import { note, rehearsed, whyNoRehearsal, writeIn } from '../testing/place';

eachTestHas({ 'a.txt': 'a\n', 'b.txt': 'b\n' });

const PERSON = ['-c', 'user.name=a', '-c', 'user.email=a@b.c'];
const git = (...args: string[]) =>
  execFileSync('git', [...PERSON, '-C', folder, ...args], {
    env: { PATH: process.env.PATH, HOME: join(base, 'outside') },
    encoding: 'utf8',
  });
const COMMIT = `git ${PERSON.join(' ')} commit -qm second`;

describe.skipIf(whyNoRehearsal !== null)(`git's index in a layer${note}`, () => {
  it.each(['sha1', 'sha256'])('is read in a repository with %s', async (format) => {
    git('init', '-q', `--object-format=${format}`);
    git('add', '.');
    git('commit', '-qm', 'first');
    const { manifest } = await rehearsed(base, 'echo 2 > a.txt; git add a.txt');
    expect(manifest.git).toEqual([{ path: '.git', facts: [{ what: 'staged', count: 1 }] }]);
  });

  it.each(['sha1', 'sha256'])(
    'is no conflict if a status check of the person has renewed its times since, with %s',
    async (format) => {
      git('init', '-q', `--object-format=${format}`);
      git('add', '.');
      git('commit', '-qm', 'first');
      const { manifest } = await rehearsed(base, `echo 2 > a.txt; git add .; ${COMMIT}`);
      utimesSync(join(folder, 'b.txt'), 1, 1);
      const before = git('ls-files', '--debug', 'b.txt');
      git('status');
      expect(git('ls-files', '--debug', 'b.txt')).not.toBe(before);
      expect(await conflictsIn(manifest)).toEqual([]);
      expect((await keep(manifest)).conflicts).toEqual([]);
      expect(git('log', '--format=%s')).toBe('second\nfirst\n');
      expect(git('status', '--short')).toBe('');
    },
  );

  it.each(['git diff', `${COMMIT.replace('-qm', '-qam')}`])(
    'needs tracked files that are hidden, as %s says',
    async (command) => {
      writeIn(folder, { 'deep/.env': 'KEY=s3cret' });
      git('init', '-q');
      git('add', '-f', '.');
      git('commit', '-qm', 'first');
      const ran = await rehearsed(base, `echo 2 > a.txt; cd deep; ${command}`);
      expect(ran.exitCode).not.toBe(0);
      expect(ran.refused).toEqual([{ what: 'read', name: 'deep/.env' }]);
    },
  );

  it('is a conflict if the person has staged something since', async () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'first');
    const { manifest } = await rehearsed(base, `echo 2 > a.txt; git add .; ${COMMIT}`);
    writeIn(folder, { 'b.txt': 'by the person\n' });
    git('add', 'b.txt');
    expect((await keep(manifest)).kept).toEqual(['a.txt']);
    expect(git('status', '--short')).toBe(' M a.txt\nM  b.txt\n');
  });
});
