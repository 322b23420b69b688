import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BackendProtocol, WriteOptions } from './protocol';

/** A backend under test. */
export interface Tested {
  /** A new, empty one for each test. */
  backend: BackendProtocol;
  /** Cleans up after the test. */
  close?: () => void | Promise<void>;
  /** Replacing a file on disk creates a new one with a new creation time. */
  forgetsCreation?: boolean;
  /** A search over several backends skips the rest once its budget is spent. */
  spentMeansCut?: boolean;
  /** Rejects bytes that are not UTF-8. */
  textOnly?: boolean;
}

const paths = (result: { files?: { path: string }[] }) => result.files?.map((file) => file.path);
const bytes = (...values: number[]) => new Uint8Array(values);

/** The contract of every backend, whatever it is built on. `at` is where its files are, for backends mounted in a tree. */
export function describeBackend(name: string, make: () => Promise<Tested>, at = ''): void {
  describe(`${name} keeps the contract`, () => {
    let tested: Tested;
    let backend: BackendProtocol;
    const p = (path: string) => `${at}${path}`;

    beforeEach(async () => {
      tested = await make();
      backend = tested.backend;
    });
    afterEach(() => tested.close?.());

    it('reads what it wrote, and says where the page ends', async () => {
      const written = await backend.write(p('/a.txt'), 'one\ntwo\nthree\n');
      const page = await backend.read(p('/a.txt'), 1, 1);
      expect({ version: page.version, ...written }).toEqual({
        path: p('/a.txt'),
        filesUpdate: null,
        version: page.version,
      });
      expect({ ...page, version: typeof page.version }).toEqual({
        content: 'two',
        totalLines: 3,
        startLine: 2,
        endLine: 2,
        nextOffset: 2,
        mimeType: 'text/plain',
        size: 14,
        version: 'string',
      });
      const rest = await backend.read(p('/a.txt'), 2);
      expect({ content: rest.content, next: rest.nextOffset }).toEqual({ content: 'three', next: undefined });
      expect((await backend.read(p('/a.txt'), 0, 0)).content).toBe('');
    });

    it('reports a page that starts past the end', async () => {
      await backend.write(p('/a.txt'), 'one\ntwo');
      expect(await backend.read(p('/a.txt'), 2)).toEqual({
        error: 'Line offset 2 exceeds file length (2 lines)',
        kind: 'invalid',
      });
    });

    it('reports missing files', async () => {
      const error = `File '${p('/no.txt')}' not found`;
      expect(await backend.read(p('/no.txt'))).toEqual({ error, kind: 'not_found' });
      expect(await backend.readRaw(p('/no.txt'))).toEqual({ error, kind: 'not_found' });
      expect(await backend.edit(p('/no.txt'), 'a', 'b')).toEqual({
        error: `Error: ${error}`,
        kind: 'not_found',
      });
      expect(await backend.delete?.(p('/no.txt'))).toEqual({
        error: `Error: '${p('/no.txt')}' not found`,
        kind: 'not_found',
      });
      expect((await backend.ls(p('/no'))).kind).toBe('not_found');
      expect((await backend.glob('*', p('/no'))).kind).toBe('not_found');
      expect((await backend.grep('x', p('/no'))).kind).toBe('not_found');
    });

    it('overwrites a file and keeps its creation time [H13]', async () => {
      await backend.write(p('/a.txt'), 'one');
      const first = (await backend.readRaw(p('/a.txt'))).data;
      await backend.write(p('/a.txt'), 'two');
      await backend.edit(p('/a.txt'), 'two', 'three');
      const last = (await backend.readRaw(p('/a.txt'))).data;
      expect(last?.content).toBe('three');
      expect(typeof first?.created_at).toBe('string');
      if (!tested.forgetsCreation) expect(last?.created_at).toBe(first?.created_at);
    });

    it('creates a file only if nothing is there, when asked to', async () => {
      expect((await backend.write(p('/a.txt'), 'one', { createOnly: true })).error).toBeUndefined();
      expect((await backend.write(p('/a.txt'), 'two', { createOnly: true })).kind).toBe('conflict');
      expect((await backend.read(p('/a.txt'))).content).toBe('one');
    });

    it('does not overwrite a file that was changed or deleted after it was read [P89, P92]', async () => {
      await backend.write(p('/a.txt'), 'one');
      const version = (await backend.read(p('/a.txt'))).version ?? '';
      expect(
        (await backend.edit(p('/a.txt'), 'one', 'two', false, { expectedVersion: version })).error,
      ).toBeUndefined();
      expect(
        (await backend.edit(p('/a.txt'), 'two', 'three', false, { expectedVersion: version })).kind,
      ).toBe('stale');
      expect((await backend.write(p('/a.txt'), 'three', { expectedVersion: version })).kind).toBe('stale');
      expect((await backend.read(p('/a.txt'))).content).toBe('two');
      await backend.delete?.(p('/a.txt'));
      expect((await backend.write(p('/a.txt'), 'x', { expectedVersion: version })).kind).toBe('not_found');
    });

    it('does not delete a file that was changed after it was read, or a folder in its place', async () => {
      await backend.write(p('/a.txt'), 'one');
      const expectedVersion = (await backend.read(p('/a.txt'))).version ?? '';
      await backend.write(p('/a.txt'), 'two');
      expect((await backend.delete?.(p('/a.txt'), { expectedVersion }))?.kind).toBe('stale');
      expect((await backend.read(p('/a.txt'))).content).toBe('two');
      await backend.write(p('/a.txt'), 'one');
      const now = (await backend.read(p('/a.txt'))).version ?? '';
      expect(await backend.delete?.(p('/a.txt'), { expectedVersion: now })).toMatchObject({
        path: p('/a.txt'),
      });
      expect((await backend.delete?.(p('/a.txt'), { expectedVersion: now }))?.kind).toBe('not_found');
      await backend.write(p('/a.txt/inside.txt'), 'kept');
      expect((await backend.delete?.(p('/a.txt'), { expectedVersion: now }))?.error).toBeDefined();
      expect((await backend.read(p('/a.txt/inside.txt'))).content).toBe('kept');
    });

    it('loses none of several concurrent edits', async () => {
      await backend.write(p('/a.txt'), 'a b c d');
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((word) => backend.edit(p('/a.txt'), word, word.toUpperCase())),
      );
      expect((await backend.read(p('/a.txt'))).content).toBe('A B C D');
    });

    it('replaces exact text, including characters that are special in patterns [H16]', async () => {
      await backend.write(p('/a.txt'), 'x = "$&" + (a|b) * [c]');
      const edited = await backend.edit(p('/a.txt'), '"$&" + (a|b)', "$1 $` '\\n'");
      const { content, version } = await backend.read(p('/a.txt'));
      expect({ version, ...edited }).toEqual({
        path: p('/a.txt'),
        filesUpdate: null,
        occurrences: 1,
        version,
      });
      expect(content).toBe("x = $1 $` '\\n' * [c]");
    });

    it('says whether an edit failed because the text occurs multiple times or not at all [H18]', async () => {
      await backend.write(p('/a.txt'), 'one one');
      expect((await backend.edit(p('/a.txt'), 'one', 'x')).error).toContain('multiple');
      expect((await backend.edit(p('/a.txt'), 'two', 'x')).error).toContain('not found');
      expect((await backend.edit(p('/none.txt'), 'two', 'x')).error).toContain('not found');
    });

    it('tells missing, repeated and empty text apart [H17, P100, P103, P104]', async () => {
      await backend.write(p('/a.txt'), 'one one');
      expect(await backend.edit(p('/a.txt'), 'two', 'x')).toEqual({
        error: "Error: String not found in file: 'two'",
        kind: 'invalid',
      });
      expect((await backend.edit(p('/a.txt'), 'one', 'x')).error).toMatch(
        /^Error: String 'one' has multiple occurrences \(appears 2 times\) in file\. Use replace_all=True/,
      );
      expect((await backend.edit(p('/a.txt'), '', 'x')).error).toBe(
        'Error: oldString cannot be empty when file has content',
      );
      expect((await backend.edit(p('/a.txt'), 'one', 'one', true)).occurrences).toBe(2);
      await backend.write(p('/empty.txt'), '');
      expect((await backend.read(p('/empty.txt'))).content).toBe('');
      expect((await backend.edit(p('/empty.txt'), '', 'text')).occurrences).toBe(0);
      expect((await backend.read(p('/empty.txt'))).content).toBe('text');
    });

    it('keeps line endings, the byte order mark and a missing final newline [H19, P94, P95, P96, P101]', async () => {
      await backend.write(p('/a.txt'), '\uFEFFone\r\ntwo\r\nthree\nfour');
      expect((await backend.read(p('/a.txt'))).content).toBe('one\ntwo\nthree\nfour');
      expect((await backend.edit(p('/a.txt'), 'one\ntwo', '1\n2')).occurrences).toBe(1);
      expect((await backend.readRaw(p('/a.txt'))).data?.content).toBe('\uFEFF1\r\n2\r\nthree\nfour');
      // The mixed line endings of the old text are none to keep.
      await backend.write(p('/a.txt'), 'x\r\ny\n');
      expect((await backend.readRaw(p('/a.txt'))).data?.content).toBe('\uFEFFx\r\ny\n');
      await backend.write(p('/b.txt'), 'one\r\ntwo');
      await backend.write(p('/b.txt'), 'x\ny\r\n');
      expect((await backend.readRaw(p('/b.txt'))).data?.content).toBe('x\r\ny\r\n');
    });

    it('lists the direct entries of a folder, sorted and in pages, including hidden ones [H20]', async () => {
      await backend.write(p('/d/b.txt'), 'bb');
      await backend.write(p('/d/.hidden'), '');
      await backend.write(p('/d/sub/deep/x.txt'), '');
      await backend.write(p('/d2/x.txt'), '');
      const listed = await backend.ls(p('//d/./'));
      expect(listed.files?.map(({ path, is_dir, size }) => ({ path, is_dir, size }))).toEqual([
        { path: p('/d/.hidden'), is_dir: false, size: 0 },
        { path: p('/d/b.txt'), is_dir: false, size: 2 },
        { path: p('/d/sub/'), is_dir: true, size: 0 },
      ]);
      const page = await backend.ls(p('/d'), { offset: 1, limit: 1 });
      expect({ paths: paths(page), truncated: page.truncated, next: page.nextOffset }).toEqual({
        paths: [p('/d/b.txt')],
        truncated: true,
        next: 2,
      });
    });

    it('tells directories from files [P71]', async () => {
      await backend.write(p('/d/x.txt'), 'x');
      expect((await backend.read(p('/d'))).kind).toBe('special');
      expect((await backend.write(p('/d'), 'x')).kind).toBe('special');
      expect((await backend.write(p('/d/x.txt/y'), 'x')).kind).toBe('special');
      expect((await backend.ls(p('/d/x.txt'))).kind).toBe('special');
    });

    it('gives a glob the same meaning everywhere', async () => {
      const files = ['/a.ts', '/src/b.ts', '/src/deep/c.ts', '/src/.h.ts', '/.git/d.ts', '/src/e.tsx'];
      for (const file of [...files, '/.github/f.ts']) await backend.write(p(file), 'x');
      const glob = async (pattern: string, path = '/') => paths(await backend.glob(pattern, p(path)))?.sort();
      const all = ['/a.ts', '/src/b.ts', '/src/deep/c.ts'].map(p);
      expect(await glob('*.ts')).toEqual([p('/.github/f.ts'), ...all]);
      expect(await glob('**/*.ts')).toEqual(all);
      expect(await glob('/*.ts')).toEqual([p('/a.ts')]);
      expect(await glob('src/*.ts')).toEqual([p('/src/b.ts')]);
      expect(await glob('*.ts', '/src')).toEqual([p('/src/b.ts'), p('/src/deep/c.ts')]);
      expect(await glob('{src,lib}/**/[!b].ts')).toEqual([p('/src/deep/c.ts')]);
      expect(await glob('.*')).toEqual([p('/src/.h.ts')]);
      expect(await glob('.git/*')).toEqual([p('/.git/d.ts')]);
      expect(await glob('src')).toEqual([]);
      expect((await backend.glob('[', p('/'))).kind).toBe('invalid');
      expect((await backend.glob('../*', p('/'))).kind).toBe('denied');
    });

    it('finds matches in names and lines with colons [H56]', async () => {
      await backend.write(p('/a:1:b.txt'), 'x\nkey: 12:30: value\n');
      expect((await backend.grep('12:30', p('/'))).matches).toEqual([
        { path: p('/a:1:b.txt'), line: 2, text: 'key: 12:30: value' },
      ]);
    });

    it('finds literal text, case-sensitively, with its position [H2, P119]', async () => {
      await backend.write(p('/a:b.txt'), 'x\nNeedle .* (1): [a]\r\nneedle\n');
      await backend.write(p('/sub/c.md'), 'Needle .* (2)');
      await backend.write(p('/.hidden/d.txt'), 'Needle');
      const both = [
        { path: p('/a:b.txt'), line: 2, text: 'Needle .* (1): [a]' },
        { path: p('/sub/c.md'), line: 1, text: 'Needle .* (2)' },
      ];
      expect(await backend.grep('Needle .* (', p('/'))).toEqual({ matches: both, truncated: false });
      expect(await backend.grep('Needle', p('/'), null, 2)).toEqual({
        matches: both,
        truncated: tested.spentMeansCut ?? false,
      });
      const cut = await backend.grep('Needle', p('/'), null, 1);
      expect({ count: cut.matches?.length, truncated: cut.truncated }).toEqual({ count: 1, truncated: true });
      expect((await backend.grep('Needle', p('/'), '*.md')).matches).toEqual(both.slice(1));
      expect((await backend.grep('Needle', p('/'), 'sub/*')).matches).toEqual(both.slice(1));
      expect((await backend.grep('Needle', p('/a:b.txt'))).matches).toEqual(both.slice(0, 1));
      expect((await backend.grep('Needle', p('/.hidden'))).matches).toEqual([
        { path: p('/.hidden/d.txt'), line: 1, text: 'Needle' },
      ]);
    });

    it('accepts regular expressions when asked to', async () => {
      await backend.write(p('/a.txt'), 'alpha\n\nbeta 12\n');
      await backend.write(p('/b.txt'), 'beta 7');
      expect(await backend.grep('^beta \\d+$', p('/'), null, null, { regex: true })).toEqual({
        matches: [
          { path: p('/a.txt'), line: 3, text: 'beta 12' },
          { path: p('/b.txt'), line: 1, text: 'beta 7' },
        ],
        truncated: false,
      });
      for (const broken of ['(', ')*a|(a'])
        expect((await backend.grep(broken, p('/'), null, null, { regex: true })).kind).toBe('invalid');
    });

    it('rejects an empty pattern [P123]', async () => {
      expect((await backend.grep('', p('/'))).kind).toBe('invalid');
      expect((await backend.glob('', p('/'))).kind).toBe('invalid');
    });

    it('deletes a file, or everything below a directory, and nothing beside it', async () => {
      for (const file of ['/d/a', '/d/e/b', '/d2', '/d[1]']) await backend.write(p(file), 'x');
      expect(await backend.delete?.(p('/d'))).toEqual({ path: p('/d'), filesUpdate: null });
      expect(paths(await backend.ls(p('/')))?.filter((path) => path.startsWith(p('/d')))).toEqual([
        p('/d2'),
        p('/d[1]'),
      ]);
    });

    it('treats glob characters in paths as literal [H9]', async () => {
      for (const file of ['/x[1]*/a', '/x1y/a']) await backend.write(p(file), 'x');
      expect(paths(await backend.ls(p('/x[1]*')))).toEqual([p('/x[1]*/a')]);
      await backend.delete?.(p('/x[1]*'));
      expect((await backend.read(p('/x1y/a'))).content).toBe('x');
    });

    it('rejects invalid paths [P1, P2, P3, P12, P13, P16, P18, P19, P23, P24, P25, P26, P28, P34, P35, P39]', async () => {
      const wrong: unknown[] = [
        '/../o',
        '/a/../../o',
        '/a/../b',
        '~/x',
        '~root/x',
        'file:///etc/passwd',
        '',
        '  ',
        'C:\\x',
        'C:x',
        '/C:/x',
        '\\\\srv\\s\\x',
        '\\\\.\\pipe\\x',
        `/${'n'.repeat(256)}`,
        `/${'n/'.repeat(2_500)}`,
        '/a\0b',
        12,
        ['/a'],
        { path: '/a' },
        null,
      ];
      for (const path of wrong) {
        const asked = path as string;
        const kinds = [
          (await backend.read(asked)).kind,
          (await backend.write(asked, 'x')).kind,
          (await backend.edit(asked, 'a', 'b')).kind,
          (await backend.delete?.(asked))?.kind,
          (await backend.ls(asked)).kind,
          (await backend.uploadFiles?.([[asked, bytes(1)]]))?.[0]?.error === null,
        ];
        expect([asked, kinds.filter((kind) => kind !== 'invalid' && kind !== 'denied')]).toEqual([
          asked,
          [false],
        ]);
      }
    });

    it('treats unusual names as literal [P5, P7, P8, P9, P11, P14, P15, P33]', async () => {
      const longest = 'n'.repeat(255);
      const names = ['...', '%2e%2e', '..%2fO', '..;', 'a~b', '$HOME', 'a..b.txt', 'ü', longest];
      for (const name of names) {
        expect((await backend.read(p(`/${name}`))).kind).toBe('not_found');
        expect(await backend.write(p(`/./n//${name}`), name)).toMatchObject({ path: p(`/n/${name}`) });
        expect((await backend.read(p(`/n/${name}/`))).content).toBe(name);
      }
    });

    it('lists and searches the root, and rejects every other operation on it [P20]', async () => {
      const root = at === '' ? '/' : p('/');
      expect((await backend.read(root)).kind).toBe('invalid');
      expect((await backend.write(root, 'x')).kind).toBe('invalid');
      expect(['invalid', 'denied']).toContain((await backend.delete?.(root))?.kind);
      expect((await backend.ls(root)).error).toBeUndefined();
    });

    it('keeps bytes unchanged, and does not treat them as text [H57, P99]', async () => {
      const blob = bytes(0, 255, 254, 10, 13, 0, 128);
      if (tested.textOnly) {
        expect(await backend.uploadFiles?.([[p('/b.dat'), blob]])).toEqual([
          { path: p('/b.dat'), error: 'invalid_path' },
        ]);
        expect((await backend.write(p('/p.png'), 'data:image/png;base64,AAEC')).kind).toBe('unsupported');
        expect((await backend.ls(p('/'))).files).toEqual([]);
        return;
      }
      expect(
        await backend.uploadFiles?.([
          [p('/b.dat'), blob],
          [p('/../x'), blob],
        ]),
      ).toEqual([
        { path: p('/b.dat'), error: null },
        { path: p('/../x'), error: expect.stringMatching(/^(invalid_path|permission_denied)$/) },
      ]);
      expect(await backend.downloadFiles?.([p('/no'), p('/b.dat')])).toEqual([
        { path: p('/no'), content: null, error: 'file_not_found' },
        { path: p('/b.dat'), content: blob, error: null },
      ]);
      expect(await backend.read(p('/b.dat'), 3, 1)).toMatchObject({
        content: blob,
        mimeType: 'application/octet-stream',
      });
      expect((await backend.edit(p('/b.dat'), 'a', 'b')).kind).toBe('binary');
      await backend.write(p('/p.png'), 'data:image/png;base64,AAEC');
      expect(await backend.read(p('/p.png'))).toMatchObject({
        content: bytes(0, 1, 2),
        mimeType: 'image/png',
      });
    });

    it('uploads only over the expected version, or only a new file', async () => {
      const text = (content: string) => new TextEncoder().encode(content);
      const upload = async (content: string, options: WriteOptions) =>
        (await backend.uploadFiles?.([[p('/a.txt'), text(content)]], options))?.[0];
      const { version = '' } = await backend.write(p('/a.txt'), 'one');
      await backend.write(p('/a.txt'), 'two');
      expect(await upload('three', { expectedVersion: version })).toMatchObject({
        error: 'permission_denied',
        kind: 'stale',
      });
      expect(await upload('three', { createOnly: true })).toMatchObject({ kind: 'conflict' });
      expect((await backend.read(p('/a.txt'))).content).toBe('two');
      const { version: now = '' } = await backend.read(p('/a.txt'));
      expect(await upload('three', { expectedVersion: now })).toEqual({ path: p('/a.txt'), error: null });
      expect((await backend.read(p('/a.txt'))).content).toBe('three');
      await backend.delete?.(p('/a.txt'));
      expect(await upload('four', { expectedVersion: now })).toMatchObject({ error: 'file_not_found' });
      expect(await upload('four', { createOnly: true })).toEqual({ path: p('/a.txt'), error: null });
    });

    it('searches only visible files, and counts nothing else', async () => {
      for (const path of ['/no/1', '/no/2', '/yes/3', '/yes/4']) await backend.write(p(path), 'text');
      const options = { sees: (path: string) => !path.startsWith(p('/no/')) };
      expect(paths(await backend.glob('**/*', p('/'), options))).toEqual([p('/yes/3'), p('/yes/4')]);
      for (const regex of [false, true]) {
        const found = await backend.grep('text', p('/'), null, 3, { ...options, regex });
        expect([found.matches?.map((match) => match.path), found.truncated]).toEqual([
          [p('/yes/3'), p('/yes/4')],
          false,
        ]);
      }
      expect((await backend.grep('text', p('/no/1'), null, null, options)).matches).toEqual([]);
    });

    it('rejects every call that is already aborted, with the reason, and changes nothing', async () => {
      const signal = AbortSignal.abort(new Error('stopped'));
      await backend.write(p('/a.txt'), 'x');
      const options = { signal };
      const calls: (() => Promise<unknown> | undefined)[] = [
        () => backend.ls(p('/'), options),
        () => backend.read(p('/a.txt'), 0, 1, options),
        () => backend.readRaw(p('/a.txt'), options),
        () => backend.grep('x', p('/'), null, null, options),
        () => backend.glob('*', p('/'), options),
        () => backend.write(p('/a.txt'), 'y', options),
        () => backend.edit(p('/a.txt'), 'x', 'y', false, options),
        () =>
          backend.delete === undefined ? Promise.reject(signal.reason) : backend.delete(p('/a.txt'), options),
        () => backend.uploadFiles?.([[p('/a.txt'), bytes(1)]], options) ?? Promise.reject(signal.reason),
        () => backend.downloadFiles?.([p('/a.txt')], options) ?? Promise.reject(signal.reason),
      ];
      for (const call of calls) await expect(call()).rejects.toThrow('stopped');
      expect((await backend.read(p('/a.txt'))).content).toBe('x');
    });

    it('reports a time limit of zero, and changes nothing', async () => {
      await backend.write(p('/a.txt'), 'x');
      const none = { timeoutMs: 0 };
      const kinds = [
        (await backend.ls(p('/'), none)).kind,
        (await backend.read(p('/a.txt'), 0, 1, none)).kind,
        (await backend.readRaw(p('/a.txt'), none)).kind,
        (await backend.write(p('/a.txt'), 'y', none)).kind,
        (await backend.edit(p('/a.txt'), 'x', 'y', false, none)).kind,
        backend.delete === undefined ? 'timeout' : (await backend.delete(p('/a.txt'), none)).kind,
      ];
      expect(kinds).toEqual(kinds.map(() => 'timeout'));
      expect((await backend.grep('x', p('/'), null, null, none)).truncated).toBe(true);
      expect((await backend.glob('*', p('/'), none)).truncated).toBe(true);
      const late = { path: p('/b.dat'), error: 'permission_denied', kind: 'timeout' };
      if (backend.uploadFiles && backend.downloadFiles) {
        expect(await backend.uploadFiles([[p('/b.dat'), bytes(1)]], none)).toEqual([late]);
        expect((await backend.downloadFiles([p('/b.dat')]))[0]?.error).toBe('file_not_found');
        expect(await backend.downloadFiles([p('/b.dat')], none)).toEqual([{ ...late, content: null }]);
      }
      const enough = { timeoutMs: 60_000 };
      if (backend.uploadFiles && backend.downloadFiles) {
        const [stored] = await backend.uploadFiles([[p('/b.dat'), bytes(1)]], enough);
        expect(stored).toEqual({ path: p('/b.dat'), error: null });
        expect((await backend.downloadFiles([p('/b.dat')], enough))[0]?.content).toEqual(bytes(1));
      }
      expect((await backend.read(p('/a.txt'), 0, 1, enough)).content).toBe('x');
      expect((await backend.write(p('/a.txt'), 'z', enough)).error).toBeUndefined();
      expect((await backend.grep('z', p('/'), null, null, enough)).truncated).toBe(false);
    });

    it('reports arguments of the wrong type as invalid, and never throws', async () => {
      await backend.write(p('/a.txt'), 'x');
      /** Models may pass any value anywhere: lets a test pass one where another type is expected. */
      const odd = <T>(value: unknown) => value as T;
      const wrong: [string, () => Promise<{ kind?: string }>][] = [
        ['ls offset', () => backend.ls(p('/'), { offset: odd<number>('1') })],
        ['ls limit', () => backend.ls(p('/'), { limit: Number.NaN })],
        ['ls options', () => backend.ls(p('/'), odd<object>('all'))],
        ['read offset', () => backend.read(p('/a.txt'), odd<number>('1'))],
        ['read limit', () => backend.read(p('/a.txt'), 0, odd<number>({}))],
        ['read column', () => backend.read(p('/a.txt'), 0, 1, { column: odd<number>('x') })],
        ['read time', () => backend.read(p('/a.txt'), 0, 1, { timeoutMs: odd<number>('1') })],
        ['grep pattern', () => backend.grep(odd<string>(12), p('/'))],
        ['grep path', () => backend.grep('x', odd<string>(['/']))],
        ['grep glob', () => backend.grep('x', p('/'), odd<string>(5))],
        ['grep count', () => backend.grep('x', p('/'), null, odd<number>('many'))],
        ['grep regex', () => backend.grep('x', p('/'), null, null, { regex: odd<boolean>('yes') })],
        ['glob pattern', () => backend.glob(odd<string>(null), p('/'))],
        ['glob path', () => backend.glob('*', odd<string>({}))],
        ['write content', () => backend.write(p('/a.txt'), odd<string>(undefined))],
        ['write content', () => backend.write(p('/a.txt'), odd<string>({ text: 'x' }))],
        ['write version', () => backend.write(p('/a.txt'), 'y', { expectedVersion: odd<string>(7) })],
        ['edit old', () => backend.edit(p('/a.txt'), odd<string>(null), 'y')],
        ['edit new', () => backend.edit(p('/a.txt'), 'x', odd<string>(3))],
        ['edit all', () => backend.edit(p('/a.txt'), 'x', 'y', odd<boolean>('all'))],
      ];
      const kinds = [];
      for (const [what, call] of wrong) kinds.push([what, (await call()).kind]);
      expect(kinds).toEqual(wrong.map(([what]) => [what, 'invalid']));
      expect((await backend.read(p('/a.txt'))).content).toBe('x');
    });
  });
}
