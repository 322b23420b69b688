import { expect, it } from 'vitest';
import { positionsIn } from './positions';

const found = (text: string) =>
  positionsIn(text).map(({ start, end, path, line }) => [text.slice(start, end), path, line]);

it('are found in the formats of compilers, test runners and tracebacks', () => {
  expect(found('src/sum.ts:12:5 - error TS2322: no')).toEqual([['src/sum.ts:12:5', 'src/sum.ts', 12]]);
  expect(found('src/sum.ts(12,5): error TS2322')).toEqual([['src/sum.ts(12,5)', 'src/sum.ts', 12]]);
  expect(found('  File "/home/me/a b.py", line 3, in <module>')).toEqual([
    ['File "/home/me/a b.py", line 3', '/home/me/a b.py', 3],
  ]);
  expect(found('    at add (/home/me/sum.js:7:11)')).toEqual([
    ['/home/me/sum.js:7:11', '/home/me/sum.js', 7],
  ]);
  expect(found('./main.go:3: undefined')).toEqual([['./main.go:3', './main.go', 3]]);
  expect(found('错误 文档/说明.md:4')).toEqual([['文档/说明.md:4', '文档/说明.md', 4]]);
});

it('include file names without a line', () => {
  expect(found('wrote dist/index.js and README.md.')).toEqual([
    ['dist/index.js', 'dist/index.js', undefined],
    ['README.md', 'README.md', undefined],
  ]);
});

it('exclude plain words, numbers and web addresses', () => {
  expect(found('Took 12.5 s on 127.0.0.1, see https://a.example/b.ts:3')).toEqual([]);
  expect(found('plain words only: nothing (3 of 4)')).toEqual([]);
});

it('are limited in number, however long the line is', () => {
  expect(positionsIn('a/b '.repeat(5_000)).length).toBe(20);
});
