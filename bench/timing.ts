import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { median } from './row';

/** Milliseconds in which the monitor of delays ticks a few times. */
const TICKS = 5;

/** Milliseconds that `run` takes. */
async function time(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/** Medians (milliseconds) of several runs, taken in turn so that a busy moment of the machine falls on all alike. */
export async function inTurn<Name extends string>(
  rounds: number,
  warmUp: number,
  cases: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const times = new Map<string, number[]>();
  const entries = Object.entries<() => Promise<unknown>>(cases);
  for (let round = 0; round < rounds + warmUp; round += 1) {
    for (const [name, run] of entries) {
      const took = await time(run);
      if (round >= warmUp) times.set(name, [...(times.get(name) ?? []), took]);
    }
  }
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)])) as Record<Name, number>;
}

/** What `run` takes, and the longest time that the event loop was held meanwhile (milliseconds). */
export async function watched<T>(run: () => T): Promise<{ took: number; stall: number; result: Awaited<T> }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // The monitor notes the time between two ticks: one must have been before the run, and one must come after it.
  await setTimeout(TICKS);
  const from = performance.now();
  const result = await run();
  const took = performance.now() - from;
  await setTimeout(TICKS);
  delay.disable();
  return { took, stall: delay.max / 1e6, result };
}
