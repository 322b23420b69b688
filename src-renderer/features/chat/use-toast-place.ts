import { type RefObject, useEffect } from 'react';

/** Pixels between short messages and the field below them. */
const APART = 8;
const NAMES = ['--toasts-left', '--toasts-right', '--toasts-bottom'] as const;

/**
 * Short messages stand above the field where one writes, not on it; while `isAsked`, when the buttons of a question may
 * stand there, they are left where they are without it.
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
    // What is around it tells where it is, its own size how high it is.
    const observer = new ResizeObserver(put);
    for (const seen of [element, element.closest('[data-conversation]'), document.documentElement])
      if (seen) observer.observe(seen);
    return () => {
      observer.disconnect();
      for (const name of NAMES) style.removeProperty(name);
    };
  }, [field, isAsked]);
}
