/** Milliseconds that a test waits for asynchronous results. It is not an expectation: a machine may stall for seconds. */
export const WITHIN = 10_000;
