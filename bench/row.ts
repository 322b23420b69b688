export interface Anchor {
  name: string;
  value: number;
  /** As for ours: if a drain that does nothing is stalled too, the machine itself is busy. */
  stall?: number;
  memory?: number;
}

/** One row of the benchmark: ours compared with an anchor from the same run, since ratios are portable and times are not. */
export interface Row {
  /** The measured work, as in "read 100 lines at the start of a 1 GB file". */
  row: string;
  unit: 'ms' | 'µs' | 'MB' | 'bytes' | '%' | 'x' | 'count';
  /** Median of several runs, in `unit`. */
  ours: number;
  /** The limit: the minimum that the same work takes with a direct implementation. */
  anchor?: Anchor;
  /** Other direct implementations for comparison; no target depends on them. */
  others?: Anchor[];
  /** The published package. Without `value` it did not finish, and `note` says why. */
  peer?: { value?: number; stall?: number; memory?: number; note?: string };
  /** Milliseconds: the longest stall of the event loop in a run (median of runs). */
  stall?: number;
  /** Peak memory in MB above the memory before the run. */
  memory?: number;
  /** What happened instead of a result; `ours` is then no number, and the target is missed. */
  failed?: string;
  /** The compared output: hits, or remaining processes. */
  answer?: string;
  /** Highest ratio that is not a regression, on a busy machine too. Absent where the ratio depends on the load. */
  steady?: number;
  /**
   * The row is met if all given parts are: `atMost` in `unit`, `ratio` of ours to the anchor, `above` the anchor in `unit`,
   * `stall` in ms, `memory` in MB.
   */
  target: {
    atMost?: number;
    ratio?: number;
    above?: number;
    stall?: number;
    memory?: number;
    answer?: string;
  };
}

export interface GroupOptions {
  /** Measure only these parts of the group; empty means all. */
  only: string[];
  /** Measure only rows whose name contains this. */
  row: string;
  /** Fewer runs, for a quick check between two changes. */
  quick: boolean;
  /** Leave the published package out. */
  peer: boolean;
  /** Measure only contests whose ratio is steady on a busy machine. */
  steady?: boolean;
}

/**
 * The default export of a `<group>.bench.ts`. Rejects with `NotHere` if this machine can measure nothing of what was asked.
 */
export type Group = (options: GroupOptions) => Promise<Row[]>;

/** Nothing failed: this machine lacks what the measurement is about. The message says what. */
export class NotHere extends Error {}

/** Ours divided by the anchor's value; undefined without an anchor. */
export function ratioOf(row: Row): number | undefined {
  return row.anchor === undefined ? undefined : row.ours / row.anchor.value;
}

/** What ours is above the anchor's value, in the row's unit; undefined without an anchor. */
const aboveOf = (row: Row): number | undefined =>
  row.anchor === undefined ? undefined : row.ours - row.anchor.value;

/** Ours divided by the peer's value; undefined if the peer has none. */
export function peerRatioOf(row: Row): number | undefined {
  return row.peer?.value === undefined ? undefined : row.ours / row.peer.value;
}

/**
 * Which parts of its target a row misses, as text; empty if it meets the target. Throws for a target that needs an anchor in a
 * row without one, which is a mistake.
 */
export function missesOf(row: Row): string[] {
  const { target } = row;
  if (row.failed !== undefined) return ['failed'];
  const ratio = ratioOf(row);
  if ((target.ratio !== undefined || target.above !== undefined) && row.anchor === undefined)
    throw new Error(`"${row.row}" is compared, but has no anchor`);
  const within = (value: number | undefined, most: number | undefined) =>
    most === undefined || (value !== undefined && value <= most);
  return [
    ...(within(ratio, target.ratio) ? [] : ['ratio']),
    ...(within(row.ours, target.atMost) && within(aboveOf(row), target.above) ? [] : ['value']),
    ...(within(row.stall, target.stall) ? [] : ['stall']),
    ...(within(row.memory, target.memory) ? [] : ['memory']),
    ...(target.answer === undefined || target.answer === row.answer ? [] : ['answer']),
  ];
}

/** Whether a row reached its target. */
export const isMet = (row: Row): boolean => missesOf(row).length === 0;

/**
 * Why the rows of a group fail the whole run: nothing was measured, a row has no result, or with `isSteady` a steady ratio is
 * higher than it was on a busy machine. The targets depend on the load and fail nothing.
 */
export function failuresOf(group: string, rows: readonly Row[], isSteady = false): string[] {
  if (rows.length === 0) return [`${group}: no row was measured`];
  return rows.flatMap((row) => {
    if (row.failed !== undefined) return [`${group}, ${row.row}: ${row.failed}`];
    const ratio = ratioOf(row) ?? Number.NaN;
    return isSteady && row.steady !== undefined && !(ratio <= row.steady)
      ? [`${group}, ${row.row}: ratio ${ratio.toFixed(2)}, which was at most ${row.steady} before`]
      : [];
  });
}

/** The median; for an even count the upper middle. Throws for an empty list. */
export function median(values: number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('the median of nothing');
  return middle;
}

/** The smallest number that at least `part` (0 to 1) of the numbers do not exceed; NaN for an empty list. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
