/** Milliseconds of difference between the two clocks that are no jump. */
const SLACK = 1_000;
/** Milliseconds: what is further ahead was written while the clock was wrong, and is not waited for. */
const MOST_AHEAD = 24 * 3_600_000;

/**
 * Milliseconds since 1970 for what is put in order and measured: goes on where the computer's clock is set back, so that
 * what happens later never has the earlier time, and takes as long as it takes. A clock that is set forward is followed;
 * so is the time that the computer slept. `newest`: the latest time that was written before, which it begins after where
 * that is less than a day ahead. `wall` and `passed`: the clock, and milliseconds that nobody sets.
 */
export function steadyClock(
  newest = 0,
  wall: () => number = Date.now,
  passed: () => number = () => performance.now(),
): () => number {
  let lastWall = wall();
  let lastPassed = passed();
  let ahead = newest >= lastWall && newest - lastWall < MOST_AHEAD ? newest + 1 - lastWall : 0;
  return () => {
    const nowWall = wall();
    const nowPassed = passed();
    const gone = nowPassed - lastPassed;
    const setBack = lastWall + gone - nowWall;
    if (setBack > SLACK) ahead += setBack;
    lastWall = nowWall;
    lastPassed = nowPassed;
    return Math.round(nowWall + ahead);
  };
}
