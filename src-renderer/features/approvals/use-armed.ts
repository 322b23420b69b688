import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Milliseconds after appearing or moving during which no decision is taken. */
export const ARM_AFTER = 500;
/** The same with the pointer over the card: a click may have been meant for what was there before. */
export const ARM_AFTER_UNDER_POINTER = 1_000;
/** Milliseconds between two checks of the focused element's position. */
const WATCH_EVERY = 100;
/** Pixels that it may move without counting as moved. */
const STILL = 2;

/**
 * Whether a decision may be taken. False for a moment after each change of `key`, so that a click or a key that was meant
 * for the previous content decides nothing. The moment begins when the window is visible.
 */
export function useArmed(key: string, card: RefObject<HTMLElement | null>): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    const arm = () => setArmed(key);
    let timer: ReturnType<typeof setTimeout> | undefined;
    // While the window is hidden, nobody has seen it.
    const begin = () => {
      clearTimeout(timer);
      if (document.hidden) return;
      timer = setTimeout(() => {
        if (card.current?.matches(':hover') === true)
          timer = setTimeout(arm, ARM_AFTER_UNDER_POINTER - ARM_AFTER);
        else arm();
      }, ARM_AFTER);
    };
    begin();
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', begin);
    };
  }, [key, card]);
  return armed === key;
}

/**
 * Whether the element has stayed in place long enough to take a key. It is checked only while it has the focus, since only
 * then do keys reach it.
 */
export function useStandsStill(element: RefObject<HTMLElement | null>): () => boolean {
  const top = useRef<number>(undefined);
  const still = useRef(0);
  const look = useCallback(() => {
    const now = element.current?.getBoundingClientRect().top;
    if (now === undefined) return;
    if (top.current !== undefined && Math.abs(now - top.current) > STILL)
      still.current = Date.now() + ARM_AFTER;
    top.current = now;
  }, [element]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (element.current?.contains(document.activeElement) === true) look();
      else top.current = undefined;
    }, WATCH_EVERY);
    return () => clearInterval(timer);
  }, [element, look]);
  return useCallback(() => {
    look();
    return Date.now() >= still.current;
  }, [look]);
}
