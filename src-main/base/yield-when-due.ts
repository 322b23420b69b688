import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that statements one after the other may hold the event loop. */
const MOST = 5;
let since = 0;

/** Lets everything else have its turn where that is due; to be asked after each bounded statement of many. */
export async function breathe(): Promise<void> {
  if (performance.now() - since < MOST) return;
  await nextTurn();
  since = performance.now();
}
