/** Milliseconds of difference between the two clocks that do not count as a jump. */
const SLACK = 1_000;
/** Milliseconds. A time further ahead was saved while the clock was wrong, and is ignored. */
const MAX_AHEAD = 24 * 3_600_000;

/**
 * Milliseconds since 1970 for sorting and measuring. It never goes back when the computer's clock is set back, so later
 * events have later times and durations stay correct. It follows a clock that is set forward, and the time that the computer
 * slept. `newest`: the latest saved time; the clock starts after it if that is less than a day ahead. `wall` and `passed`:
 * the wall clock, and milliseconds that nobody can set.
 */
export function steadyClock(
  newest = 0,
  wall: () => number = Date.now,
  passed: () => number = () => performance.now(),
): () => number {
  let lastWall = wall();
  let lastPassed = passed();
  let ahead = newest >= lastWall && newest - lastWall < MAX_AHEAD ? newest + 1 - lastWall : 0;
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
