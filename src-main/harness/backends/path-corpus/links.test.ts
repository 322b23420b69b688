import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { standardTime } from '../../../base/testing/processor-time';
import { FilesystemBackend } from '../filesystem';
import { PermissionBackend, placesOf } from '../policy/permissions';
import { PolicyBackend } from '../policy/policy';
import { allSay, inArena, type Operation, WORD } from './testing/arena';

const LINK = allSay('denied', 'permission_denied');
const SPECIAL = allSay('special', 'is_directory');

/** Deleting removes the link, or the special file, and never a target. */
const butDelete = (said: Record<Operation, string>) => ({ ...said, delete: 'ok' });

/** Swaps the folder `a` with a link to the outside and back, this many times, as fast as it can. */
const SWAPPER = `
const { existsSync, renameSync, rmSync } = require('node:fs');
const [root, rounds] = [process.argv[1], Number(process.argv[2])];
const tried = (act) => { try { act(); return true; } catch { return false; } };
const move = (from, to) => {
  while (existsSync(root + from) && !tried(() => renameSync(root + from, root + to)))
    tried(() => rmSync(root + to, { recursive: true }));
};
for (let i = 0; i < rounds; i += 1) {
  move('/a', '/spare/dir'); move('/spare/link', '/a');
  move('/a', '/spare/link'); move('/spare/dir', '/a');
}
`;

describe('links', () => {
  it('reads a link that stays inside, and does not write through it [P54]', async () => {
    await inArena({
      given: ({ root }) => {
        mkdirSync(join(root, 'd'));
        writeFileSync(join(root, 'd', 'real.txt'), 'inside');
        symlinkSync('d/real.txt', join(root, 'link.txt'));
        symlinkSync('d', join(root, 'way'));
      },
      run: async ({ fs, root }) => {
        expect((await fs.read('/link.txt')).content).toBe('inside');
        expect((await fs.read('/way/real.txt')).content).toBe('inside');
        expect((await fs.ls('/way')).files?.map((file) => file.path)).toEqual(['/way/real.txt']);
        expect(await fs.write('/link.txt', 'x')).toEqual({
          error: 'Cannot write to /link.txt because it is a symlink. Symlinks are not allowed.',
          kind: 'denied',
        });
        expect((await fs.edit('/link.txt', 'inside', 'x')).kind).toBe('denied');
        for (const path of ['/way/real.txt', '/way/new.txt', '/way/n/ew.txt'])
          expect([path, (await fs.write(path, 'x')).kind]).toEqual([path, 'denied']);
        expect((await fs.delete('/way/real.txt')).kind).toBe('denied');
        expect(readFileSync(join(root, 'd', 'real.txt'), 'utf8')).toBe('inside');
        expect(readdirSync(join(root, 'd'))).toEqual(['real.txt']);
      },
    });
  });

  it('refuses a file link that leads outside [P55]', async () => {
    await inArena({
      given: ({ root, outside }) => {
        symlinkSync(join(outside, 'canary.txt'), join(root, 'link.txt'));
        symlinkSync('../outside/canary.txt', join(root, 'near.txt'));
        symlinkSync('near.txt', join(root, 'far.txt'));
      },
      run: async ({ reach }) => {
        for (const path of ['/link.txt', '/far.txt', '/near.txt']) {
          expect([path, await reach(path)]).toEqual([path, butDelete(LINK)]);
        }
      },
    });
  });

  it('refuses everything through a directory link that leads outside, and lists the link without following it [P56]', async () => {
    await inArena({
      given: ({ root, outside }) => symlinkSync(outside, join(root, 'dir')),
      run: async ({ fs, reach }) => {
        expect(await reach('/dir/canary.txt')).toEqual(LINK);
        expect(await reach('/dir/new.txt')).toEqual(LINK);
        expect(await reach('/dir/deep/new.txt')).toEqual(LINK);
        for (const call of [fs.ls('/dir'), fs.glob('*', '/dir'), fs.grep('canary', '/dir')])
          expect((await call).kind).toBe('denied');
        expect((await fs.ls('/')).files?.map(({ path, is_dir }) => ({ path, is_dir }))).toEqual([
          { path: '/.beside', is_dir: false },
          { path: '/dir', is_dir: false },
        ]);
        expect(await fs.glob('**/*')).toEqual({ files: [], truncated: false });
        expect(await fs.glob('dir/*')).toEqual({ files: [], truncated: false });
        expect(await fs.grep('canary')).toEqual({ matches: [], truncated: false });
      },
    });
  });

  it('refuses a link to itself within 100 ms [P58]', async () => {
    await inArena({
      given: ({ root }) => {
        symlinkSync('loop', join(root, 'loop'));
        symlinkSync('b', join(root, 'a'));
        symlinkSync('a', join(root, 'b'));
      },
      run: async ({ fs }) => {
        for (const path of ['/loop', '/a', '/loop/x', '/b/c/d'])
          for (const refused of [() => fs.read(path), () => fs.ls(path), () => fs.write(path, 'x')]) {
            expect([path, (await refused()).kind]).toEqual([path, 'denied']);
            expect(await standardTime(refused, 1)).toBeLessThan(100);
          }
      },
    });
  });

  it('terminates when a folder links to its own parent [P59]', async () => {
    await inArena({
      given: ({ root }) => {
        mkdirSync(join(root, 'sub'));
        writeFileSync(join(root, 'sub', 'a.txt'), 'word');
        symlinkSync('.', join(root, 'sub', 'sub'));
      },
      run: async ({ fs }) => {
        expect((await fs.glob('**/*.txt')).files).toEqual([{ path: '/sub/a.txt', is_dir: false }]);
        expect((await fs.grep('word')).matches).toEqual([{ path: '/sub/a.txt', line: 1, text: 'word' }]);
        expect((await fs.read(`/${'sub/'.repeat(12)}a.txt`)).content).toBe('word');
      },
    });
  });

  it('does not create the target of a dangling link [P60]', async () => {
    await inArena({
      given: ({ root, outside }) => {
        symlinkSync(join(outside, 'new.txt'), join(root, 'out.txt'));
        symlinkSync(join(outside, 'no', 'dir'), join(root, 'dir'));
        symlinkSync('nowhere.txt', join(root, 'in.txt'));
      },
      run: async ({ fs, reach, root }) => {
        expect(await reach('/out.txt')).toEqual(butDelete(LINK));
        expect(await reach('/dir/new.txt')).toEqual(LINK);
        expect((await fs.write('/in.txt', 'x', { createOnly: true })).kind).toBe('denied');
        expect(existsSync(join(root, 'nowhere.txt'))).toBe(false);
      },
    });
  });

  it('refuses a link into /proc [P62]', async () => {
    await inArena({
      given: ({ root }) => {
        symlinkSync('/proc/self/environ', join(root, 'env'));
        symlinkSync('/proc/self', join(root, 'self'));
        symlinkSync('/proc/self/cwd', join(root, 'cwd'));
      },
      run: async ({ fs, reach }) => {
        for (const path of ['/self/environ', '/self/root/etc/passwd', '/cwd/package.json'])
          expect([path, await reach(path)]).toEqual([path, LINK]);
        expect((await fs.ls('/self/fd')).kind).toBe('denied');
        expect(await reach('/env')).toEqual(butDelete(LINK));
      },
    });
  });

  it('leaks nothing while a folder and a link to the outside are swapped 20,000 times [P63]', async () => {
    await inArena({
      given: ({ root, outside }) => {
        mkdirSync(join(root, 'a'));
        writeFileSync(join(root, 'a', 'canary.txt'), 'inside');
        mkdirSync(join(root, 'spare'));
        symlinkSync(outside, join(root, 'spare', 'link'));
      },
      run: async ({ fs, root }) => {
        // In another process, so that it swaps in the middle of our calls. It removes a folder that a write has created.
        const swapper = spawn(process.execPath, ['-e', SWAPPER, root, '10000'], { stdio: 'inherit' });
        const ended = once(swapper, 'close');
        let [on, rounds] = [true, 0];
        const over = ended.then(() => {
          on = false;
        });
        const seen = new Map<unknown, number>();
        const note = (what: unknown) => seen.set(what, (seen.get(what) ?? 0) + 1);
        const read = async () => {
          while (on) {
            const page = await fs.read('/a/canary.txt');
            note(page.content ?? page.kind);
          }
        };
        const write = async () => {
          while (on) {
            await fs.write('/a/new.txt', 'x');
            await fs.edit('/a/canary.txt', WORD, 'x');
            await fs.delete('/a/canary.txt/none');
            const [kept] = await fs.downloadFiles(['/a/canary.txt']);
            note(kept?.content ? Buffer.from(kept.content).toString() : 'denied');
          }
        };
        const search = async () => {
          while (on) {
            rounds += 1;
            expect((await fs.grep(WORD, '/a')).matches ?? []).toEqual([]);
            const listed = await fs.ls('/a');
            for (const file of listed.files ?? [])
              expect(['/a/canary.txt', '/a/new.txt']).toContain(file.path);
          }
        };
        await Promise.all([over, read(), read(), write(), search()]);
        expect(await ended).toEqual([0, null]);
        const outcomes = [...seen.keys()].sort();
        expect(outcomes.filter((what) => !['denied', 'inside', 'not_found'].includes(String(what)))).toEqual(
          [],
        );
        // The race took place: it was won and lost.
        expect({ won: seen.has('inside'), lost: seen.has('denied'), searched: rounds > 0 }).toEqual({
          won: true,
          lost: true,
          searched: true,
        });
      },
      within: 60_000,
    });
  }, 90_000);
});

describe('special files', () => {
  it('refuses a pipe immediately [P68]', async () => {
    await inArena({
      given: ({ root }) => void execFileSync('mkfifo', [join(root, 'pipe')]),
      run: async ({ reach, root }) => {
        expect(await reach('/pipe')).toEqual(butDelete(SPECIAL));
        expect(existsSync(join(root, 'pipe'))).toBe(false);
      },
    });
  });

  it('refuses a socket immediately [P69]', async () => {
    const servers: Server[] = [];
    await inArena({
      given: ({ root }) => {
        const server = createServer();
        servers.push(server);
        return new Promise<void>((resolve) => void server.listen(join(root, 'socket'), resolve));
      },
      run: async ({ reach, fs }) => {
        expect(await fs.grep('x')).toEqual({ matches: [], truncated: false });
        expect(await reach('/socket')).toEqual(butDelete(SPECIAL));
      },
    });
    for (const server of servers) server.close();
  });

  it('refuses a directory where a file is expected [P71]', async () => {
    await inArena({
      given: ({ root }) => {
        mkdirSync(join(root, 'd'));
        writeFileSync(join(root, 'f'), '');
      },
      run: async ({ reach, fs }) => {
        const { ls: _, glob: __, grep: ___, delete: ____, upload, download, ...asFile } = await reach('/d');
        const { read, readRaw, write, edit } = SPECIAL;
        expect(asFile).toEqual({ read, readRaw, write, edit });
        expect([upload, download]).toEqual(['is_directory', 'is_directory']);
        expect((await fs.ls('/f')).kind).toBe('special');
        expect((await fs.write('/f/x', '')).kind).toBe('special');
      },
    });
  });

  it('accepts a link as root and keeps the folder that it led to first [P73]', async () => {
    await inArena({
      given: ({ root }) => {
        writeFileSync(join(root, 'a.txt'), 'first');
        symlinkSync(root, join(dirname(root), 'way'));
      },
      run: async ({ root, outside }) => {
        const way = join(dirname(root), 'way');
        const backend = new FilesystemBackend({ rootDir: way });
        expect((await backend.read('/a.txt')).content).toBe('first');
        expect((await backend.edit('/a.txt', 'first', 'second')).occurrences).toBe(1);
        rmSync(way);
        symlinkSync(outside, way);
        expect((await backend.read('/a.txt')).content).toBe('second');
        expect((await backend.read('/canary.txt')).kind).toBe('not_found');
        expect((await backend.write('/b.txt', 'x')).path).toBe('/b.txt');
      },
    });
  });

  it('has no /proc, and does not read it when paths are host paths [P75]', async () => {
    await inArena({
      run: async ({ fs, root }) => {
        for (const path of ['/proc/self/environ', '/proc/1/cmdline', '/sys/kernel', '/etc/passwd'])
          expect([path, (await fs.read(path)).kind]).toEqual([path, 'not_found']);
        if (process.platform !== 'linux') return;
        const host = new FilesystemBackend({ rootDir: root, virtualMode: false });
        expect((await host.read('/proc/self/environ')).kind).toBe('special');
        expect((await host.read('/dev/zero')).kind).toBe('special');
      },
    });
  });
});

describe('the target of a path', () => {
  it('is a path of the backend, or none', async () => {
    await inArena({
      given: ({ root, outside }) => {
        mkdirSync(join(root, 'secrets', 'deep'), { recursive: true });
        writeFileSync(join(root, 'secrets', 'k'), 'x');
        symlinkSync('secrets', join(root, 'pub'));
        symlinkSync('../secrets/k', join(root, 'secrets', 'deep', 'up'));
        symlinkSync('../k', join(root, 'secrets', 'deep', 'k'));
        symlinkSync('loop', join(root, 'loop'));
        symlinkSync('secrets/none', join(root, 'dangling'));
        symlinkSync(outside, join(root, 'out'));
      },
      run: async ({ fs }) => {
        const leads = Object.fromEntries(
          await Promise.all(
            [
              '/',
              '/secrets/k',
              '/pub',
              '/pub/./k',
              '/pub/new/file',
              '/pub/deep/k',
              '/none/x',
              '/out',
              '/out/canary.txt',
              '/out/new',
              '/loop',
              '/loop/x',
              '/dangling',
            ].map(async (path) => [path, await fs.realPath(path)]),
          ),
        );
        expect(leads).toEqual({
          '/': '/',
          '/secrets/k': '/secrets/k',
          '/pub': '/secrets',
          '/pub/./k': '/secrets/k',
          '/pub/new/file': '/secrets/new/file',
          '/pub/deep/k': '/secrets/k',
          '/none/x': '/none/x',
          '/out': '/../out',
          '/out/canary.txt': '/../out/canary.txt',
          '/out/new': '/../out/new',
          '/loop': '/../loop',
          '/loop/x': '/../loop/x',
          '/dangling': '/../dangling',
        });
      },
    });
  });

  it('is what path rules check, so that no link bypasses them', async () => {
    await inArena({
      given: ({ root }) => {
        mkdirSync(join(root, 'secrets'));
        writeFileSync(join(root, 'secrets', 'k.txt'), 'hidden words');
        symlinkSync('secrets', join(root, 'pub'));
        symlinkSync('secrets/k.txt', join(root, 'notes.txt'));
      },
      run: async ({ fs }) => {
        const ruled = [
          new PermissionBackend(fs, [
            { operations: ['read', 'write'], paths: ['/secrets/**'], mode: 'deny' },
          ]),
          new PolicyBackend(fs, { denyPrefixes: ['/secrets'] }),
        ];
        for (const backend of ruled) {
          for (const path of ['/pub/k.txt', '/notes.txt', '/secrets/k.txt', '/pub/./k.txt']) {
            const kinds = [
              (await backend.read(path)).kind,
              (await backend.readRaw(path)).kind,
              (await backend.write(path, 'x')).kind,
              (await backend.edit(path, 'hidden', 'x')).kind,
              (await backend.delete?.(path))?.kind,
              (await backend.grep('words', path)).kind,
            ];
            expect([path, kinds]).toEqual([path, kinds.map(() => 'denied')]);
            expect((await backend.downloadFiles([path]))[0]?.content).toBe(null);
          }
          expect((await backend.ls('/pub')).files ?? []).toEqual([]);
          expect((await backend.grep('words', '/')).matches).toEqual([]);
          expect((await backend.grep('words', '/pub')).matches ?? []).toEqual([]);
          expect((await backend.glob('**', '/pub')).files ?? []).toEqual([]);
        }
        expect(await placesOf(fs, '/pub/k.txt')).toEqual(['/pub/k.txt', '/secrets/k.txt']);
        expect((await fs.read('/secrets/k.txt')).content).toBe('hidden words');
      },
    });
  });
});
