import { inspect } from 'node:util';

/** What a fault may cost the person. `effects`: a side effect that happened twice or not at all. */
export const KINDS = ['files', 'messages', 'approvals', 'memories', 'effects', 'database'] as const;
export type Kind = (typeof KINDS)[number];

/** The results of one fault, as written to the result file. */
export interface FaultResult {
  fault: string;
  provoked: number;
  lost: Record<Kind, number>;
  /** The first findings, for the person who looks for the cause. */
  problems: string[];
  /** Milliseconds of each recovery. */
  recoveries: number[];
}

/** What a fault is provoked with. */
export interface FaultOptions {
  /** Made by `bundleFaults`. */
  bundle: string;
  /** An empty folder. */
  place: string;
  times: number;
  seed: number;
  /** From 0 up to, but not including, 1. */
  random: () => number;
}

const MAX_PROBLEMS = 20;
/** Characters of one finding. */
const MAX_PROBLEM = 1_500;

/** Counts how often a fault was provoked and what it cost. */
export class Tally {
  provoked = 0;
  readonly lost = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  readonly problems: string[] = [];
  readonly recoveries: number[] = [];

  /** One provocation; what it throws counts as a loss of that kind. */
  async provoke(kind: Kind, once: () => Promise<void>): Promise<void> {
    this.provoked += 1;
    try {
      await once();
    } catch (error) {
      this.add(kind, inspect(error, { depth: 4 }));
    }
  }

  add(kind: Kind, problem: string): void {
    this.lost[kind] += 1;
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push(`${this.provoked}. ${kind}: ${problem.slice(0, MAX_PROBLEM)}`);
  }

  /** Measures a recovery. */
  async recover<T>(run: () => T | Promise<T>): Promise<T> {
    const since = performance.now();
    const value = await run();
    this.recoveries.push(performance.now() - since);
    return value;
  }

  result(fault: string): FaultResult {
    const { provoked, lost, problems } = this;
    return { fault, provoked, lost, problems, recoveries: this.recoveries.map((ms) => Math.round(ms)) };
  }
}
