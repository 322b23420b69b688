import { expect, it } from 'vitest';
import { Names } from './names';
import { rank } from './rank';

const among = (...names: string[]) => {
  const all = new Names();
  all.add(Buffer.from(names.map((name) => `${name}\0`).join('')));
  return (query: string) => rank(all, query, 10).best.map(({ name }) => name);
};

it('ranks a file with the typed name before files in a folder of that name, and shorter names first', () => {
  const find = among('index/a.ts', 'src/index.test.ts', 'src/index.ts', 'docs/my-index.md');
  expect(find('index')[0]).toMatch(/^src\/index/);
  expect(find('index').at(-1)).toBe('index/a.ts');
});

it('ranks letters in the name of a file before letters that are spread over its folders', () => {
  const find = among(
    'src/record/tests/index.ts',
    'src/orders.ts',
    'docs/order/parts.md',
    'lib/old/reader/dots.ts',
  );
  expect(find('ordts')[0]).toBe('src/orders.ts');
});

it('ranks letters that are close together in a name before scattered ones, and marks them there', () => {
  const all = new Names();
  all.add(Buffer.from('src/order-details.ts\0src/orders/orders.ts\0src/orders.test.ts\0'));
  const { best } = rank(all, 'ordts', 5);
  expect(best.map(({ name }) => name)).toEqual([
    'src/orders/orders.ts',
    'src/orders.test.ts',
    'src/order-details.ts',
  ]);
  expect(best[0]?.ranges).toEqual([11, 12, 12, 13, 13, 14, 18, 19, 19, 20]);
});

it('matches letters in order, words in any order, and any case', () => {
  const find = among('src/features/file-viewer.tsx', 'src/Features/Tree.tsx', 'README.md');
  expect([find('fvt'), find('tree feat'), find('readme'), find('zzz')]).toEqual([
    ['src/features/file-viewer.tsx'],
    ['src/Features/Tree.tsx'],
    ['README.md'],
    [],
  ]);
});

it('finds names in any script and returns the matching ranges', () => {
  const all = new Names();
  all.add(Buffer.from('笔记/会议记录.md\0notes.md\0'));
  expect(rank(all, '会议', 5).best.map(({ name }) => name)).toEqual(['笔记/会议记录.md']);
  expect(rank(all, 'note', 5)).toEqual({ best: [{ name: 'notes.md', ranges: [0, 4] }], total: 1 });
});

it('returns the first names for an empty query', () => {
  expect(among('b', 'a')('')).toEqual(['b', 'a']);
});

it('counts all matches, not only the best ones', () => {
  const all = new Names();
  all.add(Buffer.from(Array.from({ length: 900 }, (_, n) => `page-${n}.md\0`).join('')));
  all.add(Buffer.from('src/p-a-g-e.ts\0other.txt\0'));
  const { best, total } = rank(all, 'page', 5);
  expect([best.length, total]).toEqual([5, 900]);
  expect(rank(all, '', 5).total).toBe(902);
  expect(rank(all, 'zzz', 5)).toEqual({ best: [], total: 0 });
});
