import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CompositeBackend } from '../composite';
import { type FileData, fileDataReducer } from '../protocol';
import { builtSearchWorker, searchingWith } from '../search/testing/search-worker';
import { StateBackend } from '../state';
import { inArena } from './testing/arena';

/** Names that stay byte for byte through every operation. How to display them is up to the UI. */
const EXACT: [what: string, id: string, names: string[]][] = [
  ['a right-to-left override', 'P43', ['gpj.\u202eexe', '\u2066x\u2069.txt']],
  ['an invisible character', 'P44', ['a\u200bb.txt', '\u2060', 'x\u00ad.txt', 'n\ufeff.txt']],
  ['a newline', 'P47', ['two\nlines.txt', 'cr\rname', '\n', 'a\n/etc']],
  ['an escape sequence', 'P48', ['\u001b[2J.txt', '\u001b]0;title\u0007', 'bell\u0007']],
  ['an option', 'P49', ['-rf', '--help', '-', '--', '-e', '--pre=x']],
];

describe('names', () => {
  it('tells composed and decomposed accents apart, and suggests the other form for a missing file [P40]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'caf\u00e9.txt'), 'composed'),
      run: async ({ fs, root }) => {
        expect(await fs.read('/cafe\u0301.txt')).toEqual({
          error:
            "File '/cafe\u0301.txt' not found. There is '/caf\u00e9.txt', whose name is encoded differently.",
          kind: 'not_found',
        });
        // We keep them apart if the system does.
        await fs.write('/cafe\u0301.txt', 'decomposed');
        const apart = existsSync(join(root, 'caf\u00e9.txt')) && existsSync(join(root, 'cafe\u0301.txt'));
        const first = (await fs.read('/caf\u00e9.txt')).content;
        expect([apart, first]).toEqual([true, process.platform === 'darwin' ? 'decomposed' : 'composed']);
      },
    });
  });

  it('does not confuse letters that look alike [P41]', async () => {
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

  it.each(EXACT)('keeps a name with %s byte for byte [%s]', async (_, __, names) => {
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

  it('keeps names apart that differ only in case if the system does [P51]', async ({ skip }) => {
    const probe = mkdtempSync(join(tmpdir(), 'deepdesk-case-'));
    writeFileSync(join(probe, 'a'), '');
    const folds = existsSync(join(probe, 'A'));
    rmSync(probe, { recursive: true });
    skip(folds, 'this file system folds case: a write is an overwrite, which is asked as such');
    await inArena({
      run: async ({ fs }) => {
        await fs.write('/ReadMe', 'one');
        expect(await fs.read('/README')).toEqual({
          error: "File '/README' not found. There is '/ReadMe', whose name is encoded differently.",
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

  it('does not route /MEMORIES to /memories [P52]', async () => {
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

  /** Bytes of names, and their text form. */
  const BYTES: [bytes: string, text: string][] = [
    ['b\xffd.txt', 'b\\xffd.txt'],
    ['\xc3', '\\xc3'],
    ['b\\xffd.txt', 'b\\x5cxffd.txt'],
    ['a\\b', 'a\\b'],
    ['..\\up', '..\\x5cup'],
    ['\xed\xa0\x80 \xc3\xa9', '\\xed\\xa0\\x80 é'],
    ['\n\xfe\n1:', '\n\\xfe\n1:'],
    ['\xef\xbf\xbd', '\ufffd'],
  ];
  const onBytes = it.skipIf(process.platform !== 'linux');

  describe.each(['', 'd\xe4/'])('that are not UTF-8, in the folder “%s”', (inFolder) => {
    const folder = inFolder === '' ? '/' : '/d\\xe4/';

    onBytes('are listed, found, read and changed each by its own text [safety 31]', async () => {
      await inArena({
        given: async ({ root }) => {
          await builtSearchWorker();
          if (inFolder !== '') mkdirSync(bytes(root, inFolder));
          for (const [name] of BYTES)
            writeFileSync(bytes(root, inFolder + name), `needle of ${name.length}\nz\xe9`);
        },
        run: async ({ fs, root }) => {
          const paths = BYTES.map(([, text]) => folder + text).sort();
          const files = (await fs.ls(folder)).files?.filter((file) => !file.is_dir) ?? [];
          expect(files.map((file) => file.path).filter((path) => path !== '/.beside')).toEqual(paths);
          const at = folder === '/' ? null : folder;
          // A leading dot hides a name from searches.
          const seen = paths.filter((path) => !path.startsWith(`${folder}.`));
          for (const engine of ['ripgrep', 'worker'] as const)
            await searchingWith(engine, async () => {
              expect(((await fs.glob('**', folder)).files ?? []).map((file) => file.path)).toEqual(
                expect.arrayContaining(seen),
              );
              const found = (await fs.grep('needle', at)).matches?.map(({ path }) => path) ?? [];
              expect(found).toEqual(expect.arrayContaining(seen));
              expect(new Set(found).size).toBe(found.length);
            });
          for (const [name, text] of BYTES) {
            const path = folder + text;
            const content = `needle of ${name.length}`;
            expect((await fs.read(path)).content).toContain(content);
            expect((await fs.grep('needle', path)).matches).toEqual([{ path, line: 1, text: content }]);
            expect(await fs.realPath?.(path)).toBe(path);
            expect(await fs.edit(path, 'needle', 'thread')).toMatchObject({ path, occurrences: 1 });
            expect(await fs.write(path, 'new')).toMatchObject({ path });
            const host = bytes(root, inFolder + name);
            expect(readFileSync(host, 'utf8')).toBe('new');
            expect(await fs.delete(path)).toMatchObject({ path });
            expect(existsSync(host)).toBe(false);
            // Writing to its text form uses the same bytes again.
            expect(await fs.write(path, 'again')).toMatchObject({ path });
            expect(readFileSync(host, 'utf8')).toBe('again');
          }
          expect((await fs.glob('/b\\\\x[0-9a-f]*', folder)).files?.map((file) => file.path)).toEqual(
            paths.filter((path) => path.startsWith(`${folder}b\\x`)),
          );
          if (inFolder === '') return;
          expect(await fs.delete('/d\\xe4')).toMatchObject({ path: '/d\\xe4' });
          expect(existsSync(bytes(root, 'd\xe4'))).toBe(false);
        },
      });
    });
  });

  onBytes(
    'that differ only in bytes that are not UTF-8 are two files, even as links [safety 31]',
    async () => {
      await inArena({
        given: ({ root }) => {
          for (const name of ['\xfe', '\xff'])
            writeFileSync(bytes(root, name), name === '\xfe' ? 'fe' : 'ff');
          symlinkSync(Buffer.from([0xff]), bytes(root, 'link\xf0'));
          symlinkSync(Buffer.from('../\xe9', 'latin1'), bytes(root, 'out\xf0'));
        },
        run: async ({ fs }) => {
          expect([(await fs.read('/\\xfe')).content, (await fs.read('/\\xff')).content]).toEqual([
            'fe',
            'ff',
          ]);
          expect((await fs.read('/link\\xf0')).content).toBe('ff');
          expect(await fs.realPath?.('/link\\xf0')).toBe('/\\xff');
          expect((await fs.read('/out\\xf0')).kind).toBe('denied');
          expect((await fs.write('/link\\xf0', 'x')).kind).toBe('denied');
        },
      });
    },
  );
});

const bytes = (root: string, name: string) =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
