import { expect, it } from 'vitest';
import { plot, type Results, shareOf, withResults } from './document';
import type { Row } from './row';

const row = (part: Partial<Row>): Row => ({ row: 'a|b', unit: 'ms', ours: 12, target: {}, ...part });
const results = new Map<string, Results>([
  [
    'files',
    {
      when: '2026-01-02T03:04:05.000Z',
      commit: 'abc',
      machine: { cores: 2, cpu: 'CPU', memory: 8e9, node: 'v20.0.0' },
      rows: [
        row({ anchor: { name: 'rg', value: 10 }, target: { ratio: 1 } }),
        row({ target: { atMost: 24 } }),
        row({}),
      ],
    },
  ],
]);
const page = 'Before.\n<!-- results: npm run bench -- --write -->\nold\n<!-- end of the results -->\nAfter.';

it('replaces the results of the document and keeps the rest', () => {
  const text = withResults(page, results, ['size']);
  expect(text).toMatch(/^Before\.\n<!--/);
  expect(text).toMatch(/<!-- end of the results -->\nAfter\.$/);
  expect(text).not.toContain('old');
  expect(text).toContain(
    '1 of 2 targets met. 2026-01-02 03:04 UTC, commit abc, 2 × CPU, 8 GB, Node v20.0.0.',
  );
  expect(text).toContain('| a\\|b | 12 ms | rg 10 ms | 1.2 |');
  expect(text).toContain('Not measured as a whole: size.');
  expect(withResults(text, results, ['size'])).toBe(text);
});

it('refuses a document without a section for the results', () => {
  expect(() => withResults('nothing', results, [])).toThrow('has no place');
});

it('draws a dot for each row with a numeric target, and marks those that miss it', () => {
  const drawn = plot(results);
  expect(drawn.match(/<circle/g)).toHaveLength(2);
  expect(drawn.match(/class="missed"/g)).toHaveLength(1);
});

it('compares the worst part of a target', () => {
  const anchor = { name: 'rg', value: 10 };
  expect(shareOf(row({ anchor, target: { ratio: 2.4, atMost: 6 } }))).toBe(2);
  expect(shareOf(row({ anchor, ours: 14, target: { above: 4 } }))).toBe(1);
  expect(shareOf(row({ ours: Number.NaN, target: { atMost: 6 } }))).toBeUndefined();
  expect(shareOf(row({ target: { stall: 16 } }))).toBeUndefined();
});
