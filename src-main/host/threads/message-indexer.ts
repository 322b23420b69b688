import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';

/** Milliseconds of work at a time: a frame goes by in between. */
const WORK = 6;
/** Milliseconds until the next piece, and until the first one after something was said. */
const PAUSE = 24;
const SETTLE = 1_500;

/**
 * Takes what was said into the index of words while nothing else is asked: some time after a thread changed, a few
 * milliseconds at once. Returns its undo.
 */
export function indexInIdle(storage: Storage, hub: Hub, report: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const later = (after: number) => {
    timer ??= setTimeout(work, after).unref();
  };
  const work = () => {
    timer = undefined;
    try {
      if (storage.search.index(WORK)) later(PAUSE);
    } catch (error) {
      // A full disk or another process that writes: what is left is taken up with the next change.
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
