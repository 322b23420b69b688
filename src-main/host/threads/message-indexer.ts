import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';

/** Milliseconds of work per slice, so that a frame fits in between. */
const WORK = 6;
/** Milliseconds until the next slice, and until the first one after a new message. */
const PAUSE = 24;
const SETTLE = 1_500;

/**
 * Indexes messages for the search while the app is idle: some time after a thread changed, a few milliseconds per slice.
 * Returns a function that stops it.
 */
export function indexInIdle(storage: Storage, hub: Hub, report: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const later = (after: number) => {
    timer ??= setTimeout(work, after).unref();
  };
  const work = () => {
    timer = undefined;
    if (storage.lock.isHeld()) return later(SETTLE);
    try {
      if (storage.search.index(WORK)) later(PAUSE);
    } catch (error) {
      // A full disk or another writing process: the next change indexes the rest.
      report(error);
    }
  };
  later(SETTLE);
  const stop = hub.onApp((event) => {
    if (event.type === 'summary.changed') later(SETTLE);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
