import { useEffect, useState } from 'react';

/** Milliseconds between two updates of "2 min. ago". */
const CLOCK = 30_000;

/** The current time, updated periodically: a time such as "now" would otherwise stay on the screen for hours. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
