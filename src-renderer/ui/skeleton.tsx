import { useEffect, useState } from 'react';
import { useWords } from './words';

/** Milliseconds before anything is shown: most answers arrive sooner, and nothing should flash. */
const QUIET_FOR = 150;

/** Placeholder lines in the shape of the expected content, shown after a short delay. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => {
  const words = useWords();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_FOR);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <div role="status" aria-label={words.loading} className="flex flex-col gap-2 p-3 animate-pulse">
      {Array.from({ length: lines }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: all alike
          key={line}
          className="h-3 rounded-control bg-hover forced-colors:border"
          style={{ width: `${92 - ((line * 23) % 45)}%` }}
        />
      ))}
    </div>
  );
};
