import { expect, it } from 'vitest';
import { Names } from './names';
import { rank } from './rank';

const among = (...names: string[]) => {
  const all = new Names();
  all.add(Buffer.from(names.map((name) => `${name}\0`).join('')));
  return (query: string) => rank(all, query, 10).map(({ name }) => name);
};

it('puts the file of that name before those in a folder of that name, and shorter ones first', () => {
  const find = among('index/a.ts', 'src/index.test.ts', 'src/index.ts', 'docs/my-index.md');
  expect(find('index')[0]).toMatch(/^src\/index/);
  expect(find('index').at(-1)).toBe('index/a.ts');
});

it('takes letters in their order, words in any, and any case', () => {
  const find = among('src/features/file-viewer.tsx', 'src/Features/Tree.tsx', 'README.md');
  expect([find('fvt'), find('tree feat'), find('readme'), find('zzz')]).toEqual([
    ['src/features/file-viewer.tsx'],
    ['src/Features/Tree.tsx'],
    ['README.md'],
    [],
  ]);
});

it('finds names of any script, and says where they match', () => {
  const all = new Names();
  all.add(Buffer.from('笔记/会议记录.md\0notes.md\0'));
  expect(rank(all, '会议', 5).map(({ name }) => name)).toEqual(['笔记/会议记录.md']);
  expect(rank(all, 'note', 5)).toEqual([{ name: 'notes.md', ranges: [0, 4] }]);
});

it('offers the first names where nothing is typed', () => {
  expect(among('b', 'a')('')).toEqual(['b', 'a']);
});
