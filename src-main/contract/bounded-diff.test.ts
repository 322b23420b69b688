import { applyPatch, structuredPatch } from 'diff';
import { expect, it } from 'vitest';
import { standardTime } from '../base/testing/processor-time';
import { boundedDiff } from './bounded-diff';

const lines = (count: number, mark: string) =>
  Array.from({ length: count }, (_, n) => `${mark}${n}\n`).join('');
const patched = (before: string, after: string) =>
  applyPatch(before, {
    oldFileName: '',
    newFileName: '',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: boundedDiff(before, after).hunks,
  });

it('produces hunks that turn the old text into the new one', () => {
  let seed = 5;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed % below;
  };
  for (let round = 0; round < 400; round += 1) {
    const before = Array.from({ length: next(14) }, () => 'abc'[next(3)]);
    const after = before.flatMap((line) => (next(4) === 0 ? (next(2) === 0 ? [] : [line, 'x']) : [line]));
    const [old, now] = [before, after].map((all) => all.join('\n') + (next(3) === 0 ? '' : '\n'));
    // Without its last line feed, a text of one empty line is empty. The library's patches do not tell the two apart.
    if (old !== '\n' && now !== '\n')
      expect(patched(old ?? '', now ?? ''), JSON.stringify([old, now])).toBe(now);
  }
});

it('produces the same hunks as a full comparison', () => {
  const before = lines(300, 'line ');
  const after = before.replace('line 100\n', 'other\n').replace('line 200\n', '');
  const whole = structuredPatch('', '', before, after, undefined, undefined, { context: 3 });
  const { hunks, added, removed, cut } = boundedDiff(before, after);
  expect(hunks).toEqual(
    whole.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      oldStart,
      oldLines,
      newStart,
      newLines,
      lines,
    })),
  );
  expect([added, removed, cut]).toEqual([1, 2, false]);
});

it('shows at most the requested number of lines, but counts all', () => {
  const { hunks, added, removed, cut } = boundedDiff(
    `same\n${lines(50_000, 'a')}`,
    `same\n${lines(40_000, 'b')}`,
    100,
  );
  expect([hunks.flatMap((hunk) => hunk.lines).length, added, removed, cut]).toEqual([
    100,
    40_000,
    50_000,
    true,
  ]);
  expect(hunks[0]).toMatchObject({ oldStart: 2, oldLines: 50_000, newStart: 2, newLines: 40_000 });
});

const hostile: [string, string, string][] = [
  [
    'one line of many',
    lines(200_000, 'line of some length '),
    lines(200_000, 'line of some length ').replace('100000\n', 'x\n'),
  ],
  ['no line the same', lines(2_000, 'a'), lines(2_000, 'b')],
  ['only line feeds', '\n'.repeat(5_000_000), `x${'\n'.repeat(4_999_000)}x`],
  ['the same lines over and over', 'a\nb\n'.repeat(900), 'b\na\na\n'.repeat(600)],
  ['one line of 5 MB', 'a'.repeat(5_000_000), `${'a'.repeat(2_500_000)}b${'a'.repeat(2_500_000)}`],
];
it.each(hostile)('is fast for %s [safety 24]', async (_, before, after) => {
  // Warms up the compiler.
  boundedDiff(before, after, 2_000);
  expect(await standardTime(() => boundedDiff(before, after, 2_000))).toBeLessThan(200);
});
