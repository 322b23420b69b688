import { call } from './store';

/** Milliseconds from the first change until it is on the disk, so that changes close together share a write. */
const FLUSH_AFTER = 1_000;
let isDue = false;

/**
 * Has the browser's storage written to the disk soon. Call it after storing what the person wrote: a crash loses what Chromium
 * has not written yet, which can be the last minute.
 */
export function flushSoon(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    void call('window.flush', {});
  }, FLUSH_AFTER);
}
