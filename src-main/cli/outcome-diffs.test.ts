import { expect, it } from 'vitest';
import type { DiffHunk } from '../contract/approvals';
import type { OutcomeRow } from '../contract/outcome';
import { fail, ok } from '../contract/result';
import { outcomeDiffs, type ReadDiff } from './outcome-diffs';

const row = (path: string): OutcomeRow => ({ kind: 'changed', path, added: 1, removed: 0 });
const hunk = (...lines: string[]): DiffHunk => ({
  oldStart: 3,
  oldLines: 1,
  newStart: 3,
  newLines: lines.length,
  lines,
});
const text = (...hunks: DiffHunk[]) => ok({ kind: 'text' as const, hunks, cut: false });

it('prints each changed file with the lines of its hunks, and nothing hidden in them', async () => {
  const rows: OutcomeRow[] = [
    row('a\u202e.txt'),
    { kind: 'group', path: 'dist', count: 9, bytes: 9 },
    { kind: 'created', path: 'picture.png', binary: true },
    row('b.txt'),
  ];
  const readDiff: ReadDiff = async (path) =>
    path === 'b.txt' ? text(hunk('-x'), hunk('+y')) : text(hunk(' \tone', '-two', '+\u200btwo \\n'));
  expect(await outcomeDiffs(rows, readDiff)).toEqual([
    'a\\u202e.txt:',
    '  @@ -3,1 +3,3 @@',
    '       one',
    '  -two',
    '  +\\u{200b}two \\n',
    'b.txt:',
    '  @@ -3,1 +3,1 @@',
    '  -x',
    '  @@ -3,1 +3,1 @@',
    '  +y',
  ]);
});

it('ends after 200 lines, and says what is missing', async () => {
  const long: ReadDiff = async () => text(hunk(...Array.from({ length: 300 }, (_, at) => `+${at}`)));
  const printed = await outcomeDiffs([row('a'), row('b'), row('c')], long);
  expect(printed).toHaveLength(202);
  expect(printed.at(-1)).toBe('and more lines and the changes of 2 more files, which the app shows');
  expect((await outcomeDiffs([row('a')], long)).at(-1)).toBe('and more lines, which the app shows');
});

it('prints nothing for a layer that is gone, and for a call without one', async () => {
  const gone: ReadDiff = async () => fail('not_found', 'layer_gone');
  expect(await outcomeDiffs([row('a')], gone)).toEqual([]);
  expect(await outcomeDiffs([], gone)).toEqual([]);
});
