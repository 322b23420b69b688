import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CompositeBackend } from '../composite';
import { type FileData, fileDataReducer } from '../protocol';
import { StateBackend } from '../state';
import { inArena } from './testing/arena';

/** Names that stay byte for byte through every operation; how they are shown is the affair of who shows them. */
const EXACT: [id: string, what: string, names: string[]][] = [
  ['P43', 'an override of the direction of writing', ['gpj.\u202eexe', '\u2066x\u2069.txt']],
  ['P44', 'what cannot be seen', ['a\u200bb.txt', '\u2060', 'x\u00ad.txt', 'n\ufeff.txt']],
  ['P47', 'a line end', ['two\nlines.txt', 'cr\rname', '\n', 'a\n/etc']],
  ['P48', 'an escape sequence', ['\u001b[2J.txt', '\u001b]0;title\u0007', 'bell\u0007']],
  ['P49', 'an option', ['-rf', '--help', '-', '--', '-e', '--pre=x']],
];

describe('names', () => {
  it('P40 tells two ways to write an accent apart, and names the twin of a missing file', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'caf\u00e9.txt'), 'composed'),
      run: async ({ fs, root }) => {
        expect(await fs.read('/cafe\u0301.txt')).toEqual({
          error:
            "File '/cafe\u0301.txt' not found. There is '/caf\u00e9.txt', whose name is written differently.",
          kind: 'not_found',
        });
        // Where the system keeps them apart, so do we.
        await fs.write('/cafe\u0301.txt', 'decomposed');
        const apart = existsSync(join(root, 'caf\u00e9.txt')) && existsSync(join(root, 'cafe\u0301.txt'));
        const first = (await fs.read('/caf\u00e9.txt')).content;
        expect([apart, first]).toEqual([true, process.platform === 'darwin' ? 'decomposed' : 'composed']);
      },
    });
  });

  it('P41 takes no letter for another that looks like it', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'latin'),
      run: async ({ fs }) => {
        expect(await fs.read('/\u0430.txt')).toEqual({
          error: "File '/\u0430.txt' not found",
          kind: 'not_found',
        });
        expect((await fs.glob('\u0430*')).files).toEqual([]);
      },
    });
  });

  it.each(EXACT)('%s keeps a name with %s byte for byte', async (_, __, names) => {
    await inArena({
      run: async ({ fs, root }) => {
        const files = names.map((name) => `/d/${name}`).sort();
        for (const path of files) {
          expect(await fs.write(path, 'needle')).toMatchObject({ path });
          expect((await fs.edit(path, 'needle', 'needle!')).occurrences).toBe(1);
          expect((await fs.read(path)).content).toBe('needle!');
          expect((await fs.grep('needle', path)).matches).toEqual([{ path, line: 1, text: 'needle!' }]);
          expect(existsSync(join(root, path))).toBe(true);
        }
        const top = files.filter((path) => path.split('/').length === 3);
        expect((await fs.ls('/d')).files?.flatMap((file) => (file.is_dir ? [] : [file.path]))).toEqual(top);
        expect((await fs.glob('**', '/d')).files?.map((file) => file.path)).toEqual(files);
        expect((await fs.grep('needle', '/d')).matches?.map((match) => match.path)).toEqual(files);
        for (const path of files) expect((await fs.delete(path)).path).toBe(path);
      },
    });
  });

  it('P51 keeps names that differ in case apart where the system does', async ({ skip }) => {
    const probe = mkdtempSync(join(tmpdir(), 'deepdesk-case-'));
    writeFileSync(join(probe, 'a'), '');
    const folds = existsSync(join(probe, 'A'));
    rmSync(probe, { recursive: true });
    skip(folds, 'this file system folds case: a write is an overwrite, which is asked as such');
    await inArena({
      run: async ({ fs }) => {
        await fs.write('/ReadMe', 'one');
        expect(await fs.read('/README')).toEqual({
          error: "File '/README' not found. There is '/ReadMe', whose name is written differently.",
          kind: 'not_found',
        });
        await fs.write('/README', 'two', { createOnly: true });
        expect([(await fs.read('/ReadMe')).content, (await fs.read('/README')).content]).toEqual([
          'one',
          'two',
        ]);
      },
    });
  });

  it('P52 does not send /MEMORIES where /memories goes', async () => {
    await inArena({
      run: async ({ fs }) => {
        let files: Record<string, FileData> = {};
        const send = (update: Record<string, FileData | null>) => {
          files = fileDataReducer(files, update);
        };
        const memories = new StateBackend({ files: { read: () => files, send } });
        const backend = new CompositeBackend(fs, { '/memories/': memories });
        await backend.write('/MEMORIES/x', 'upper');
        await backend.write('/memories/x', 'lower');
        expect((await fs.read('/MEMORIES/x')).content).toBe('upper');
        expect(Object.keys(files)).toEqual(['/x']);
      },
    });
  });

  it('finds names that are not UTF-8 no worse than the system shows them', async () => {
    await inArena({
      given: ({ root }) => {
        execFileSync('/bin/sh', ['-c', 'printf needle > "$(printf \'b\\377d.txt\')"'], { cwd: root });
        writeFileSync(join(root, 'good.txt'), 'needle');
      },
      run: async ({ fs }) => {
        expect((await fs.ls('/')).files?.some((file) => file.path === '/good.txt')).toBe(true);
        expect((await fs.grep('needle')).matches?.some((match) => match.path === '/good.txt')).toBe(true);
      },
    });
  });
});
