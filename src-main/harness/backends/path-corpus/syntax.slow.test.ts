import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../failure';
import { checkPath } from '../paths';
import { allSay, inArena } from './testing/arena';

const O = 'outside/canary.txt';

/** Each with its path to O if the case is about reaching O, and with variations. */
const TRAVERSAL: [id: string, paths: string[]][] = [
  ['P1', [`/../${O}`, `/../../../${O}`, '/..', `//..//${O}`, `../${O}`]],
  ['P2', [`/a/../../${O}`, `/.beside/../../${O}`, `/a/b/../../../${O}`]],
  ['P3', ['/a/../b', '/a/..', '/a/./../b', '/.beside/..']],
];

const INVALID: [what: string, id: string, paths: unknown[]][] = [
  ['a home directory', 'P12', ['~/x', '~', '~/../x']],
  ["a user's home directory", 'P13', ['~root/x', '~nobody']],
  ['an address', 'P16', ['file:///etc/passwd', 'http://localhost/x', 'FILE:///x']],
  ['nothing', 'P18', ['']],
  ['white space', 'P19', [' ', '\t\n', '\u00a0']],
  ['a climb by backslashes', 'P21', [`..\\${O}`, `a\\..\\..\\${O}`, `/..\\${O}`]],
  ['a drive', 'P23', ['C:\\x', 'c:\\', 'z:/x']],
  ['a drive without its root', 'P24', ['C:x', 'C:']],
  ['a drive behind a slash', 'P25', ['/C:/x', '//c:/x', '/C:\\x', '/C:']],
  ['a share', 'P26', ['\\\\srv\\s\\x', '\\x']],
  ['a pipe of Windows', 'P28', ['\\\\.\\pipe\\x', '\\\\?\\C:\\x']],
  ['a name of 256 bytes', 'P34', [`/${'n'.repeat(256)}`, `/a/${'é'.repeat(128)}/b`]],
  ['a path of 5,000 characters', 'P35', [`/${'n/'.repeat(2_500)}`, `/${'name/'.repeat(1_000)}`]],
  ['what is not a string', 'P39', [12, ['/a'], { path: '/a' }, null, undefined, true, Number.NaN]],
];

/** Names that have a meaning elsewhere and none here. */
const LITERAL: [id: string, names: string[]][] = [
  ['P5', ['/...', '/....', '/.../x']],
  ['P8', ['/%2e%2e/outside', '/%2E%2E', '/%2e%2e/outside/canary.txt']],
  ['P9', ['/..%2foutside', '/..%2foutside%2fcanary.txt', '/..%5coutside']],
  ['P11', ['/..;', '/..;x/outside']],
  ['P14', ['/a~b', '/a/~b', '/x~']],
  ['P15', ['/$HOME', '/$PWD/x', '/%USERPROFILE%', '/`id`', '/$(id)']],
];

describe('path syntax', () => {
  it.each(TRAVERSAL)('rejects a path out of the root [%s]', async (_, paths) => {
    await inArena({
      run: async ({ reach }) => {
        for (const path of paths)
          expect([path, await reach(path)]).toEqual([path, allSay('denied', 'permission_denied')]);
      },
    });
  });

  it.each(INVALID)('rejects %s [%s]', async (_, _id, paths) => {
    await inArena({
      run: async ({ reach, fs }) => {
        for (const path of paths) {
          // An operation without a path uses its default.
          const { ls: _ls, glob: _glob, grep: _grep, ...named } = await reach(path);
          const { ls, glob, grep, ...expected } = allSay('invalid', 'invalid_path');
          expect([path, named]).toEqual([path, expected]);
          if (path === undefined || path === null) continue;
          const kinds = { ls: _ls, glob: _glob, grep: _grep };
          expect([path, kinds]).toEqual([path, { ls, glob, grep }]);
        }
        expect((await fs.ls('/')).files?.map((file) => file.path)).toEqual(['/.beside']);
      },
    });
  });

  it.each(LITERAL)('treats a name as literal [%s]', async (_, names) => {
    await inArena({
      run: async ({ fs }) => {
        for (const name of names) {
          expect([name, (await fs.read(name)).kind]).toEqual([name, 'not_found']);
          expect(await fs.write(name, name)).toMatchObject({ path: name });
          expect((await fs.read(name)).content).toBe(name);
          expect((await fs.delete(name)).path).toBe(name);
        }
      },
    });
  });

  it('removes redundant slashes and dots from a path [P7]', async () => {
    await inArena({
      run: async ({ fs }) => {
        expect(await fs.write('/./a//b/', 'x')).toMatchObject({ path: '/a/b' });
        for (const path of ['/a/b', 'a/b', '//a/./b/.', '/a/b///'])
          expect([path, (await fs.read(path)).content]).toEqual([path, 'x']);
        expect((await fs.ls('/./a//')).files?.map((file) => file.path)).toEqual(['/a/b']);
      },
    });
  });

  it('lists and searches the root, and rejects every other operation on it [P20]', async () => {
    await inArena({
      run: async ({ reach }) => {
        for (const path of ['/', '//', '/.', './'])
          expect([path, await reach(path)]).toEqual([
            path,
            { ...allSay('invalid', 'invalid_path'), ls: 'ok', glob: 'ok', grep: 'ok' },
          ]);
      },
    });
  });

  const WINDOWS: [what: string, id: string, paths: string[]][] = [
    ['names of devices', 'P30', ['/CON', '/nul.txt', '/a/com1.log', '/Aux', '/lpt9', '/COM¹']],
    ['streams', 'P31', ['/f:stream', '/f::$DATA', '/a/b:c/d']],
    ['final dots and spaces', 'P32', ['/f.', '/f ', '/a. /b', '/a/...']],
  ];
  it.each(WINDOWS)(
    'rejects %s on Windows, and keeps them byte for byte elsewhere [%s]',
    async (_, __, paths) => {
      const kind = (path: string, platform: string) => {
        const at = checkPath(path, undefined, platform);
        return isFailure(at) ? at.kind : at.path;
      };
      for (const path of paths) expect([path, kind(path, 'win32')]).toEqual([path, 'invalid']);
      for (const path of paths) expect(kind(path, 'linux')).toBe(path);
      if (process.platform === 'win32') return;
      await inArena({
        run: async ({ fs }) => {
          for (const path of paths) {
            expect(await fs.write(path, path)).toMatchObject({ path });
            expect((await fs.read(path)).content).toBe(path);
          }
        },
      });
    },
  );

  it('accepts a name of 255 bytes [P33]', async () => {
    await inArena({
      run: async ({ fs }) => {
        for (const name of ['n'.repeat(255), `${'é'.repeat(127)}x`]) {
          expect((await fs.write(`/${name}`, 'one')).error).toBeUndefined();
          expect((await fs.edit(`/${name}`, 'one', 'two')).occurrences).toBe(1);
          expect((await fs.read(`/${name}`)).content).toBe('two');
        }
      },
    });
  });

  it('terminates in 2,000 nested folders, and rejects deeper paths [P36]', async () => {
    await inArena({
      // The system's maximum path length is too short to make or delete them in one go.
      given: ({ root }) => {
        const half = 'd/'.repeat(1_000);
        const make = `mkdir -p ${half} && cd ${half} && mkdir -p ${half} && cd ${half} && printf bottom > deep.txt`;
        execFileSync('/bin/bash', ['--norc', '-c', make], { cwd: root });
        writeFileSync(join(root, 'top.txt'), 'bottom');
      },
      run: async ({ fs, root }) => {
        const deep = `/${'d/'.repeat(1_000)}`;
        expect((await fs.ls(deep)).files?.map(({ is_dir }) => is_dir)).toEqual([true]);
        const bottom = `/${'d/'.repeat(2_000)}deep.txt`;
        expect(['invalid', undefined]).toContain((await fs.read(bottom)).kind);
        const found = (await fs.glob('**/*.txt')).files?.map((file) => file.path) ?? [];
        expect(found.includes('/top.txt')).toBe(true);
        expect((await fs.grep('bottom')).matches?.some((match) => match.path === '/top.txt')).toBe(true);
        execFileSync('rm', ['-rf', join(root, 'd')]);
      },
      within: 30_000,
    });
  }, 60_000);
});
