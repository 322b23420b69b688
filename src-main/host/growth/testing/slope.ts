/** What it costs to have `count` of something. */
export interface Point {
  count: number;
  /** The database's. */
  bytes: number;
  /** Milliseconds until the host is there and has told a window everything; of steps, until the thread is open. */
  start: number;
  /** Milliseconds of one turn with one answer, or of one step. */
  step: number;
  /** Bytes of the heap. */
  memory: number;
}

/**
 * The exponent with which a cost grows between the last two sizes: 0 if it stays the same, 1 if it grows like the number, 2 if
 * like its square.
 */
export function slopeOf(points: readonly Point[], cost: Exclude<keyof Point, 'count'>): number {
  const [from, to] = points.slice(-2);
  if (from === undefined || to === undefined) throw new Error('two sizes are needed');
  return Math.log(to[cost] / from[cost]) / Math.log(to.count / from.count);
}
