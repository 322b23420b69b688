import { expect, it } from 'vitest';
import { readingAt } from './reading-at';

it('begins on the first page and ends on the last, whatever else is seen', () => {
  // Three pages of 100 pixels, of which 180 are seen.
  expect(readingAt(0, 180, 300)).toBe(0);
  expect(readingAt(60, 180, 300)).toBe(150);
  expect(readingAt(120, 180, 300)).toBe(300);
});

it('is on the first page where all of them are seen, or nothing is laid out', () => {
  expect(readingAt(0, 500, 300)).toBe(0);
  expect(readingAt(0, 0, 0)).toBe(0);
});
