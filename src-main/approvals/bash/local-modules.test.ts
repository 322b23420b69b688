import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { standardTime } from '../../base/testing/processor-time';
import { localModules } from './local-modules';

function folderWith(...names: string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-modules-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
}

it.each([
  ['x.mjs', "import a from \"./a.js\"; await import ( `./b.js`); require.resolve(\n'./c.js'); from('d.js')"],
  ['x.rb', 'require_relative "a.js"\nrequire_relative( "b.js")\nrequire_relative ("c.js")'],
])('finds the modules that %s names', async (script, text) => {
  const folder = folderWith('a.js', 'b.js', 'c.js', 'd.js');
  const found = await localModules(join(folder, script), text, { root: folder, start: folder });
  expect(found).toEqual(['a.js', 'b.js', 'c.js'].map((name) => join(folder, name)));
});

it.each([
  ['x.mjs', 'from'],
  ['x.rb', 'require_relative'],
])('searches %s in little time if blanks follow a keyword', async (script, keyword) => {
  const folder = folderWith();
  const search = () =>
    localModules(join(folder, script), keyword + ' '.repeat(200_000), { root: folder, start: folder });
  expect(await standardTime(search, 1)).toBeLessThan(500);
});
