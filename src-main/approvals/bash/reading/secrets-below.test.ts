import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { judgeCommand } from '../../command';

let base = '';
let folder = '';
const write = (path: string, text = 'KEY=1\n') => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-searches-')));
  folder = join(base, 'outer/project');
  write('src/a.ts');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function verdict(command: string): Promise<string> {
  const places = {
    folder,
    cwd: folder,
    home: join(base, 'home'),
    dataDir: join(base, 'data'),
    findProgram: async (name: string) => `/usr/bin/${name}`,
  };
  return (await judgeCommand({ command }, places, [])).verdict;
}

it.each([
  ['.env', 'rg -t sh KEY'],
  ['.env', 'rg --type sh KEY'],
  ['src/.env', 'rg --type=sh KEY src'],
  ['.secrets.json', 'rg -tjson KEY'],
  ['.secrets.yml', "rg -g '*.yml' KEY"],
  ['.envrc', "rg --glob '*.envrc' KEY"],
  ['sub/.npmrc', "rg -g '*.npmrc' KEY"],
  ['.config/credentials.json', 'rg -t json KEY'],
])('asks about a search with selected names that would print %s: %s [safety 16]', async (secret, line) => {
  expect(await verdict(line)).toBe('allow');
  write(secret);
  expect(await verdict(line)).toBe('ask');
});

it.each([
  ['.ignore', '!.env\n'],
  ['.gitignore', 'dist\n!.env\n'],
  ['.rgignore', '!.e*\n'],
  ['.gitignore', '!/.[e]nv\r\n'],
  ['.gitignore', '!**\n'],
  ['.gitignore', '!\\.env\n'],
  ['.git/info/exclude', '!.env\n'],
  ['../.ignore', '!.env\n'],
  ['../../.gitignore', '!.env\n'],
])('asks about a search where %s may include a hidden secret again: %j [safety 16]', async (file, text) => {
  write('.env');
  expect(await verdict('rg KEY')).toBe('allow');
  write(file, text);
  expect(await verdict('rg KEY')).toBe('ask');
});

it('also asks below, in a hidden folder, and if the ignore file cannot be read [safety 16]', async () => {
  write('src/.config/credentials');
  write('src/.ignore', '!.config\n');
  expect(await verdict('rg KEY')).toBe('ask');
  expect(await verdict('rg KEY src/a.ts')).toBe('allow');
  rmSync(join(folder, 'src/.ignore'));
  expect(await verdict('rg KEY')).toBe('allow');
  symlinkSync('/dev/zero', join(folder, 'src/.ignore'));
  expect(await verdict('rg KEY')).toBe('ask');
});

it('does not ask if it includes other names', async () => {
  write('.env');
  write('.gitignore', '.env*\n!.env.example\n!.gitkeep\n!dist/keep.js\n');
  expect(await verdict('rg KEY')).toBe('allow');
  expect(await verdict("rg -g '!*.md' KEY")).toBe('allow');
});
