import { type RefObject, useEffect, useRef } from 'react';

/** Frames until everything that a click opened is laid out and measured. */
const FRAMES = 6;
const HOLD = 'deepdesk-hold';

/** Keeps an element where it is while what is below it changes. Call it before the change. */
export const holdInPlace = (element: HTMLElement | null): void => {
  element?.dispatchEvent(new CustomEvent(HOLD, { bubbles: true }));
};

interface Held {
  element: HTMLElement;
  row: HTMLElement | null;
  top: number;
  rowTop: number;
}

/**
 * The row that the person opens, closes or edits stays under the pointer, even at the end of the list. Returns whether one is
 * held, so that nothing else scrolls. `onHeld`: it was held, so the list may no longer be at its end.
 */
export function useHold(scroller: RefObject<HTMLElement | null>, onHeld: () => void): () => boolean {
  const held = useRef<Held | undefined>(undefined);
  const isHolding = useRef(() => held.current !== undefined);
  useEffect(() => {
    const list = scroller.current;
    if (!list) return;
    let frame = 0;
    const put = () => {
      const now = held.current;
      if (!now) return;
      // An edited message is replaced, but not its row.
      const [element, top] = now.element.isConnected ? [now.element, now.top] : [now.row, now.rowTop];
      if (!element?.isConnected) return;
      const by = element.getBoundingClientRect().top - top;
      if (Math.abs(by) > 0.5) list.scrollTop += by;
    };
    const step = (left: number) => {
      put();
      if (left > 0) frame = requestAnimationFrame(() => step(left - 1));
      else {
        held.current = undefined;
        onHeld();
      }
    };
    const hold = (element: HTMLElement) => {
      const row = element.closest<HTMLElement>('[data-row]');
      held.current = {
        element,
        row,
        top: element.getBoundingClientRect().top,
        rowTop: row?.getBoundingClientRect().top ?? 0,
      };
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => step(FRAMES));
    };
    const onClick = ({ target }: MouseEvent) => {
      const button = target instanceof Element && target.closest<HTMLElement>('button[aria-expanded]');
      // A card moves as it grows: its buttons stay in view.
      if (button && button.getAttribute('aria-haspopup') === null && !button.closest('[data-approval]'))
        hold(button);
    };
    const onHold = ({ target }: Event) => target instanceof HTMLElement && hold(target);
    list.addEventListener('click', onClick, { capture: true });
    list.addEventListener(HOLD, onHold);
    return () => {
      cancelAnimationFrame(frame);
      held.current = undefined;
      list.removeEventListener('click', onClick, { capture: true });
      list.removeEventListener(HOLD, onHold);
    };
  }, [scroller, onHeld]);
  return isHolding.current;
}
