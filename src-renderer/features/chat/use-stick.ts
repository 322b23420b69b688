import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as being there. */
const NEAR = 32;
/** Pixels kept free above a question. */
const ABOVE = 12;

/** The call that waits. */
const questionIn = (content: HTMLElement) => content.querySelector<HTMLElement>('[data-approval]');

/**
 * Where to look: the end, or the question that stands above it, whole, as a card is never taller than the list; where
 * nothing was said yet, the beginning of what stands there instead. Pixels from the top.
 */
function restOf(scroller: HTMLElement, content: HTMLElement): number {
  if (content.querySelector('[data-row]') === null) return 0;
  const end = scroller.scrollHeight - scroller.clientHeight;
  const first = questionIn(content);
  if (first === null) return end;
  const room = scroller.getBoundingClientRect();
  const { top, height } = first.getBoundingClientRect();
  // What just fits is shown whole.
  const spare = room.height - height;
  const by = top - room.top - (spare < 0 ? ABOVE : Math.min(ABOVE, spare));
  return Math.min(end, scroller.scrollTop + by);
}

/**
 * Keeps a scrolling element at its end while its content grows, but only where the person was at the end. `key` names
 * what is shown: another key starts at the end again.
 */
export function useStick(key: string): {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd(): void;
  /** The person goes somewhere else: what comes does not bring them back. */
  leave(): void;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  /** Where this hook scrolled to last: any other place is the person's own. */
  const put = useRef(0);
  const [atEnd, setAtEnd] = useState(true);

  const begin = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    stuck.current = true;
    setAtEnd(true);
    element.scrollTop = element.scrollHeight;
    put.current = element.scrollTop;
  }, []);

  const leave = useCallback(() => {
    stuck.current = false;
    setAtEnd(false);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread begins at its end
  useLayoutEffect(begin, [key, begin]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    let lastHeight = element.scrollHeight;
    let lastRoom = element.clientHeight;
    const onScroll = () => {
      const near = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR;
      // Content that grows moves the end away, and content that shrinks moves the view up; only a move over content
      // that stays is the person's wish to stay. Where the room changed, by the field below, the observer comes next.
      const isOwn = Math.abs(element.scrollTop - put.current) > 1;
      if (near) stuck.current = true;
      else if (isOwn && element.scrollHeight === lastHeight && element.clientHeight === lastRoom)
        stuck.current = false;
      lastHeight = element.scrollHeight;
      setAtEnd(stuck.current);
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && element.scrollTop > 0) stuck.current = false;
    };
    const observer = new ResizeObserver(() => {
      lastHeight = element.scrollHeight;
      lastRoom = element.clientHeight;
      if (stuck.current) {
        element.scrollTop = restOf(element, inner);
        put.current = element.scrollTop;
      }
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
    };
  }, []);

  return { scroller, content, atEnd, toEnd: begin, leave };
}
