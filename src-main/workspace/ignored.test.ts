import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { locateRipgrep } from '../harness/backends/search/ripgrep';
import { listDirectory } from './listing';
import { Names } from './names';
import { Scout } from './scout';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ignored-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (...names: string[]) => {
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name.endsWith('.gitignore') ? 'dist/\n*.log\n' : 'x');
  }
};

it('returns what ignore files exclude from directories, and nothing else', async () => {
  put('.gitignore', '.env', '.git/config', 'a.log', 'dist/out.js', 'src/a.ts', 'src/b.log', 'src/dist/x.js');
  mkdirSync(join(folder, 'empty'));
  symlinkSync('src', join(folder, 'link'));
  const scout = new Scout(await locateRipgrep());
  const asked = ['', 'src', 'link', 'gone', '..', 'src/../..'];
  expect((await scout.ignored(folder, asked)).toSorted()).toEqual(['a.log', 'dist', 'src/b.log', 'src/dist']);
});

it('treats nothing as ignored when the files cannot be listed', async () => {
  put('a.txt');
  expect(await new Scout(null).ignored(folder, [''])).toEqual([]);
});

it("does not list git's folder", async () => {
  put('.git/config', '.github/ci.yml', 'a.txt');
  const page = await listDirectory(folder, folder);
  expect(page.ok && page.value.entries.map(({ name }) => name)).toEqual(['.github', 'a.txt']);
});

it('knows the direct children of a directory', () => {
  const names = new Names();
  names.add(Buffer.from('src/a.ts\0src/deep/x.ts\0src/deep/y.ts\0srcs/z.ts\0会议/记录.md\0top.md\0'));
  expect(
    [names.below(''), names.below('src'), names.below('会议'), names.below('no')].map((one) => [...one]),
  ).toEqual([['src', 'srcs', '会议', 'top.md'], ['a.ts', 'deep'], ['记录.md'], []]);
});
