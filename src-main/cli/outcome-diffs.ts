import type { Output } from '../contract/commands';
import type { OutcomeRow } from '../contract/outcome';
import type { Result } from '../contract/result';
import { shownName } from '../contract/shared/shown-name';
import { clearText } from '../contract/shared/unseen';

/** Maximum number of printed lines of the changes of one call. */
const MAX_LINES = 200;

/** The difference of one file, as `Rehearsals.diff` reads it. */
export type ReadDiff = (path: string) => Promise<Result<Output<'rehearsal.diff'>>>;

/**
 * The text that a command changed in its layer, as in a unified diff: a line for each file, and the lines of its hunks below it.
 * Files without text, such as images, are left out. Past the maximum, the last line says how many files are not shown at all.
 */
export async function outcomeDiffs(rows: readonly OutcomeRow[], readDiff: ReadDiff): Promise<string[]> {
  const printed: string[] = [];
  let isCut = false;
  let missing = 0;
  for (const row of rows) {
    if (row.kind === 'group' || row.added === undefined) continue;
    const room = MAX_LINES - printed.length;
    if (room <= 0) {
      missing += 1;
      continue;
    }
    const read = await readDiff(row.path);
    if (!read.ok || read.value.hunks.length === 0) continue;
    const lines = read.value.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
      `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
      ...changed.map((line) => clearText(line.replaceAll('\t', '    '))),
    ]);
    isCut ||= read.value.cut || lines.length > room;
    printed.push(`${shownName(row.path)}:`, ...lines.slice(0, room).map((line) => `  ${line}`.trimEnd()));
  }
  const left = [
    ...(isCut ? ['more lines'] : []),
    ...(missing > 0 ? [`the changes of ${missing} more ${missing === 1 ? 'file' : 'files'}`] : []),
  ];
  return left.length > 0 ? [...printed, `and ${left.join(' and ')}, which the app shows`] : printed;
}

/** As in a unified diff, where a side without lines names the line before. */
const range = (start: number, lines: number): string => `${lines === 0 ? start - 1 : start},${lines}`;
