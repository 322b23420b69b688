import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { analyzeShell } from '../verdict/analyze';
import { filesBehind, scriptBehind } from './scripts-behind';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-behind-')));
  write('package.json', { scripts: { pretest: 'echo pre', test: 'node ./run.js', build: 'bash build.sh' } });
  write('sub/package.json', { scripts: { test: 'echo sub' } });
  for (const name of ['run.js', 'build.sh', 'x.py', 'tool', 'Makefile', 'sub/Makefile', 'sub/x.sh'])
    write(name, `text of ${name}`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: unknown) {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}
const placesHere = () => ({
  folder,
  cwd: folder,
  home: '/home/me',
  dataDir: '/home/me/.x',
  resolveBinary: (name: string) => `/usr/bin/${name}`,
});
const partsOf = (line: string) => analyzeShell(line, placesHere()).parts;
const files = async (line: string) =>
  (await filesBehind(partsOf(line), placesHere())).map(({ path }) => path.replace(`${folder}/`, ''));
const texts = async (line: string) => {
  const found = await Promise.all(partsOf(line).map((part) => scriptBehind(part, placesHere())));
  return found.flatMap((script) => (script === null ? [] : [script.text]));
};

describe('the script behind a command', () => {
  it.each([
    'npm test',
    'npm t',
    'npm tst',
    'npm tes',
    'npm run test',
    'npm run-script test',
    'npm rum test -- --bail',
    'npm --silent test',
    'npm --loglevel silent test',
    'pnpm test',
    'pnpm -C . test',
    'yarn test',
    'yarn run test',
    'bun run test',
  ])('is the one in package.json together with its pre-scripts: %s [safety 10]', async (line) => {
    expect(await texts(line)).toEqual(['echo pre\nnode ./run.js']);
  });
  it.each([
    'npm test --prefix sub',
    'npm --prefix sub test',
    'npm --prefix=sub t',
    'npm -C sub test',
    'npm test -w sub',
    'pnpm -C sub test',
    'pnpm --dir sub test',
    'yarn --cwd sub test',
    'bun --cwd=sub run test',
  ])('is in the folder that an option names: %s [safety 10]', async (line) => {
    expect(await texts(line)).toEqual(['echo sub']);
  });
  it('is a single script for node --run [safety 10]', async () => {
    expect(await texts('node --run test')).toEqual(['node ./run.js']);
    expect(await texts('node --run=build')).toEqual(['bash build.sh']);
  });
  it.each([
    ['bash build.sh', 'text of build.sh'],
    ['sh ./build.sh now', 'text of build.sh'],
    ['./tool', 'text of tool'],
    ['python3 x.py', 'text of x.py'],
    ['python -m x', 'text of x.py'],
    ['node run', 'text of run.js'],
    ['make', 'text of Makefile'],
    ['make -C sub all', 'text of sub/Makefile'],
    ['make -f sub/Makefile', 'text of sub/Makefile'],
    ['. ./build.sh', 'text of build.sh'],
    ['env X=1 bash build.sh', 'text of build.sh'],
    ['posh build.sh', 'text of build.sh'],
    ['xonsh build.sh', 'text of build.sh'],
    ['irb x.py', 'text of x.py'],
  ])('is the file that %s runs [safety 9]', async (line, text) => {
    expect(await texts(line)).toEqual([text]);
  });
  it.each([
    'bash -e build.sh',
    'sh -e build.sh data',
    'bash -eo pipefail build.sh',
    'bash +O extglob -- build.sh',
    'sh < build.sh',
    'bash -s now < build.sh',
  ])('is found after any options of a shell, and in its input: %s [safety 9]', async (line) => {
    for (const decoy of ['data', 'pipefail', 'extglob', 'now']) write(decoy, 'decoy');
    expect(await texts(line)).toContainEqual(expect.stringMatching(/^text of build.sh$|\ntext of build.sh$/));
    expect(await files(line)).toContain('build.sh');
  });
  it.each([
    ['python3 -E -W ignore x.py data', 'text of x.py'],
    ['python3 -X dev x.py', 'text of x.py'],
    ['ruby -r set x.py', 'text of x.py'],
    ['perl -w x.py', 'text of x.py'],
    ['nodejs --inspect run.js data', 'text of run.js'],
    ['node -- run.js', 'text of run.js'],
    ['lua -e 1 x.py', 'text of x.py'],
  ])('is found after any options of an interpreter: %s [safety 9]', async (line, text) => {
    write('data', 'decoy');
    expect(await texts(line)).toEqual([text]);
  });
  it('is shown with the value of an unknown option, which may be the script instead [safety 9]', async () => {
    write('lib', 'decoy');
    expect(await texts('perl -I lib x.py')).toEqual(['decoy\ntext of x.py']);
    expect(await files('perl -I lib x.py')).toEqual(['lib', 'x.py']);
  });
  it('is shown whatever its bytes and its size [safety 9]', async () => {
    write('build.sh', 'echo shown # \0');
    expect(await texts('bash build.sh')).toEqual(['echo shown # \0']);
    write('build.sh', `echo shown\n${'#'.repeat(2_000_000)}`);
    expect((await texts('bash build.sh'))[0]).toMatch(/^echo shown\n#+\n…$/);
    expect(await files('bash build.sh')).toEqual(['build.sh']);
    write('package.json', `{"x":${'['.repeat(1_000)}${']'.repeat(1_000)},"scripts":{"test":"echo deep"}}`);
    expect(await texts('npm test')).toEqual(['echo deep']);
  });
  it('is not shown if it is a binary program, but the answer covers it in the folder [safety 9]', async () => {
    write('tool', '\x7fELF\0');
    expect(await texts('./tool; ./tool x.py; /bin/true')).toEqual([]);
    expect(await files('./tool; /bin/true')).toEqual(['tool']);
    write('python3', '\x7fELF\0');
    expect(await files('./python3 x.py')).toEqual(['python3', 'x.py']);
  });
  it('binds the answer to a package.json without a script, too [safety 9]', async () => {
    expect(await files('npm run nothing')).toEqual(['package.json']);
    write('first.js', 'x');
    expect(await files('node -r ./first.js -e 1')).toEqual(['first.js']);
  });
  it.each([
    'ls',
    'npm ls',
    'npm run nothing',
    'npm exec x',
    'bash -c ls',
    'node -e 1',
    'bash none.sh',
    '/bin/true',
  ])('does not exist for %s', async (line) => expect(await texts(line)).toEqual([]));
  it('is not read from anything but a regular file', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.sh')]);
    expect(await texts('bash pipe.sh')).toEqual([]);
  });
});

it('lists every file that a line runs, and those that its scripts run in turn [safety 9]', async () => {
  expect(await files('npm test && npm run build; make; python x.py | ./tool')).toEqual([
    'package.json',
    'run.js',
    'build.sh',
    'Makefile',
    'x.py',
    'tool',
  ]);
  expect(await files('npm test -C sub')).toEqual(['sub/package.json']);
  expect(await files('ls && rm x')).toEqual([]);
});
it('finds commands beyond what the card shows of a script, up to a limit [safety 9]', async () => {
  write('build.sh', `${'# long\n'.repeat(2_000)}bash other.sh`);
  write('other.sh', `${'# long\n'.repeat(20_000)}bash last.sh`);
  write('last.sh', 'x');
  expect(await files('bash build.sh')).toEqual(['build.sh', 'other.sh']);
});
it.each([
  'timeout -k 5 10 ./build.sh',
  'nice -n 5 sh build.sh',
  'env -i PATH=/bin bash build.sh',
  'xvfb-run -a ./build.sh',
  'xvfb-run -a sh build.sh',
  'systemd-run --user --wait ./build.sh',
  'some-runner --fast ./build.sh',
  'some-runner -- sh build.sh',
  "some-runner 'cd . && sh build.sh'",
  'npx cross-env A=1 sh build.sh',
  'for f in build.sh run.sh; do sh $f; done',
  'DIR=.; "$DIR"/build.sh',
  '"$PWD"/build.sh',
  'sh "$(pwd)/build.sh"',
  'FOO=1 sh < build.sh',
  'cat build.sh | nice sh',
])('lists the script that another program or a variable of the line names: %s [safety 9]', async (line) => {
  expect(await files(line)).toContain('build.sh');
  // In a script, too.
  write('package.json', { scripts: { all: line } });
  expect(await files('npm run all')).toContain('build.sh');
  write('outer.sh', line);
  expect(await files('bash outer.sh')).toContain('build.sh');
});
it('shows the script that a runner with unknown options starts [safety 9]', async () => {
  expect(await texts('xvfb-run -a ./build.sh')).toEqual(['text of build.sh']);
  expect(await texts('xvfb-run -a npm run build')).toEqual(['bash build.sh']);
});
it('lists scripts that a script names from its own folder [safety 9]', async () => {
  write('tools/run.sh', 'cd "$(dirname "$0")"\n./near.sh\n');
  write('tools/near.sh', '. "$(cd "$(dirname "$0")" && pwd)/lib/far.sh"\n"$ROOT/build.sh"\n');
  write('tools/lib/far.sh', 'x');
  expect(await files('tools/run.sh')).toEqual([
    'tools/run.sh',
    'tools/near.sh',
    'tools/lib/far.sh',
    'build.sh',
  ]);
});
it('lists scripts that a package.json script runs through a runner of scripts [safety 9]', async () => {
  write('package.json', { scripts: { all: 'run-s one npm:two', one: 'node run.js', two: 'python3 x.py' } });
  expect(await files('npm run all')).toEqual(['package.json', 'run.js', 'x.py']);
});
it('does not list data that an unknown program reads, nor the modules of scripts that it may only read', async () => {
  for (const name of ['app.log', 'data/in.csv', 'lib.js']) write(name, 'x');
  expect(await files('some-tool app.log data/in.csv ./data/in.csv')).toEqual([]);
  write('run.js', "import './lib.js'");
  expect(await files('eslint run.js')).toEqual(['run.js']);
  expect(await files('npx some-runner ./run.js')).toEqual(['run.js', 'lib.js']);
});
it('lists the files whose text a shell gets as its input [safety 9]', async () => {
  write('a.sh', 'x');
  expect(await files('cat a.sh build.sh | grep -v x | sh')).toEqual(['a.sh', 'build.sh']);
  expect(await files('cat a.sh | grep -v x')).toEqual([]);
  write('run.sh', 'cat a.sh | sh; sh < build.sh');
  expect(await files('sh run.sh')).toEqual(['run.sh', 'a.sh', 'build.sh']);
});
it('stops where scripts run each other in a circle', async () => {
  write('build.sh', 'bash other.sh');
  write('other.sh', 'bash build.sh');
  expect(await files('bash build.sh')).toEqual(['build.sh', 'other.sh']);
});

describe('files that influence what a script runs [safety 9]', () => {
  it.each(['.npmrc', '.yarnrc.yml', '.pnpmfile.cjs'])(
    'binds the answer to settings beside a package.json: %s',
    async (name) => {
      expect(await files('npm test')).not.toContain(name);
      write(name, 'script-shell=./x');
      expect(await files('npm test')).toContain(name);
      expect(await files('npm test --prefix sub')).toContain(name);
      write(`sub/${name}`, 'script-shell=./x');
      expect(await files('cd sub && npm test')).toContain(`sub/${name}`);
    },
  );
  it('binds the answer to files that a Makefile includes', async () => {
    write('Makefile', 'include build.mk rules/more.mk\n-include maybe.mk\nall:\n\techo x\n');
    for (const name of ['build.mk', 'rules/more.mk', 'maybe.mk', 'rules/last.mk']) write(name, 'x');
    write('rules/more.mk', 'include last.mk');
    expect(await files('make')).toEqual([
      'Makefile',
      'build.mk',
      'rules/more.mk',
      'maybe.mk',
      'rules/last.mk',
    ]);
  });
  it('binds the answer to programs and modules that settings of package managers name', async () => {
    write('.yarn/releases/yarn-4.cjs', 'x');
    write('.yarnrc.yml', 'nodeLinker: node-modules\nyarnPath: .yarn/releases/yarn-4.cjs\n');
    expect(await files('yarn build')).toContain('.yarn/releases/yarn-4.cjs');
    write('.npmrc', 'node-options=--require ./first.cjs\n');
    write('first.cjs', "require('./second')");
    write('second.js', 'x');
    expect(await files('npm test')).toEqual(expect.arrayContaining(['.npmrc', 'first.cjs', 'second.js']));
    write('bunfig.toml', 'preload = ["./first.cjs"]\n');
    expect(await files('bun run.js')).toEqual(['run.js', 'bunfig.toml', 'first.cjs', 'second.js']);
  });
  it('reads the other manifests of pnpm', async () => {
    write('only/package.yaml', 'scripts:\n  test: sh ./x.sh\n');
    write('only/x.sh', 'x');
    expect(await texts('pnpm -C only test')).toEqual(['sh ./x.sh']);
    expect(await files('pnpm -C only test')).toEqual(['only/package.yaml', 'only/x.sh']);
    expect(await files('npm -C only test')).not.toContain('only/package.yaml');
  });
});

describe('files in the folder that a script loads or starts [safety 9]', () => {
  it.each([
    ['import x from "./lib/a.mjs";', 'lib/a.mjs'],
    ["export * from './lib/b'", 'lib/b.ts'],
    ["const x = require('./lib/c');", 'lib/c/index.js'],
    ["await import('./lib/a.mjs')", 'lib/a.mjs'],
    ["import './lib/d.js'", 'lib/d.ts'],
    ["import {\n  a,\n  b,\n} from './lib/a.mjs';", 'lib/a.mjs'],
  ])('binds the answer to a module of a Node.js script: %s', async (line, module) => {
    for (const name of ['lib/a.mjs', 'lib/b.ts', 'lib/c/index.js', 'lib/d.ts']) write(name, 'x');
    write('run.js', `${'// long\n'.repeat(2_000)}${line}\n`);
    expect(await files('node run.js')).toEqual(['run.js', module]);
    expect(await files('npm test')).toEqual(['package.json', 'run.js', module]);
  });
  it('binds the answer to modules of Python and Ruby scripts', async () => {
    for (const name of ['helper.py', 'pkg/__init__.py', 'pkg/sub.py', 'tasks.rb']) write(name, 'x');
    write('x.py', 'import os, helper\nfrom pkg.sub import y\nfrom . import pkg\n');
    expect(await files('python3 x.py')).toEqual(['x.py', 'helper.py', 'pkg/sub.py', 'pkg/__init__.py']);
    write('x.py', 'from pkg import (\n  sub as s,\n)\n');
    write('pkg/sub.py', 'from . import near\nfrom .. import above\nimport helper\nfrom .deep.one import *\n');
    for (const name of ['pkg/near.py', 'above.py', 'pkg/deep/one.py']) write(name, 'x');
    expect(await files('python3 x.py')).toEqual([
      'x.py',
      'pkg/__init__.py',
      'pkg/sub.py',
      'pkg/near.py',
      'above.py',
      'helper.py',
      'pkg/deep/one.py',
    ]);
    write('x.rb', "require_relative 'tasks'\n");
    expect(await files('ruby x.rb')).toEqual(['x.rb', 'tasks.rb']);
  });
  it.each([
    'node -r ./first.js run.js',
    'node --require ./first run.js',
    'node --require=./first.js run.js',
    'node --import ./first.js run.js',
    'node --loader=./first.js run.js',
    'tsx --import ./first.js run.js',
  ])('binds the answer to files that an option loads before the script: %s', async (line) => {
    write('first.js', "require('./second')");
    write('second.js', 'x');
    expect(await files(line)).toEqual(['run.js', 'first.js', 'second.js']);
  });
  it('covers modules inside the folder at any depth, up to a limit', async () => {
    write('a.js', "import './b.js'; import '../../etc/passwd'; import 'left-pad'; import './gone.js'");
    write('b.js', "import './dist/c.js'");
    write('dist/c.js', "require('./d'); import '../a.js'");
    write('dist/d.js', "new Worker(new URL('./e.js', import.meta.url))");
    write('dist/e.js', 'x');
    expect(await files('node a.js')).toEqual(['a.js', 'b.js', 'dist/c.js', 'dist/d.js', 'dist/e.js']);
    for (let at = 0; at < 300; at++) write(`m${at}.js`, `import './m${at + 1}.js'`);
    expect((await files('node m0.js')).length).toBe(200);
  });
  it('binds the answer to a program in node_modules/.bin that a package.json script names or npx starts', async () => {
    write('package.json', { scripts: { test: 'cross-env A=1 vitest run', lint: 'eslint .' } });
    for (const name of ['vitest', 'cross-env', 'eslint', 'other']) write(`node_modules/.bin/${name}`, 'x');
    const bin = (name: string) => `node_modules/.bin/${name}`;
    expect(await files('npm test')).toEqual(['package.json', bin('cross-env'), bin('vitest')]);
    expect(await files('npm test --prefix sub')).toEqual(['sub/package.json']);
    for (const line of [
      'npx eslint .',
      'npm exec -- eslint',
      'pnpm eslint',
      'yarn exec eslint',
      'npx -y eslint',
    ])
      expect(await files(line), line).toContain(bin('eslint'));
    expect(await files('cd sub && npx eslint')).toEqual([bin('eslint')]);
    expect(await files('./node_modules/.bin/eslint')).toEqual([bin('eslint')]);
    expect(await files('eslint .')).toEqual([]);
  });
  it('binds the answer to the program that npx starts by a version or by the name of its package', async () => {
    write('node_modules/.bin/eslint', 'x');
    expect(await files('npx eslint@9 .')).toEqual(['node_modules/.bin/eslint']);
    const own = (name: string) => `node_modules/@scope/tool/${name}`;
    write(own('package.json'), { bin: { tool: './cli.js', other: 'gone.js' } });
    write(own('cli.js'), 'x');
    for (const line of ['npx -y @scope/tool x', 'npm exec @scope/tool@latest', 'pnpm dlx @scope/tool'])
      expect(await files(line), line).toEqual(expect.arrayContaining([own('package.json'), own('cli.js')]));
  });
});

it.each([
  ['perl -Iinc -MA::B x.pl', ['inc/A/B.pm', 'inc/C.pm', 'x.pl']],
  ['perl -I inc x.pl', ['inc/C.pm', 'x.pl']],
  ['ruby -r ./first x.rb', ['first.rb', 'second.rb', 'x.rb']],
  ['php -d auto_prepend_file=first.php x.php', ['first.php', 'second.php', 'x.php']],
  ['php x.php', ['second.php', 'x.php']],
])('are also what options and includes name: %s', async (line, expected) => {
  write('x.pl', 'use C;');
  write('x.rb', 'require "./second"');
  write('x.php', "<?php include __DIR__ . '/second.php';");
  for (const name of ['inc/A/B.pm', 'inc/C.pm', 'first.rb', 'second.rb', 'first.php', 'second.php'])
    write(name, '');
  expect((await files(line)).sort()).toEqual(expected);
});
