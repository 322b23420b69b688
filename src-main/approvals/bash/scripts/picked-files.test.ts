import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseLine } from '../commands/commands';
import { analyzeShell } from '../verdict/analyze';
import { pickedFiles } from './picked-files';
import { filesBehind } from './scripts-behind';

const SCRIPTS = ['lib/x.sh', 'scripts/a.sh', 'scripts/b.sh', 'scripts/lib/x.sh'];

async function filesOf(line: string): Promise<string[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-picked-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of [...SCRIPTS, 'bin/tool', 'list.txt', 'node_modules/p/y.sh']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), name === 'scripts/a.sh' ? '. lib/x.sh' : 'echo');
  }
  const places = { folder, cwd: folder, home: '/home/me', dataDir: '/home/me/.x', resolveBinary: () => null };
  const found = await filesBehind(analyzeShell(line, places).parts, places);
  return found.map(({ path }) => path.slice(folder.length + 1)).sort();
}

it.each([
  ['bash scripts/*.sh', ['lib/x.sh', 'scripts/a.sh', 'scripts/b.sh']],
  ['./scripts/[ab].sh', ['lib/x.sh', 'scripts/a.sh', 'scripts/b.sh']],
  ['bash scripts/{a,b}.sh', ['lib/x.sh', 'scripts/a.sh', 'scripts/b.sh']],
  ['for f in scripts/*.sh; do bash "$f"; done', ['lib/x.sh', 'scripts/a.sh', 'scripts/b.sh']],
  ['cd scripts && . */*.sh', ['scripts/lib/x.sh']],
  ['find . -name "*.sh" -exec sh {} \\;', SCRIPTS],
  ['find bin -type f -exec {} +', ['bin/tool']],
  ["find scripts -name 'b*' -exec sh -c '. \"$1\"' _ {} \\;", ['scripts/b.sh']],
  ["fd -g '*.sh' lib -x bash", ['lib/x.sh']],
  ['find . -name "*.sh" | xargs -n1 bash', SCRIPTS],
  ['ls lib/*.sh | xargs -I% sh %', ['lib/x.sh']],
  ['find . -name "*.sh" | while read f; do sh "$f"; done', SCRIPTS],
  ['ls lib | while read f; do sh "lib/$f"; done', ['lib/x.sh']],
  ['sh $(ls lib/*)', ['lib/x.sh']],
  ['xargs sh < list.txt', ['bin/tool', ...SCRIPTS, 'list.txt'].sort()],
])('binds a command to the files that it picks: %s', async (line, files) => {
  expect(await filesOf(line)).toEqual(files);
});

it.each(['find . -name "*.sh" -exec cat {} \\;', 'ls scripts | xargs grep x', 'bash "$HOME/x"', 'cat *.sh'])(
  'binds no file that is only read: %s',
  async (line) => {
    expect(await filesOf(line)).toEqual([]);
  },
);

it('reads a long word once', async () => {
  const places = { folder: '/x', cwd: '/x', home: '/h', dataDir: '/d', resolveBinary: () => null };
  const find = { written: ['find', 'a'.repeat(300_000), '-exec', 'sh', '{}'] };
  expect(await pickedFiles([find, { written: ['sh', '{}'] }], places)).toEqual([]);
  const [shell] = parseLine(`bash <(echo${' '.repeat(300_000)}"$x")`).commands;
  expect(shell?.words[0]?.value).toBe('bash');
});
