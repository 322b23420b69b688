import { useEffect, useState } from 'react';

/** Milliseconds from appearing, or from moving to another place, in which no button takes effect. */
export const ARM_AFTER = 500;

/**
 * Whether a decision may be taken. False for a moment after each change of `key`, so that a click or a key that was
 * meant for what stood there before decides nothing.
 */
export function useArmed(key: string): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setArmed(key), ARM_AFTER);
    return () => clearTimeout(timer);
  }, [key]);
  return armed === key;
}
