import { expect, it } from 'vitest';
import { isBelow } from './is-below';

it.each([
  ['/a/b', '/a', true],
  ['/a/b', '/a/', true],
  ['/a', '/a', true],
  ['/a', '/a/', true],
  ['/x', '/', true],
  ['/', '/', true],
  ['/a2', '/a', false],
  ['/', '/a', false],
  ['/b/a', '/a', false],
])('tells whether %s is below %s: %s', (path, folder, isIt) => {
  expect(isBelow(path, folder)).toBe(isIt);
});
