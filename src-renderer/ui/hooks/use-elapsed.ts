import { useEffect, useRef, useState } from 'react';

const SECOND = 1_000;

/**
 * Milliseconds since a time from the main process (milliseconds since 1970), updated every second; 0 without a time. It is
 * never negative, and it keeps counting if the computer's clock is set back. `counts: false` freezes it.
 */
export function useElapsed(since: number | undefined, counts = true): number {
  const [, tick] = useState(0);
  const started = useRef<{ since: number | undefined; before: number; at: number }>(undefined);
  if (started.current === undefined || started.current.since !== since) {
    const before = since === undefined ? 0 : Math.max(0, Date.now() - since);
    started.current = { since, before, at: performance.now() };
  }
  useEffect(() => {
    if (!counts) return;
    const timer = setInterval(() => tick((count) => count + 1), SECOND);
    return () => clearInterval(timer);
  }, [counts]);
  if (since === undefined) return 0;
  const { before, at } = started.current;
  // The renderer's clock stops while the computer sleeps; the wall clock may be set back.
  return Math.max(before + performance.now() - at, Date.now() - since);
}
