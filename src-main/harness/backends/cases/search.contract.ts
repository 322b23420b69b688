import { expect, it } from 'vitest';
import { paths, type Subject } from './subject.contract';

/** How every backend lists and searches. */
export function describeSearch(on: Subject): void {
  it('lists the direct entries of a folder, sorted and in pages, including hidden ones [H20]', async () => {
    await on.backend.write(on.at('/d/b.txt'), 'bb');
    await on.backend.write(on.at('/d/.hidden'), '');
    await on.backend.write(on.at('/d/sub/deep/x.txt'), '');
    await on.backend.write(on.at('/d2/x.txt'), '');
    const listed = await on.backend.ls(on.at('//d/./'));
    expect(listed.files?.map(({ path, is_dir, size }) => ({ path, is_dir, size }))).toEqual([
      { path: on.at('/d/.hidden'), is_dir: false, size: 0 },
      { path: on.at('/d/b.txt'), is_dir: false, size: 2 },
      { path: on.at('/d/sub/'), is_dir: true, size: 0 },
    ]);
    const page = await on.backend.ls(on.at('/d'), { offset: 1, limit: 1 });
    expect({ paths: paths(page), truncated: page.truncated, next: page.nextOffset }).toEqual({
      paths: [on.at('/d/b.txt')],
      truncated: true,
      next: 2,
    });
  });

  it('gives a glob the same meaning everywhere', async () => {
    const files = ['/a.ts', '/src/b.ts', '/src/deep/c.ts', '/src/.h.ts', '/.git/d.ts', '/src/e.tsx'];
    for (const file of [...files, '/.github/f.ts']) await on.backend.write(on.at(file), 'x');
    const glob = async (pattern: string, path = '/') =>
      paths(await on.backend.glob(pattern, on.at(path)))?.sort();
    const all = ['/a.ts', '/src/b.ts', '/src/deep/c.ts'].map(on.at);
    expect(await glob('*.ts')).toEqual([on.at('/.github/f.ts'), ...all]);
    expect(await glob('**/*.ts')).toEqual(all);
    expect(await glob('/*.ts')).toEqual([on.at('/a.ts')]);
    expect(await glob('src/*.ts')).toEqual([on.at('/src/b.ts')]);
    expect(await glob('*.ts', '/src')).toEqual([on.at('/src/b.ts'), on.at('/src/deep/c.ts')]);
    expect(await glob('{src,lib}/**/[!b].ts')).toEqual([on.at('/src/deep/c.ts')]);
    expect(await glob('.*')).toEqual([on.at('/src/.h.ts')]);
    expect(await glob('.git/*')).toEqual([on.at('/.git/d.ts')]);
    expect(await glob('src')).toEqual([]);
    expect((await on.backend.glob('[', on.at('/'))).kind).toBe('invalid');
    expect((await on.backend.glob('../*', on.at('/'))).kind).toBe('denied');
  });

  it('finds matches in names and lines with colons [H56]', async () => {
    await on.backend.write(on.at('/a:1:b.txt'), 'x\nkey: 12:30: value\n');
    expect((await on.backend.grep('12:30', on.at('/'))).matches).toEqual([
      { path: on.at('/a:1:b.txt'), line: 2, text: 'key: 12:30: value' },
    ]);
  });

  it('finds literal text, case-sensitively, with its position [H2, P119]', async () => {
    await on.backend.write(on.at('/a:b.txt'), 'x\nNeedle .* (1): [a]\r\nneedle\n');
    await on.backend.write(on.at('/sub/c.md'), 'Needle .* (2)');
    await on.backend.write(on.at('/.hidden/d.txt'), 'Needle');
    const both = [
      { path: on.at('/a:b.txt'), line: 2, text: 'Needle .* (1): [a]' },
      { path: on.at('/sub/c.md'), line: 1, text: 'Needle .* (2)' },
    ];
    expect(await on.backend.grep('Needle .* (', on.at('/'))).toEqual({ matches: both, truncated: false });
    expect(await on.backend.grep('Needle', on.at('/'), null, 2)).toEqual({
      matches: both,
      truncated: on.tested.spentMeansCut ?? false,
    });
    const cut = await on.backend.grep('Needle', on.at('/'), null, 1);
    expect({ count: cut.matches?.length, truncated: cut.truncated }).toEqual({ count: 1, truncated: true });
    expect((await on.backend.grep('Needle', on.at('/'), '*.md')).matches).toEqual(both.slice(1));
    expect((await on.backend.grep('Needle', on.at('/'), 'sub/*')).matches).toEqual(both.slice(1));
    expect((await on.backend.grep('Needle', on.at('/a:b.txt'))).matches).toEqual(both.slice(0, 1));
    expect((await on.backend.grep('Needle', on.at('/.hidden'))).matches).toEqual([
      { path: on.at('/.hidden/d.txt'), line: 1, text: 'Needle' },
    ]);
  });

  it('accepts regular expressions when asked to', async () => {
    await on.backend.write(on.at('/a.txt'), 'alpha\n\nbeta 12\n');
    await on.backend.write(on.at('/b.txt'), 'beta 7');
    expect(await on.backend.grep('^beta \\d+$', on.at('/'), null, null, { regex: true })).toEqual({
      matches: [
        { path: on.at('/a.txt'), line: 3, text: 'beta 12' },
        { path: on.at('/b.txt'), line: 1, text: 'beta 7' },
      ],
      truncated: false,
    });
    for (const broken of ['(', ')*a|(a'])
      expect((await on.backend.grep(broken, on.at('/'), null, null, { regex: true })).kind).toBe('invalid');
  });

  it('rejects an empty pattern [P123]', async () => {
    expect((await on.backend.grep('', on.at('/'))).kind).toBe('invalid');
    expect((await on.backend.glob('', on.at('/'))).kind).toBe('invalid');
  });

  it('searches only visible files, and counts nothing else', async () => {
    for (const path of ['/no/1', '/no/2', '/yes/3', '/yes/4']) await on.backend.write(on.at(path), 'text');
    const options = { sees: (path: string) => !path.startsWith(on.at('/no/')) };
    expect(paths(await on.backend.glob('**/*', on.at('/'), options))).toEqual([
      on.at('/yes/3'),
      on.at('/yes/4'),
    ]);
    for (const regex of [false, true]) {
      const found = await on.backend.grep('text', on.at('/'), null, 3, { ...options, regex });
      expect([found.matches?.map((match) => match.path), found.truncated]).toEqual([
        [on.at('/yes/3'), on.at('/yes/4')],
        false,
      ]);
    }
    expect((await on.backend.grep('text', on.at('/no/1'), null, null, options)).matches).toEqual([]);
  });
}
