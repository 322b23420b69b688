/** The clock behind every time limit of a server. Tests pass a clock that they control. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Aborts after this many milliseconds. */
  limit(milliseconds: number): AbortSignal;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  limit: (milliseconds) => AbortSignal.timeout(milliseconds),
};
