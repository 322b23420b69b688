import { type RefObject, useEffect } from 'react';
import { placeToasts } from '../../../ui';

/** Pixels between toasts and the field below them. */
const APART = 8;

/**
 * Places toasts above the composer, not on it. While `isAsked`, when a question may show its buttons there, they stay at
 * their default position.
 */
export function useToastPlace(field: RefObject<HTMLElement | null>, isAsked: boolean): void {
  useEffect(() => {
    const element = field.current;
    if (!element || isAsked) return;
    const put = () => {
      const { left, right, top } = element.getBoundingClientRect();
      const { innerWidth, innerHeight } = window;
      const inside = (pixels: number) => Math.round(Math.max(0, pixels));
      placeToasts({
        left: inside(left),
        right: inside(innerWidth - right),
        bottom: inside(innerHeight - top + APART),
      });
    };
    put();
    // The surroundings determine its position, its own size its height.
    const observer = new ResizeObserver(put);
    for (const seen of [element, element.closest('[data-conversation]'), document.documentElement])
      if (seen) observer.observe(seen);
    return () => {
      observer.disconnect();
      placeToasts(undefined);
    };
  }, [field, isAsked]);
}
