import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum milliseconds of synchronous work before it yields to the event loop. */
const SLICE_MS = 5;
let since = 0;
let isSameTurn = false;

/** Whether synchronous work has held the event loop for long enough. The first call after an idle period returns false. */
export function isTurnOver(): boolean {
  if (isSameTurn) return performance.now() - since >= SLICE_MS;
  isSameTurn = true;
  since = performance.now();
  setImmediate(() => {
    isSameTurn = false;
  });
  return false;
}

/** Lets other work run when it is due. Cheap enough to call after each small step of long work. */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  if (performance.now() - since < SLICE_MS) return;
  await nextTurn();
  since = performance.now();
  signal?.throwIfAborted();
}
