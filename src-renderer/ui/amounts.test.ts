import { expect, it } from 'vitest';
import { inDollars, microDollars, wholeNumber } from './amounts';

it('parses dollar amounts as users write them, and refuses other text', () => {
  expect(['2.50', '$ 3', '0', '0,000001', ' '].map(microDollars)).toEqual([2_500_000, 3_000_000, 0, 1, null]);
  expect(['-1', '1e3', 'two', '1.2.3', '9'.repeat(30)].map(microDollars)).toEqual(Array(5).fill(undefined));
  expect([2_500_000, 1, 0, null].map(inDollars)).toEqual(['2.5', '0.000001', '0', '']);
});

it('parses whole numbers with separators', () => {
  expect(['200 000', '1,000', '', 'many', '1.5'].map(wholeNumber)).toEqual([
    200_000,
    1_000,
    null,
    undefined,
    undefined,
  ]);
});
