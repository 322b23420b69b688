import { expect, test } from 'vitest';
import { compareNames, comparePaths, inPathOrder, NATURAL_UP_TO } from './path-order';

const rows = (...paths: string[]) => paths.map((path) => ({ path }));

test('numbers in names are compared as numbers', () => {
  const given = rows('out10.txt', 'out2.txt', 'out1.txt', 'run 3/b', 'run 12/a');
  expect(inPathOrder(given)).toEqual(rows('out1.txt', 'out2.txt', 'out10.txt', 'run 3/b', 'run 12/a'));
});

test('the files of a folder stay together', () => {
  const given = rows('a-b/1', 'a/2', 'a.ts', 'a-b/0', 'a');
  const folders = inPathOrder(given).map(({ path }) => path.split('/')[0]);
  expect(folders.filter((folder, at) => folder !== folders[at - 1])).toHaveLength(new Set(folders).size);
});

test('names that differ only in case or accents have one order', () => {
  expect(compareNames('A', 'a')).toBe(-compareNames('a', 'A'));
  expect(compareNames('A', 'a')).not.toBe(0);
  expect(comparePaths('x/é', 'x/é')).toBe(0);
});

test('very many paths are sorted by code unit, quickly', () => {
  const given = Array.from({ length: NATURAL_UP_TO + 1 }, (_, at) => ({ path: `f${at}` })).reverse();
  expect(inPathOrder(given).slice(0, 3)).toEqual(rows('f0', 'f1', 'f10'));
});
