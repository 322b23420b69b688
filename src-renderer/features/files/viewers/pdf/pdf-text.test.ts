import { expect, it } from 'vitest';
import { pageText, placesIn, rangeOf } from './pdf-text';

const piece = (str: string, hasEOL = false) => ({
  str,
  hasEOL,
  dir: 'ltr',
  transform: [],
  width: 0,
  height: 0,
  fontName: '',
});
const page = pageText({
  items: [
    piece('The quick '),
    piece('brown', true),
    { type: 'endMarkedContent', id: '' },
    piece('fox. The end'),
  ],
});

it('ignores case, finds text across pieces and line ends, and treats special characters literally', () => {
  const found = (query: string) =>
    placesIn(page.text, query).map(({ begin, end }) => page.text.slice(begin, end));
  expect([found('the'), found('QUICK brown  fox.'), found('fox?'), found('.'), found(' ')]).toEqual([
    ['The', 'The'],
    ['quick brown fox.'],
    [],
    ['.'],
    [],
  ]);
});

it('maps a match to the elements of a page', () => {
  const pieces = ['The quick ', 'brown', 'fox. The end'].map((text) => {
    const element = document.createElement('span');
    element.textContent = text;
    return element;
  });
  const layer = document.createElement('div');
  layer.append(...pieces);
  const [place] = placesIn(page.text, 'brown fox');
  const range = place && rangeOf(place, page, pieces);
  expect(range?.toString()).toBe('brownfox');
  expect([range?.startOffset, range?.endOffset]).toEqual([0, 3]);
});
