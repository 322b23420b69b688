import { startTransition, useEffect, useState } from 'react';
import { useAnswered } from '../link';

/** Milliseconds to wait for a frame: a hidden window draws none. */
const FRAME_WITHIN = 100;

/**
 * Whether the whole window is rendered. Until the main process answers, the window starts with the composer. The rest
 * follows in a later frame, in pieces with time for key presses in between.
 */
export function useWhole(): boolean {
  const isAnswered = useAnswered();
  const [isDrawn, setDrawn] = useState(isAnswered);
  useEffect(() => {
    const next = () => startTransition(() => setDrawn(true));
    let timer = setTimeout(next, FRAME_WITHIN);
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      timer = setTimeout(next);
    });
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, []);
  return isDrawn || isAnswered;
}
