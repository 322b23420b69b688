import { type RefObject, useEffect, useState } from 'react';

/** Milliseconds from appearing, or from moving to another place, in which no button takes effect. */
export const ARM_AFTER = 500;
/** The same where the pointer rests on it: then a click may have been meant for what stood there. */
export const ARM_AFTER_UNDER_POINTER = 1_000;

/**
 * Whether a decision may be taken. False for a moment after each change of `key`, so that a click or a key that was
 * meant for what stood there before decides nothing.
 */
export function useArmed(key: string, card: RefObject<HTMLElement | null>): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    const arm = () => setArmed(key);
    let timer = setTimeout(() => {
      if (card.current?.matches(':hover') === true)
        timer = setTimeout(arm, ARM_AFTER_UNDER_POINTER - ARM_AFTER);
      else arm();
    }, ARM_AFTER);
    return () => clearTimeout(timer);
  }, [key, card]);
  return armed === key;
}
