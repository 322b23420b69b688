import { startTransition, useEffect, useState } from 'react';
import { useAnswered } from '../link';

/** Milliseconds after which a frame is not waited for: a window that nobody sees draws none. */
const FRAME_WITHIN = 100;

/**
 * Whether all of the window is drawn. Before the main process has answered it begins with the field that one writes in;
 * the parts around it come with a later frame, in pieces between which a key is heard.
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
