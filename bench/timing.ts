import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';

/** Milliseconds in which the monitor of delays ticks a few times. */
const TICKS = 5;

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
