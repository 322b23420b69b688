import { expect, it } from 'vitest';
import { plot, withGrowth } from './growth.mjs';

const held = { heap: 80_000_000, descriptors: 24, watches: 1, timers: 0, processes: 0 };
const point = (count: number, times: number) => ({
  count,
  bytes: 1_000_000 * times,
  start: 20 * times,
  step: 5,
  memory: 2_000_000 * times,
});
const growth = {
  when: '2026-01-02T03:04:05.000Z',
  commit: 'abc',
  machine: '2 × CPU',
  load: '0.5',
  many: { threads: [point(10, 1), point(100, 10)] },
  leaks: { terminals: { times: 1_000, before: held, after: { ...held, descriptors: 25 } } },
};
const page =
  'Before.\n<!-- growth: npm run test:growth -- --write -->\nold\n<!-- end of the growth -->\nAfter.';

it('replaces the growth in the document and keeps the rest', () => {
  const text = withGrowth(page, growth);
  expect(text).toMatch(/^Before\.\n<!-- growth/);
  expect(text).toMatch(/<!-- end of the growth -->\nAfter\.$/);
  expect(text).not.toContain('old');
  expect(text).toContain('| 100 threads | 10.0 MB | 200 ms | 5.0 ms | 20.0 MB |');
  expect(text).toContain(
    '| 1,000 terminals opened and closed | 80.0 MB → 80.0 MB | 24 → 25 | 1 → 1 | 0 → 0 | 0 → 0 |',
  );
});

it('throws for a document without a section for the growth', () => {
  expect(() => withGrowth('Before.', growth)).toThrow('no place');
});

it('draws a cost that grows like the number along the dashed line, and one that stays the same flat', () => {
  const svg = plot(growth);
  const lines = [...svg.matchAll(/class="k0" points="(\S+) (\S+)"/g)].map(([, ...ends]) =>
    ends.map((end) => end.split(',').map(Number)),
  );
  const [database, , step] = lines;
  const rise = (line: number[][] | undefined) => (line?.[0]?.[1] ?? 0) - (line?.[1]?.[1] ?? 0);
  expect([rise(database), rise(step)]).toEqual([50, 0]);
});
