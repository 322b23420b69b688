import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { standardTime } from '../../../base/testing/processor-time';
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
  ['x.php', "include 'a.js'; require_once(__DIR__ . '/b.js'); require( dirname(__FILE__).\"/c.js\");"],
  ['x.pl', "require './a.js';\ndo 'b.js';\nrequire(\"c.js\")"],
  ['x.lua', "require 'a.js'\ndofile('b.js') loadfile( 'c.js')"],
  ['x.R', 'source("a.js")\nsource( \'b.js\')\nload("c.js")'],
])('finds the modules that %s names', async (script, text) => {
  const folder = folderWith('a.js', 'b.js', 'c.js', 'd.js');
  const found = await localModules(join(folder, script), text, { root: folder, start: folder });
  expect(found).toEqual(['a.js', 'b.js', 'c.js'].map((name) => join(folder, name)));
});

it('finds the modules of Perl in the folders that are searched', async () => {
  const folder = folderWith('One.pm');
  for (const name of ['lib/Two.pm', 'own/A/Three.pm', 'inc/Four.pm']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  const text =
    'use strict;\nuse lib "$FindBin::Bin/own", qw(other);\nuse One;\n  use Two qw(a);\nuse A::Three;\nuse Four';
  const places = { root: folder, start: folder, folders: [join(folder, 'inc')] };
  const found = await localModules(join(folder, 'x.pl'), text, places);
  expect(found.map((path) => path.slice(folder.length + 1))).toEqual([
    'One.pm',
    'lib/Two.pm',
    'own/A/Three.pm',
    'inc/Four.pm',
  ]);
});

it.each([
  ['x.mjs', 'from'],
  ['x.rb', 'require_relative'],
  ['x.php', 'require'],
  ['x.pl', 'use'],
  ['x.lua', 'require'],
])('searches %s in little time if blanks follow a keyword', async (script, keyword) => {
  const folder = folderWith();
  const search = () =>
    localModules(join(folder, script), keyword + ' '.repeat(200_000), { root: folder, start: folder });
  expect(await standardTime(search, 1)).toBeLessThan(500);
});
