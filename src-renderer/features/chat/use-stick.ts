import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useHold } from './use-hold';

/** Pixels from the end that still count as the end. */
const NEAR = 32;
/** Pixels kept free above a question. */
const ABOVE = 12;

/** The pending call. */
const questionIn = (content: HTMLElement) => content.querySelector<HTMLElement>('[data-approval]');

/**
 * The target scroll position in pixels from the top: the end, or the whole question above it, since a card is never taller
 * than the list. In an empty thread, the top of the placeholder.
 */
function restOf(scroller: HTMLElement, content: HTMLElement): number {
  if (content.querySelector('[data-row]') === null) return 0;
  const end = scroller.scrollHeight - scroller.clientHeight;
  const first = questionIn(content);
  if (first === null) return end;
  const room = scroller.getBoundingClientRect();
  const { top, height } = first.getBoundingClientRect();
  // Content that just fits is shown as a whole.
  const spare = room.height - height;
  const by = top - room.top - (spare < 0 ? ABOVE : Math.min(ABOVE, spare));
  return Math.min(end, scroller.scrollTop + by);
}

/** The pending call's card is in sight, at least half of it. */
function seesQuestion(scroller: HTMLElement, content: HTMLElement | null): boolean {
  const card = content && questionIn(content);
  if (!card) return false;
  const room = scroller.getBoundingClientRect();
  const { top, bottom, height } = card.getBoundingClientRect();
  const seen = Math.min(bottom, room.bottom) - Math.max(top, room.top);
  return seen >= Math.min(height, room.height) / 2;
}

/**
 * Keeps a scrolling element at its end while its content grows, but only if the person was at the end. A different `key`
 * starts at the end again. `fromEnd`: the caller does not scroll to another place right after the start.
 */
export function useStick(
  key: string,
  fromEnd: boolean,
): {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** At the end, or at the card of the pending call. */
  atEnd: boolean;
  toEnd(): void;
  /** The person scrolls away: new content does not bring them back. */
  leave(): void;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  /** Where this hook last scrolled to; any other position is the person's. */
  const put = useRef(0);
  const [atEnd, setAtEnd] = useState(fromEnd);

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

  const onHeld = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    stuck.current &&= element.scrollHeight - element.clientHeight - element.scrollTop < NEAR;
    put.current = element.scrollTop;
    setAtEnd(stuck.current || seesQuestion(element, content.current));
  }, []);
  const isHolding = useHold(scroller, onHeld);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a different thread starts at its end
  useLayoutEffect(begin, [key, begin]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    let lastHeight = element.scrollHeight;
    let lastRoom = element.clientHeight;
    const onScroll = () => {
      const near = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR;
      // Growing content moves the end away, and shrinking content moves the view up. Only a scroll over unchanged content
      // means that the person wants to stay. If the field below changed the height, the observer follows.
      const isOwn = Math.abs(element.scrollTop - put.current) > 1;
      if (near) stuck.current = true;
      else if (isOwn && element.scrollHeight === lastHeight && element.clientHeight === lastRoom)
        stuck.current = false;
      lastHeight = element.scrollHeight;
      setAtEnd(stuck.current || seesQuestion(element, inner));
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && element.scrollTop > 0) stuck.current = false;
    };
    const observer = new ResizeObserver(() => {
      lastHeight = element.scrollHeight;
      lastRoom = element.clientHeight;
      if (stuck.current && !isHolding()) {
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
  }, [isHolding]);

  return { scroller, content, atEnd, toEnd: begin, leave };
}
