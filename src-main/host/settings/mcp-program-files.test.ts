import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temp } from '../testing/window';
import { filesOfProgramIn } from './mcp-program-files';

const found = async (args: string[], env: Record<string, string> = {}) => {
  const folder = temp('folder');
  mkdirSync(join(folder, 'lib'));
  for (const name of ['server.js', 'lib/extra.js', 'config.json']) writeFileSync(join(folder, name), '1');
  const files = await filesOfProgramIn(temp('data'))({ command: 'node', args, cwd: folder, env }, folder);
  return files?.map(({ path }) => path);
};

it.each<[string, string[], Record<string, string>]>([
  ['an argument', ['server.js'], {}],
  ['an option', ['--require=server.js'], {}],
  ['an address', ['--import', 'file:server.js'], {}],
  ['quoted code', ['-e', 'require("./server.js")'], {}],
  ['a variable', [], { NODE_OPTIONS: '--require ./server.js' }],
])('finds a file of the folder in %s', async (_, args, env) => {
  expect(await found(args, env)).toEqual(['server.js']);
});

it('finds all files, wherever they are named', async () => {
  const many = Array.from({ length: 900 }, (_, at) => `word${at}`);
  expect(await found([...many, 'lib/extra.js', 'server.js'], { CONFIG: 'config.json' })).toEqual([
    'config.json',
    'lib/extra.js',
    'server.js',
  ]);
});

it.each([
  ['node', ['dist/server.js'], ['dist/deep/a.js', 'dist/index.js', 'dist/server.js']],
  ['npx', ['tsx', 'dist/server.js'], ['dist/deep/a.js', 'dist/index.js', 'dist/server.js']],
  ['env', ['-i', 'node', 'dist/server.js'], ['dist/deep/a.js', 'dist/index.js', 'dist/server.js']],
  ['uv', ['run', 'server.py'], ['pkg/__init__.py', 'pkg/deep.py', 'server.py']],
])('finds the modules that the modules of a server load: %s %j', async (command, args, files) => {
  const folder = temp('folder');
  mkdirSync(join(folder, 'dist/deep'), { recursive: true });
  mkdirSync(join(folder, 'pkg'));
  const texts = {
    'dist/server.js': "import './index.js'",
    'dist/index.js': "import './deep/a.js'",
    'dist/deep/a.js': '',
    'server.py': 'from pkg import tools',
    'pkg/__init__.py': 'from . import deep',
    'pkg/deep.py': '',
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
  const program = { command, args, cwd: folder, env: {} };
  const found = await filesOfProgramIn(temp('data'))(program, folder);
  expect(found?.map(({ path }) => path)).toEqual(files);
});

it('does not claim to know the files of a program with too many words', async () => {
  expect(await found(Array.from({ length: 1_000 }, (_, at) => `word${at}`))).toBe(undefined);
});
