import { expect, it } from 'vitest';
import { MAX_COUNTED_FILES, uncountedOf } from './counted-files';

it('says how many files of a list have no line counts, if there are any', () => {
  expect(uncountedOf(MAX_COUNTED_FILES)).toEqual({});
  expect(uncountedOf(MAX_COUNTED_FILES + 2)).toEqual({ uncounted: 2 });
});
