import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that work which never waits may hold the event loop. */
const MOST = 5;
let since = 0;
let isSameTurn = false;

/** Whether work that never waits has held the event loop for long enough. */
export function isTurnOver(): boolean {
  if (isSameTurn) return performance.now() - since >= MOST;
  // The first to ask in this turn: whoever is idle before need not wait.
  isSameTurn = true;
  since = performance.now();
  setImmediate(() => {
    isSameTurn = false;
  });
  return false;
}

/** Lets everything else have its turn where that is due; cheap enough to be asked before each small piece of work. */
export async function breathe(signal?: AbortSignal): Promise<void> {
  if (!isTurnOver()) return;
  await nextTurn();
  since = performance.now();
  signal?.throwIfAborted();
}
