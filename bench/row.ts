/** One line of the benchmark: ours beside an anchor that was measured in the same run, since ratios travel and times do not. */
export interface Row {
  /** What was done, as in "read 100 lines at the start of a 1 GB file". */
  row: string;
  unit: 'ms' | 'µs' | 'MB' | 'bytes' | '%' | 'x' | 'count';
  /** Median of several runs, in `unit`. */
  ours: number;
  anchor?: { name: string; value: number };
  /** The row is met when all that is named holds: `atMost` in `unit`, `ratio` of ours to the anchor. */
  target: { atMost?: number; ratio?: number };
}

/** What a `<group>.bench.ts` exports as its default. */
export type Group = () => Promise<Row[]>;

/** Ours divided by the anchor's value; undefined where there is no anchor. */
export function ratioOf(row: Row): number | undefined {
  return row.anchor === undefined ? undefined : row.ours / row.anchor.value;
}

/** Whether a row reached its target. A ratio without an anchor is a mistake in the row and throws. */
export function isMet(row: Row): boolean {
  const ratio = ratioOf(row);
  if (row.target.ratio !== undefined && ratio === undefined)
    throw new Error(`"${row.row}" has a ratio but no anchor`);
  const withinRatio = row.target.ratio === undefined || (ratio ?? 0) <= row.target.ratio;
  return withinRatio && (row.target.atMost === undefined || row.ours <= row.target.atMost);
}

/** The middle of the numbers; of an even count the upper middle. Throws for none. */
export function median(values: number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('the median of nothing');
  return middle;
}
