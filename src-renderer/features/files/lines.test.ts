import { FilePage } from '@contract/app';
import { expect, it } from 'vitest';
import { lineAt, missingPages, type OpenFile, PAGE_LINES, wholeText, withPage } from './lines';

const page = (offset: number, lines: string[], rest: Partial<FilePage> = {}) =>
  FilePage.parse({
    path: '/p/a',
    kind: 'text',
    mimeType: 'text/plain',
    size: 1,
    lines,
    offset,
    totalLines: null,
    nextOffset: null,
    ...rest,
  });
const many = (from: number) => Array.from({ length: PAGE_LINES }, (_, i) => `line ${from + i}`);
const read = (...pages: FilePage[]) => pages.reduce<OpenFile>(withPage, { phase: 'loading' });

it('requests only the pages that the visible lines need', () => {
  const file = read(page(0, many(0), { totalLines: 5 * PAGE_LINES, nextOffset: PAGE_LINES }));
  expect(missingPages(file, 10, PAGE_LINES - 1)).toEqual([]);
  expect(missingPages(file, 2 * PAGE_LINES - 1, 2 * PAGE_LINES)).toEqual([1, 2]);
  expect(missingPages(file, 0, 9 * PAGE_LINES)).toEqual([1, 2, 3, 4]);
});

it('grows until the end of the file is known', () => {
  const first = read(page(0, many(0), { nextOffset: PAGE_LINES }));
  expect(first).toMatchObject({ count: PAGE_LINES + 1, isWhole: false });
  const whole = withPage(first, page(PAGE_LINES, ['last']));
  expect(whole).toMatchObject({ count: PAGE_LINES + 1, isWhole: true });
  expect(whole.phase === 'text' && lineAt(whole, PAGE_LINES)).toBe('last');
  expect(wholeText(whole)).toBe([...many(0), 'last'].join('\n'));
});

it('drops pages past the end of a file that became shorter', () => {
  const long = read(
    page(0, many(0), { totalLines: 2 * PAGE_LINES, nextOffset: PAGE_LINES }),
    page(PAGE_LINES, many(PAGE_LINES), { totalLines: 2 * PAGE_LINES }),
  );
  const short = withPage(long, page(0, ['only'], { totalLines: 1 }));
  expect(wholeText(short)).toBe('only');
});

it('reports a binary file instead of showing it as text', () => {
  expect(read(page(0, [], { kind: 'binary', mimeType: 'image/png', size: 12 }))).toEqual({
    phase: 'binary',
    size: 12,
    mimeType: 'image/png',
  });
});

it('requests the rest of a page that ended early, and has no whole text until then', () => {
  const short = read(page(0, ['a', 'b'], { totalLines: 4, nextOffset: 2 }));
  expect(missingPages(short, 0, 1)).toEqual([]);
  expect(missingPages(short, 0, 3)).toEqual([0]);
  expect(wholeText(short)).toBeUndefined();
  expect(wholeText(withPage(short, page(2, ['c', 'd'], { totalLines: 4 })))).toBe('a\nb\nc\nd');
});
