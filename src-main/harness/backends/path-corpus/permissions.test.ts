import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allSay, inArena } from './testing/arena';
import { inChild, prepareChildren } from './testing/child';
import { withoutPower } from './testing/nobody';

/** Gives the root to the unprivileged user, for cases about its content. */
function giveAway(...paths: string[]): void {
  if (process.geteuid?.() === 0) for (const path of paths) chownSync(path, 65_534, 65_534);
}

const onPosix = process.platform !== 'win32';

describe.runIf(onPosix)('permissions', () => {
  it('reports a file or folder that may not be read [P82]', async () => {
    await inArena({
      given: ({ root }) => {
        mkdirSync(join(root, 'shut'));
        writeFileSync(join(root, 'shut', 'in.txt'), 'inside');
        writeFileSync(join(root, 'file.txt'), 'closed');
        giveAway(root, join(root, 'file.txt'), join(root, 'shut'));
        chmodSync(join(root, 'file.txt'), 0);
        chmodSync(join(root, 'shut'), 0);
      },
      run: ({ fs, reach, root }) =>
        withoutPower(async () => {
          expect(await reach('/shut/in.txt')).toEqual(allSay('denied', 'permission_denied'));
          for (const call of [fs.ls('/shut'), fs.glob('*', '/shut'), fs.grep('x', '/shut')])
            expect((await call).kind).toBe('denied');
          const kinds = [
            (await fs.read('/file.txt')).kind,
            (await fs.readRaw('/file.txt')).kind,
            (await fs.write('/file.txt', 'x')).kind,
            (await fs.edit('/file.txt', 'closed', 'x')).kind,
            (await fs.grep('closed', '/file.txt')).kind,
          ];
          expect(kinds).toEqual(kinds.map(() => 'denied'));
          // Readable files are still found.
          expect((await fs.grep('beside')).error).toBeUndefined();
          expect((await fs.ls('/')).files?.map((file) => file.path)).toEqual([
            '/.beside',
            '/file.txt',
            '/shut/',
          ]);
          chmodSync(join(root, 'shut'), 0o700);
        }),
    });
  });

  it.skipIf(process.geteuid?.() !== 0)(
    'keeps the group of a file that belongs to somebody else (skipped: only root can make one)',
    async () => {
      const team = 4_444;
      await inArena({
        given: ({ root }) => {
          writeFileSync(join(root, 'shared.txt'), 'one');
          giveAway(root);
          chownSync(join(root, 'shared.txt'), 1_234, team);
          chmodSync(join(root, 'shared.txt'), 0o664);
        },
        run: ({ fs, root }) =>
          withoutPower(async () => {
            expect((await fs.edit('/shared.txt', 'one', 'two')).error).toBeUndefined();
            const { gid, mode } = statSync(join(root, 'shared.txt'));
            expect([gid, mode & 0o777]).toEqual([team, 0o664]);
          }, [team]),
      });
    },
  );

  it('reports a folder that may not be written to [P83]', async () => {
    await inArena({
      given: ({ root }) => {
        mkdirSync(join(root, 'fixed'));
        writeFileSync(join(root, 'fixed', 'a.txt'), 'one');
        giveAway(root, join(root, 'fixed'), join(root, 'fixed', 'a.txt'));
        chmodSync(join(root, 'fixed'), 0o555);
      },
      run: ({ fs, root }) =>
        withoutPower(async () => {
          expect(await fs.write('/fixed/new.txt', 'x')).toEqual({
            error: "Permission denied for '/fixed/new.txt'. Its owner has to allow it first.",
            kind: 'denied',
          });
          expect((await fs.write('/fixed/deep/new.txt', 'x')).kind).toBe('denied');
          expect((await fs.write('/fixed/a.txt', 'two')).kind).toBe('denied');
          expect((await fs.edit('/fixed/a.txt', 'one', 'two')).kind).toBe('denied');
          expect((await fs.delete('/fixed/a.txt')).kind).toBe('denied');
          expect((await fs.uploadFiles([['/fixed/b', new Uint8Array(1)]]))[0]?.error).toBe(
            'permission_denied',
          );
          expect((await fs.read('/fixed/a.txt')).content).toBe('one');
          expect(readdirSync(join(root, 'fixed'))).toEqual(['a.txt']);
          expect(statSync(join(root, 'fixed')).mode & 0o777).toBe(0o555);
        }),
    });
  });

  it('reports a read-only file system [P84]', async ({ skip }) => {
    await inArena({
      given: async ({ root }) => {
        await prepareChildren();
        mkdirSync(join(root, 'disk'));
      },
      run: async ({ root }) => {
        const answer = await inChild(
          join(root, 'disk'),
          `const fs = new FilesystemBackend({ rootDir: root });
           return [(await fs.write('/new.txt', 'x')).kind, (await fs.write('/d/new.txt', 'x')).kind,
             (await fs.edit('/a.txt', 'one', 'two')).kind, (await fs.delete('/a.txt')).kind,
             (await fs.read('/a.txt')).content, (await fs.ls('/')).files.map((file) => file.path)];`,
          'mount -t tmpfs none "$ROOT" && printf one > "$ROOT/a.txt" && mount -o remount,ro "$ROOT"',
        );
        skip(answer === null, 'this machine lets nobody mount a file system');
        expect(answer).toEqual(['denied', 'denied', 'denied', 'denied', 'one', ['/a.txt']]);
      },
      isInChild: true,
      within: 20_000,
    });
  }, 60_000);

  it('reports a full disk, and leaves nothing but the original [P85]', async ({ skip }) => {
    await inArena({
      given: async ({ root }) => {
        await prepareChildren();
        mkdirSync(join(root, 'disk'));
      },
      run: async ({ root }) => {
        const answer = await inChild(
          join(root, 'disk'),
          `const fs = new FilesystemBackend({ rootDir: root });
           const big = 'x'.repeat(200_000);
           return [(await fs.write('/a.txt', big)).kind, (await fs.write('/new.txt', big)).kind,
             (await fs.edit('/a.txt', 'one', big)).kind,
             (await fs.uploadFiles([['/b', new Uint8Array(200_000)]]))[0].error !== null,
             (await fs.read('/a.txt')).content, (await fs.ls('/')).files.map((file) => file.path),
             (await import('node:fs')).readdirSync(root)];`,
          'mount -t tmpfs -o size=64k none "$ROOT" && printf one > "$ROOT/a.txt"',
        );
        skip(answer === null, 'this machine lets nobody mount a file system');
        expect(answer).toEqual(['storage', 'storage', 'storage', true, 'one', ['/a.txt'], ['a.txt']]);
      },
      isInChild: true,
      within: 20_000,
    });
  }, 60_000);

  it('changes neither a read-only file nor its mode [P88]', async () => {
    await inArena({
      given: ({ root }) => {
        writeFileSync(join(root, 'fixed.txt'), 'old');
        giveAway(root, join(root, 'fixed.txt'));
        chmodSync(join(root, 'fixed.txt'), 0o444);
      },
      run: ({ fs, root }) =>
        withoutPower(async () => {
          expect(await fs.write('/fixed.txt', 'new')).toEqual({
            error: "'/fixed.txt' is read-only. Its owner has to allow writing first.",
            kind: 'denied',
          });
          expect((await fs.edit('/fixed.txt', 'old', 'new')).kind).toBe('denied');
          expect((await fs.uploadFiles([['/fixed.txt', new Uint8Array(1)]]))[0]?.error).toBe(
            'permission_denied',
          );
          expect(readFileSync(join(root, 'fixed.txt'), 'utf8')).toBe('old');
          expect(statSync(join(root, 'fixed.txt')).mode & 0o777).toBe(0o444);
        }),
    });
  });
});
