import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFailure } from '../failure';
import { checkPath } from '../paths';
import { allSay, inArena } from './testing/arena';

const O = 'outside/canary.txt';

/** Each with its place of O where the case is about reaching it, and as it may be varied. */
const TRAVERSAL: [id: string, paths: string[]][] = [
  ['P1', [`/../${O}`, `/../../../${O}`, '/..', `//..//${O}`, `../${O}`]],
  ['P2', [`/a/../../${O}`, `/.beside/../../${O}`, `/a/b/../../../${O}`]],
  ['P3', ['/a/../b', '/a/..', '/a/./../b', '/.beside/..']],
];

const INVALID: [id: string, what: string, paths: unknown[]][] = [
  ['P12', 'a home directory', ['~/x', '~', '~/../x']],
  ['P13', "a user's home directory", ['~root/x', '~nobody']],
  ['P16', 'an address', ['file:///etc/passwd', 'http://localhost/x', 'FILE:///x']],
  ['P18', 'nothing', ['']],
  ['P19', 'white space', [' ', '\t\n', '\u00a0']],
  ['P21', 'a climb by backslashes', [`..\\${O}`, `a\\..\\..\\${O}`, `/..\\${O}`]],
  ['P23', 'a drive', ['C:\\x', 'c:\\', 'z:/x']],
  ['P24', 'a drive without its root', ['C:x', 'C:']],
  ['P25', 'a drive behind a slash', ['/C:/x', '//c:/x', '/C:\\x', '/C:']],
  ['P26', 'a share', ['\\\\srv\\s\\x', '\\x']],
  ['P28', 'a pipe of Windows', ['\\\\.\\pipe\\x', '\\\\?\\C:\\x']],
  ['P34', 'a name of 256 bytes', [`/${'n'.repeat(256)}`, `/a/${'é'.repeat(128)}/b`]],
  ['P35', 'a path of 5,000 characters', [`/${'n/'.repeat(2_500)}`, `/${'name/'.repeat(1_000)}`]],
  ['P39', 'what is not a string', [12, ['/a'], { path: '/a' }, null, undefined, true, Number.NaN]],
];

/** Names that mean something elsewhere and are only names here. */
const LITERAL: [id: string, names: string[]][] = [
  ['P5', ['/...', '/....', '/.../x']],
  ['P8', ['/%2e%2e/outside', '/%2E%2E', '/%2e%2e/outside/canary.txt']],
  ['P9', ['/..%2foutside', '/..%2foutside%2fcanary.txt', '/..%5coutside']],
  ['P11', ['/..;', '/..;x/outside']],
  ['P14', ['/a~b', '/a/~b', '/x~']],
  ['P15', ['/$HOME', '/$PWD/x', '/%USERPROFILE%', '/`id`', '/$(id)']],
];

describe('the syntax of paths', () => {
  it.each(TRAVERSAL)('%s refuses a way out of the root', async (_, paths) => {
    await inArena({
      run: async ({ reach }) => {
        for (const path of paths)
          expect([path, await reach(path)]).toEqual([path, allSay('denied', 'permission_denied')]);
      },
    });
  });

  it.each(INVALID)('%s refuses %s', async (_, __, paths) => {
    await inArena({
      run: async ({ reach, fs }) => {
        for (const path of paths) {
          // An operation that is given no path at all takes its default.
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

  it.each(LITERAL)('%s takes a name as it is', async (_, names) => {
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

  it('P7 takes slashes and dots that say nothing out of a path', async () => {
    await inArena({
      run: async ({ fs }) => {
        expect(await fs.write('/./a//b/', 'x')).toMatchObject({ path: '/a/b' });
        for (const path of ['/a/b', 'a/b', '//a/./b/.', '/a/b///'])
          expect([path, (await fs.read(path)).content]).toEqual([path, 'x']);
        expect((await fs.ls('/./a//')).files?.map((file) => file.path)).toEqual(['/a/b']);
      },
    });
  });

  it('P20 does nothing to the root but list and search it', async () => {
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

  const WINDOWS: [id: string, what: string, paths: string[]][] = [
    ['P30', 'names of devices', ['/CON', '/nul.txt', '/a/com1.log', '/Aux', '/lpt9', '/COM¹']],
    ['P31', 'streams', ['/f:stream', '/f::$DATA', '/a/b:c/d']],
    ['P32', 'final dots and spaces', ['/f.', '/f ', '/a. /b', '/a/...']],
  ];
  it.each(WINDOWS)(
    '%s refuses %s on Windows, and takes them byte for byte elsewhere',
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

  it('P33 takes a name of 255 bytes', async () => {
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

  it('P36 comes to an end in 2,000 nested folders, and refuses what is too deep', async () => {
    await inArena({
      // No path of the system is long enough to make, or delete, them in one go.
      given: ({ root }) => {
        const half = 'd/'.repeat(1_000);
        const make = `mkdir -p ${half} && cd ${half} && mkdir -p ${half} && cd ${half} && printf bottom > deep.txt`;
        execFileSync('/bin/bash', ['-c', make], { cwd: root });
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
