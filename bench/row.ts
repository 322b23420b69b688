export interface Anchor {
  name: string;
  value: number;
  /** As for ours: a drain that does nothing and is held all the same shows what the machine itself is busy with. */
  stall?: number;
  memory?: number;
}

/** One line of the benchmark: ours beside an anchor that was measured in the same run, since ratios travel and times do not. */
export interface Row {
  /** What was done, as in "read 100 lines at the start of a 1 GB file". */
  row: string;
  unit: 'ms' | 'µs' | 'MB' | 'bytes' | '%' | 'x' | 'count';
  /** Median of several runs, in `unit`. */
  ours: number;
  /** The limit: the least that the same work takes by plain means. */
  anchor?: Anchor;
  /** Other plain means, to see ours beside; no target goes by them. */
  others?: Anchor[];
  /** The published package. Without `value` it did not get there, and `note` says what happened. */
  peer?: { value?: number; stall?: number; memory?: number; note?: string };
  /** Milliseconds: the longest that the event loop was held in a run (median of runs). */
  stall?: number;
  /** MB above what the process held before, at the highest. */
  memory?: number;
  /** What happened instead of a result; `ours` is then no number, and the target is missed. */
  failed?: string;
  /** What came out, where that is compared: hits, processes left over. */
  answer?: string;
  /** The row is met when all that is named holds: `atMost` in `unit`, `ratio` of ours to the anchor, `stall` in ms, `memory` in MB. */
  target: { atMost?: number; ratio?: number; stall?: number; memory?: number; answer?: string };
}

export interface GroupOptions {
  /** Measure only these parts of the group; all where it is empty. */
  only: string[];
  /** Measure only rows whose name contains this. */
  row: string;
  /** Fewer runs of each, for a look between two changes. */
  quick: boolean;
  /** Leave the published package out. */
  peer: boolean;
}

/** What a `<group>.bench.ts` exports as its default. */
export type Group = (options: GroupOptions) => Promise<Row[]>;

/** Ours divided by the anchor's value; undefined where there is no anchor. */
export function ratioOf(row: Row): number | undefined {
  return row.anchor === undefined ? undefined : row.ours / row.anchor.value;
}

/** Ours divided by the peer's value; undefined where the peer has none. */
export function peerRatioOf(row: Row): number | undefined {
  return row.peer?.value === undefined ? undefined : row.ours / row.peer.value;
}

/** What a row misses of its target, in words; nothing: the target is met. A ratio without an anchor is a mistake and throws. */
export function missesOf(row: Row): string[] {
  const { target } = row;
  if (row.failed !== undefined) return ['failed'];
  const ratio = ratioOf(row);
  if (target.ratio !== undefined && ratio === undefined)
    throw new Error(`"${row.row}" has a ratio but no anchor`);
  const within = (value: number | undefined, most: number | undefined) =>
    most === undefined || (value !== undefined && value <= most);
  return [
    ...(within(ratio, target.ratio) ? [] : ['ratio']),
    ...(within(row.ours, target.atMost) ? [] : ['value']),
    ...(within(row.stall, target.stall) ? [] : ['stall']),
    ...(within(row.memory, target.memory) ? [] : ['memory']),
    ...(target.answer === undefined || target.answer === row.answer ? [] : ['answer']),
  ];
}

/** Whether a row reached its target. */
export const isMet = (row: Row): boolean => missesOf(row).length === 0;

/** The middle of the numbers; of an even count the upper middle. Throws for none. */
export function median(values: number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('the median of nothing');
  return middle;
}

/** The least number that `part` (0 to 1) of the numbers are not above; NaN for none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
