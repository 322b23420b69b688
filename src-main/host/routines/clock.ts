/** The time and a timer, which tests move. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `work` once, about `ms` milliseconds from now; returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
