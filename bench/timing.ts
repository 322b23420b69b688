import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds in which the delay monitor ticks a few times. */
const TICKS = 5;

/** How long `run` takes, and the longest event loop delay during it (milliseconds). */
export async function watched<T>(run: () => T): Promise<{ took: number; stall: number; result: Awaited<T> }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // The monitor records the time between two ticks: one must come before the run, and one after it.
  await setTimeout(TICKS);
  const from = performance.now();
  const result = await run();
  const took = performance.now() - from;
  await setTimeout(TICKS);
  delay.disable();
  return { took, stall: delay.max / 1e6, result };
}
