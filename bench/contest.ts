// The same work done by ours, by the published package and by plain means, each in a process of its own: what one of
// them holds in memory, or dies of, says nothing about the others. They take turns, so that a busy moment of the machine
// falls on all alike.
import type { DataName } from './data';
import type { Row } from './row';

/** Where a side works. */
export interface Place {
  /** Absolute paths of the data that the contest asked for. */
  data: Record<DataName, string>;
  /** A folder of this side alone, empty at first and gone afterwards. */
  own: string;
}

/** What a run answers where its time is not the point: `value` stands in the row, in the row's unit. */
export interface Outcome {
  value?: number;
  /** What came out, to be compared with the other sides and with the target. */
  answer?: string;
  /** Numbers for the rows of `Contest.more`, by their keys. */
  more?: Record<string, number>;
}

export interface Runner {
  /** The work that is timed. */
  run(): Promise<Outcome | undefined> | Outcome | undefined;
  /** Before each run, not timed. */
  before?(): Promise<void> | void;
  /** After each run, not timed: what it says is added to what the run said. */
  after?(): Promise<Outcome> | Outcome;
  close?(): Promise<void> | void;
}

/** Everything that is not timed: opens what is needed. */
export type Side = (place: Place) => Promise<Runner> | Runner;

export interface Contest {
  /** Name of the row; unique in its part. */
  row: string;
  unit: Row['unit'];
  target: Row['target'];
  data?: DataName[];
  /** Timed runs of each side. */
  runs: number;
  /** Runs before those. Default 1. */
  warmUp?: number;
  /** Operations in one run: the time of one is what counts. Default 1. */
  per?: number;
  ours: Side;
  /** The first is the anchor that the ratio goes by. */
  limits?: Record<string, Side>;
  peer?: Side;
  /** What has to be known of the package's numbers. */
  peerNote?: string;
  /** Further rows from the same runs, as their outcomes name them. A limit that names one too is its anchor. */
  more?: Record<string, Pick<Row, 'row' | 'unit' | 'target'>>;
}

export type Part = readonly Contest[];

/** Throws where a measured call failed: a fast failure is no result. */
export function sure<T extends { error?: string }>(result: T): T {
  if (result.error !== undefined) throw new Error(result.error);
  return result;
}
