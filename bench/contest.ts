// Runs the same work with our code, the published package and direct implementations, each in a separate process, so that
// memory use or a crash of one does not affect the others. They alternate, so that a busy moment of the machine affects all
// of them.
import type { DataName } from './data';
import type { Row } from './row';

/** Where a side runs. */
export interface Place {
  /** Absolute paths of the data that the contest requested. */
  data: Record<DataName, string>;
  /** A private folder of this side, empty at first and removed afterwards. */
  own: string;
}

/** The result of a run that does not measure time: `value` appears in the row, in its unit. */
export interface Outcome {
  value?: number;
  /** The output, compared with the other sides and with the target. */
  answer?: string;
  /** Numbers for the rows of `Contest.more`, by their keys. */
  more?: Record<string, number>;
}

export interface Runner {
  /** The timed work. */
  run(): Promise<Outcome | undefined> | Outcome | undefined;
  /** Before each run; not timed. */
  before?(): Promise<void> | void;
  /** After each run; not timed. Its outcome is added to the run's. */
  after?(): Promise<Outcome> | Outcome;
  close?(): Promise<void> | void;
}

/** The untimed setup: opens what is needed. */
export type Side = (place: Place) => Promise<Runner> | Runner;

export interface Contest {
  /** Name of the row; unique in its part. */
  row: string;
  unit: Row['unit'];
  target: Row['target'];
  data?: DataName[];
  /** Timed runs of each side. */
  runs: number;
  /** Untimed runs before those. Default 1. */
  warmUp?: number;
  /** Operations per run; the row shows the time of one. Default 1. */
  per?: number;
  ours: Side;
  /** The first is the anchor of the ratio. */
  limits?: Record<string, Side>;
  peer?: Side;
  /** A note on the package's numbers. */
  peerNote?: string;
  /** The ratio to the anchor that it keeps on a busy machine too: `npm run bench -- --steady` fails above it. */
  steady?: number;
  /** Further rows from the same runs, as their outcomes name them. A limit that also names one is its anchor. */
  more?: Record<string, Pick<Row, 'row' | 'unit' | 'target'>>;
}

/** A text says why this machine cannot measure the part. */
export type Part = readonly Contest[] | string;

/** Throws if a measured call failed: a fast failure is no result. */
export function sure<T extends { error?: string }>(result: T): T {
  if (result.error !== undefined) throw new Error(result.error);
  return result;
}
