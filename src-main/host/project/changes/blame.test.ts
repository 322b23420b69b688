import { expect, it } from 'vitest';
import { type BlameStep, blameOf } from './blame';

const person = { by: 'person' } as const;
const step = (at: number, hunks: BlameStep['hunks']): BlameStep => ({ at, author: person, hunks });
const hunk = (oldStart: number, lines: string[]) => ({
  oldStart,
  oldLines: lines.filter((line) => !line.startsWith('+')).length,
  newStart: oldStart,
  newLines: lines.filter((line) => !line.startsWith('-')).length,
  lines,
});

it('attributes each line to its change and moves it with insertions above', () => {
  const blame = blameOf([
    step(1, [hunk(1, ['-a', '+A', ' b', ' c', ' d'])]),
    step(2, [hunk(1, ['+top', ' A', ' b', ' c']), hunk(6, [' f', '+g'])]),
  ]);
  expect(blame.runs).toEqual([
    { count: 1, step: 1 },
    { count: 1, step: 0 },
    { count: 5, step: null },
    { count: 1, step: 1 },
  ]);
});

it('counts every line of a new file and attributes nothing from before a gap', () => {
  const made = step(1, [hunk(0, ['+a', '+b'])]);
  expect(blameOf([made]).runs).toEqual([{ count: 2, step: 0 }]);
  expect(blameOf([made, step(2, null), step(3, [hunk(1, [' a', '+x'])])]).runs).toEqual([
    { count: 1, step: null },
    { count: 1, step: 2 },
  ]);
});
