import { expect, it } from 'vitest';
import { readingAt } from './reading-at';

it('starts on the first page and ends on the last, whatever else is visible', () => {
  // Three pages of 100 pixels, with 180 pixels visible.
  expect(readingAt(0, 180, 300)).toBe(0);
  expect(readingAt(60, 180, 300)).toBe(150);
  expect(readingAt(120, 180, 300)).toBe(300);
});

it('is on the first page if all pages are visible, or nothing is laid out', () => {
  expect(readingAt(0, 500, 300)).toBe(0);
  expect(readingAt(0, 0, 0)).toBe(0);
});
