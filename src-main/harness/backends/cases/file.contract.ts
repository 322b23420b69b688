import { expect, it } from 'vitest';
import type { WriteOptions } from '../protocol';
import { bytes, paths, type Subject } from './subject.contract';

/** What every backend does with a file: reads, writes, edits, deletes, and bytes. */
export function describeFiles(on: Subject): void {
  it('reads what it wrote, and says where the page ends', async () => {
    const written = await on.backend.write(on.at('/a.txt'), 'one\ntwo\nthree\n');
    const page = await on.backend.read(on.at('/a.txt'), 1, 1);
    expect({ version: page.version, ...written }).toEqual({
      path: on.at('/a.txt'),
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
    const rest = await on.backend.read(on.at('/a.txt'), 2);
    expect({ content: rest.content, next: rest.nextOffset }).toEqual({ content: 'three', next: undefined });
    expect((await on.backend.read(on.at('/a.txt'), 0, 0)).content).toBe('');
  });

  it('reports a page that starts past the end', async () => {
    await on.backend.write(on.at('/a.txt'), 'one\ntwo');
    expect(await on.backend.read(on.at('/a.txt'), 2)).toEqual({
      error: 'Line offset 2 exceeds file length (2 lines)',
      kind: 'invalid',
    });
  });

  it('reports missing files', async () => {
    const error = `File '${on.at('/no.txt')}' not found`;
    expect(await on.backend.read(on.at('/no.txt'))).toEqual({ error, kind: 'not_found' });
    expect(await on.backend.readRaw(on.at('/no.txt'))).toEqual({ error, kind: 'not_found' });
    expect(await on.backend.edit(on.at('/no.txt'), 'a', 'b')).toEqual({
      error: `Error: ${error}`,
      kind: 'not_found',
    });
    expect(await on.backend.delete?.(on.at('/no.txt'))).toEqual({
      error: `Error: '${on.at('/no.txt')}' not found`,
      kind: 'not_found',
    });
    expect((await on.backend.ls(on.at('/no'))).kind).toBe('not_found');
    expect((await on.backend.glob('*', on.at('/no'))).kind).toBe('not_found');
    expect((await on.backend.grep('x', on.at('/no'))).kind).toBe('not_found');
  });

  it('overwrites a file and keeps its creation time [H13]', async () => {
    await on.backend.write(on.at('/a.txt'), 'one');
    const first = (await on.backend.readRaw(on.at('/a.txt'))).data;
    await on.backend.write(on.at('/a.txt'), 'two');
    await on.backend.edit(on.at('/a.txt'), 'two', 'three');
    const last = (await on.backend.readRaw(on.at('/a.txt'))).data;
    expect(last?.content).toBe('three');
    expect(typeof first?.created_at).toBe('string');
    if (!on.tested.forgetsCreation) expect(last?.created_at).toBe(first?.created_at);
  });

  it('creates a file only if nothing is there, when asked to', async () => {
    expect((await on.backend.write(on.at('/a.txt'), 'one', { createOnly: true })).error).toBeUndefined();
    expect((await on.backend.write(on.at('/a.txt'), 'two', { createOnly: true })).kind).toBe('conflict');
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('one');
  });

  it('does not overwrite a file that was changed or deleted after it was read [P89, P92]', async () => {
    await on.backend.write(on.at('/a.txt'), 'one');
    const version = (await on.backend.read(on.at('/a.txt'))).version ?? '';
    expect(
      (await on.backend.edit(on.at('/a.txt'), 'one', 'two', false, { expectedVersion: version })).error,
    ).toBeUndefined();
    expect(
      (await on.backend.edit(on.at('/a.txt'), 'two', 'three', false, { expectedVersion: version })).kind,
    ).toBe('stale');
    expect((await on.backend.write(on.at('/a.txt'), 'three', { expectedVersion: version })).kind).toBe(
      'stale',
    );
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('two');
    await on.backend.delete?.(on.at('/a.txt'));
    expect((await on.backend.write(on.at('/a.txt'), 'x', { expectedVersion: version })).kind).toBe(
      'not_found',
    );
  });

  it('does not delete a file that was changed after it was read, or a folder in its place', async () => {
    await on.backend.write(on.at('/a.txt'), 'one');
    const expectedVersion = (await on.backend.read(on.at('/a.txt'))).version ?? '';
    await on.backend.write(on.at('/a.txt'), 'two');
    expect((await on.backend.delete?.(on.at('/a.txt'), { expectedVersion }))?.kind).toBe('stale');
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('two');
    await on.backend.write(on.at('/a.txt'), 'one');
    const now = (await on.backend.read(on.at('/a.txt'))).version ?? '';
    expect(await on.backend.delete?.(on.at('/a.txt'), { expectedVersion: now })).toMatchObject({
      path: on.at('/a.txt'),
    });
    expect((await on.backend.delete?.(on.at('/a.txt'), { expectedVersion: now }))?.kind).toBe('not_found');
    await on.backend.write(on.at('/a.txt/inside.txt'), 'kept');
    expect((await on.backend.delete?.(on.at('/a.txt'), { expectedVersion: now }))?.error).toBeDefined();
    expect((await on.backend.read(on.at('/a.txt/inside.txt'))).content).toBe('kept');
  });

  it('loses none of several concurrent edits', async () => {
    await on.backend.write(on.at('/a.txt'), 'a b c d');
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((word) => on.backend.edit(on.at('/a.txt'), word, word.toUpperCase())),
    );
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('A B C D');
  });

  it('replaces exact text, including characters that are special in patterns [H16]', async () => {
    await on.backend.write(on.at('/a.txt'), 'x = "$&" + (a|b) * [c]');
    const edited = await on.backend.edit(on.at('/a.txt'), '"$&" + (a|b)', "$1 $` '\\n'");
    const { content, version } = await on.backend.read(on.at('/a.txt'));
    expect({ version, ...edited }).toEqual({
      path: on.at('/a.txt'),
      filesUpdate: null,
      occurrences: 1,
      version,
    });
    expect(content).toBe("x = $1 $` '\\n' * [c]");
  });

  it('says whether an edit failed because the text occurs multiple times or not at all [H18]', async () => {
    await on.backend.write(on.at('/a.txt'), 'one one');
    expect((await on.backend.edit(on.at('/a.txt'), 'one', 'x')).error).toContain('multiple');
    expect((await on.backend.edit(on.at('/a.txt'), 'two', 'x')).error).toContain('not found');
    expect((await on.backend.edit(on.at('/none.txt'), 'two', 'x')).error).toContain('not found');
  });

  it('tells missing, repeated and empty text apart [H17, P100, P103, P104]', async () => {
    await on.backend.write(on.at('/a.txt'), 'one one');
    expect(await on.backend.edit(on.at('/a.txt'), 'two', 'x')).toEqual({
      error: "Error: String not found in file: 'two'",
      kind: 'invalid',
    });
    expect((await on.backend.edit(on.at('/a.txt'), 'one', 'x')).error).toMatch(
      /^Error: String 'one' has multiple occurrences \(appears 2 times\) in file\. Use replace_all=True/,
    );
    expect((await on.backend.edit(on.at('/a.txt'), '', 'x')).error).toBe(
      'Error: oldString cannot be empty when file has content',
    );
    expect((await on.backend.edit(on.at('/a.txt'), 'one', 'one', true)).occurrences).toBe(2);
    await on.backend.write(on.at('/empty.txt'), '');
    expect((await on.backend.read(on.at('/empty.txt'))).content).toBe('');
    expect((await on.backend.edit(on.at('/empty.txt'), '', 'text')).occurrences).toBe(0);
    expect((await on.backend.read(on.at('/empty.txt'))).content).toBe('text');
  });

  it('keeps line endings, the byte order mark and a missing final newline [H19, P94, P95, P96, P101]', async () => {
    await on.backend.write(on.at('/a.txt'), '\uFEFFone\r\ntwo\r\nthree\nfour');
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('one\ntwo\nthree\nfour');
    expect((await on.backend.edit(on.at('/a.txt'), 'one\ntwo', '1\n2')).occurrences).toBe(1);
    expect((await on.backend.readRaw(on.at('/a.txt'))).data?.content).toBe('\uFEFF1\r\n2\r\nthree\nfour');
    // The mixed line endings of the old text are none to keep.
    await on.backend.write(on.at('/a.txt'), 'x\r\ny\n');
    expect((await on.backend.readRaw(on.at('/a.txt'))).data?.content).toBe('\uFEFFx\r\ny\n');
    await on.backend.write(on.at('/b.txt'), 'one\r\ntwo');
    await on.backend.write(on.at('/b.txt'), 'x\ny\r\n');
    expect((await on.backend.readRaw(on.at('/b.txt'))).data?.content).toBe('x\r\ny\r\n');
  });

  it('tells directories from files [P71]', async () => {
    await on.backend.write(on.at('/d/x.txt'), 'x');
    expect((await on.backend.read(on.at('/d'))).kind).toBe('special');
    expect((await on.backend.write(on.at('/d'), 'x')).kind).toBe('special');
    expect((await on.backend.write(on.at('/d/x.txt/y'), 'x')).kind).toBe('special');
    expect((await on.backend.ls(on.at('/d/x.txt'))).kind).toBe('special');
  });

  it('deletes a file, or everything below a directory, and nothing beside it', async () => {
    for (const file of ['/d/a', '/d/e/b', '/d2', '/d[1]']) await on.backend.write(on.at(file), 'x');
    expect(await on.backend.delete?.(on.at('/d'))).toEqual({ path: on.at('/d'), filesUpdate: null });
    expect(paths(await on.backend.ls(on.at('/')))?.filter((path) => path.startsWith(on.at('/d')))).toEqual([
      on.at('/d2'),
      on.at('/d[1]'),
    ]);
  });

  it('keeps bytes unchanged, and does not treat them as text [H57, P99]', async () => {
    const blob = bytes(0, 255, 254, 10, 13, 0, 128);
    if (on.tested.textOnly) {
      expect(await on.backend.uploadFiles?.([[on.at('/b.dat'), blob]])).toEqual([
        { path: on.at('/b.dat'), error: 'invalid_path' },
      ]);
      expect((await on.backend.write(on.at('/p.png'), 'data:image/png;base64,AAEC')).kind).toBe(
        'unsupported',
      );
      expect((await on.backend.ls(on.at('/'))).files).toEqual([]);
      return;
    }
    expect(
      await on.backend.uploadFiles?.([
        [on.at('/b.dat'), blob],
        [on.at('/../x'), blob],
      ]),
    ).toEqual([
      { path: on.at('/b.dat'), error: null },
      { path: on.at('/../x'), error: expect.stringMatching(/^(invalid_path|permission_denied)$/) },
    ]);
    expect(await on.backend.downloadFiles?.([on.at('/no'), on.at('/b.dat')])).toEqual([
      { path: on.at('/no'), content: null, error: 'file_not_found' },
      { path: on.at('/b.dat'), content: blob, error: null },
    ]);
    expect(await on.backend.read(on.at('/b.dat'), 3, 1)).toMatchObject({
      content: blob,
      mimeType: 'application/octet-stream',
    });
    expect((await on.backend.edit(on.at('/b.dat'), 'a', 'b')).kind).toBe('binary');
    await on.backend.write(on.at('/p.png'), 'data:image/png;base64,AAEC');
    expect(await on.backend.read(on.at('/p.png'))).toMatchObject({
      content: bytes(0, 1, 2),
      mimeType: 'image/png',
    });
  });

  it('uploads only over the expected version, or only a new file', async () => {
    const text = (content: string) => new TextEncoder().encode(content);
    const upload = async (content: string, options: WriteOptions) =>
      (await on.backend.uploadFiles?.([[on.at('/a.txt'), text(content)]], options))?.[0];
    const { version = '' } = await on.backend.write(on.at('/a.txt'), 'one');
    await on.backend.write(on.at('/a.txt'), 'two');
    expect(await upload('three', { expectedVersion: version })).toMatchObject({
      error: 'permission_denied',
      kind: 'stale',
    });
    expect(await upload('three', { createOnly: true })).toMatchObject({ kind: 'conflict' });
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('two');
    const { version: now = '' } = await on.backend.read(on.at('/a.txt'));
    expect(await upload('three', { expectedVersion: now })).toEqual({ path: on.at('/a.txt'), error: null });
    expect((await on.backend.read(on.at('/a.txt'))).content).toBe('three');
    await on.backend.delete?.(on.at('/a.txt'));
    expect(await upload('four', { expectedVersion: now })).toMatchObject({ error: 'file_not_found' });
    expect(await upload('four', { createOnly: true })).toEqual({ path: on.at('/a.txt'), error: null });
  });
}
