import { describe, expect, it } from 'vitest';
import { steadyClock } from './steady-clock';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 4, 1, 12);

/** Two clocks that advance together until the wall clock is set. */
function clocks(newest?: number) {
  let wall = NOON;
  let passed = 5;
  const now = steadyClock(
    newest,
    () => wall,
    () => passed,
  );
  const pass = (ms: number) => {
    wall += ms;
    passed += ms;
  };
  const set = (by: number) => {
    wall += by;
  };
  return { now, pass, set };
}

describe('the steady clock', () => {
  it("equals the computer's clock while nobody sets it", () => {
    const { now, pass } = clocks();
    expect(now()).toBe(NOON);
    pass(1_500);
    expect(now()).toBe(NOON + 1_500);
  });

  it("continues when the computer's clock is set back an hour, twice", () => {
    const { now, pass, set } = clocks();
    now();
    pass(2_000);
    set(-HOUR);
    expect(now()).toBe(NOON + 2_000);
    pass(3_000);
    expect(now()).toBe(NOON + 5_000);
    set(-HOUR);
    pass(1_000);
    expect(now()).toBe(NOON + 6_000);
  });

  it('follows a clock that is set forward, and the time that the computer slept', () => {
    const { now, set } = clocks();
    now();
    set(HOUR);
    expect(now()).toBe(NOON + HOUR);
  });

  it('ignores the small corrections of a synchronized clock', () => {
    const { now, pass, set } = clocks();
    now();
    pass(60_000);
    set(-40);
    expect(now()).toBe(NOON + 59_960);
  });

  it('starts after the times that were saved before the clock was set back', () => {
    const { now, pass } = clocks(NOON + HOUR);
    expect(now()).toBe(NOON + HOUR + 1);
    pass(10);
    expect(now()).toBe(NOON + HOUR + 11);
  });

  it('does not wait for a time that was saved while the clock was years ahead', () => {
    expect(clocks(NOON + 8_760 * HOUR).now()).toBe(NOON);
  });
});
