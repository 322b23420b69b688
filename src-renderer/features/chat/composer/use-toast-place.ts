import { type RefObject, useEffect } from 'react';

/** Pixels between toasts and the field below them. */
const APART = 8;
const NAMES = ['--toasts-left', '--toasts-right', '--toasts-bottom'] as const;

/**
 * Places toasts above the composer, not on it. While `isAsked`, when a question may show its buttons there, they stay at
 * their default position.
 */
export function useToastPlace(field: RefObject<HTMLElement | null>, isAsked: boolean): void {
  useEffect(() => {
    const element = field.current;
    if (!element || isAsked) return;
    const { style } = document.documentElement;
    const put = () => {
      const { left, right, top } = element.getBoundingClientRect();
      const { innerWidth, innerHeight } = window;
      const places = [left, innerWidth - right, innerHeight - top + APART];
      for (const [at, name] of NAMES.entries())
        style.setProperty(name, `${Math.round(Math.max(0, places[at] ?? 0))}px`);
    };
    put();
    // The surroundings determine its position, its own size its height.
    const observer = new ResizeObserver(put);
    for (const seen of [element, element.closest('[data-conversation]'), document.documentElement])
      if (seen) observer.observe(seen);
    return () => {
      observer.disconnect();
      for (const name of NAMES) style.removeProperty(name);
    };
  }, [field, isAsked]);
}
