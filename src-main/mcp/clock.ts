/** The clock behind every limit on a server. Tests pass their own and move it themselves. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Aborts after so many milliseconds. */
  limit(milliseconds: number): AbortSignal;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  limit: (milliseconds) => AbortSignal.timeout(milliseconds),
};
