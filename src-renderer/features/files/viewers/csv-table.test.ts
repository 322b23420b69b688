import { expect, it } from 'vitest';
import { csvTable } from './csv-table';
import { isNumeric } from './table-view';

it('shows part of a table that is too large, and says so [safety 24]', () => {
  const wide = csvTable({ text: ','.repeat(3_000_000), delimiter: ',' });
  expect([wide.rows[0]?.length, wide.cut]).toEqual([undefined, false]);
  const columns = csvTable({ text: 'a,'.repeat(1_000_000), delimiter: ',' });
  expect([columns.rows[0]?.length, columns.cut]).toEqual([2_000, true]);
  const long = csvTable({ text: `id,${'x'.repeat(5_000_000)}`, delimiter: ',' });
  expect([long.rows[0]?.[1]?.length, long.cut]).toEqual([10_001, true]);
  expect(csvTable({ text: 'a,b\n1,2', delimiter: '' })).toEqual({
    rows: [
      ['a', 'b'],
      ['1', '2'],
    ],
    cut: false,
  });
});

it('recognizes numbers quickly even in long cells [safety 24]', () => {
  expect(['', '1', ' -1,000.5 % ', 'x'].map(isNumeric)).toEqual([true, true, true, false]);
  expect(isNumeric(`${' '.repeat(1_000_000)}x`)).toBe(false);
});
