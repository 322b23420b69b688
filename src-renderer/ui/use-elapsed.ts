import { useEffect, useRef, useState } from 'react';

const SECOND = 1_000;

/**
 * Milliseconds since a time that the main process told (milliseconds since 1970), redrawn each second; 0 where none was
 * told. Never less than nothing, and it goes on where the computer's clock is set back meanwhile. `counts`: false leaves
 * it as it is.
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
  // The clock of the page stands still while the computer sleeps; that on the wall may be set back.
  return Math.max(before + performance.now() - at, Date.now() - since);
}
