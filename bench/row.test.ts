import { expect, it } from 'vitest';
import { isMet, median, type Row } from './row';

const row = (part: Partial<Row>): Row => ({ row: 'a', unit: 'ms', ours: 12, target: {}, ...part });

it('meets a target when both the ratio and the limit hold', () => {
  const anchor = { name: 'rg', value: 10 };
  expect([
    isMet(row({ anchor, target: { ratio: 1.2, atMost: 12 } })),
    isMet(row({ anchor, target: { ratio: 1.1, atMost: 12 } })),
    isMet(row({ anchor, target: { ratio: 1.2, atMost: 11 } })),
  ]).toEqual([true, false, false]);
});

it('refuses a ratio to nothing', () => {
  expect(() => isMet(row({ target: { ratio: 2 } }))).toThrow('no anchor');
});

it('takes the middle of unsorted numbers', () => {
  expect([median([10, 9, 100]), median([2, 1])]).toEqual([10, 2]);
});
