import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as being there. */
const NEAR = 32;
/** Pixels of a question below its buttons. */
const EDGE = 14;
/** Pixels kept free above the first of several questions. */
const ABOVE = 12;

/** The first call that waits. */
const questionIn = (content: HTMLElement) => content.querySelector<HTMLElement>('[data-approval]');

/**
 * Where to look: the end, or the first of the questions that do not fit above it, so that what is asked is seen before
 * its buttons; where nothing was said yet, the beginning of what stands there instead. Pixels from the top. `passed`: the
 * question that the person has gone through, which stays at its end.
 */
function restOf(scroller: HTMLElement, content: HTMLElement, passed: string | undefined): number {
  if (content.querySelector('[data-row]') === null) return 0;
  const end = scroller.scrollHeight - scroller.clientHeight;
  const first = questionIn(content);
  if (first === null || first.dataset.approval === passed) return end;
  const room = scroller.getBoundingClientRect();
  const { top, height } = first.getBoundingClientRect();
  // What just fits is shown whole.
  const spare = room.height - height;
  const by = top - room.top - (spare < 0 ? ABOVE : Math.min(ABOVE, spare));
  const wanted = Math.min(end, scroller.scrollTop + by);
  // Its buttons are in sight, or none of them is: half a button says nothing.
  const buttons = first.querySelector('footer')?.getBoundingClientRect();
  if (buttons === undefined || wanted === end) return wanted;
  const cut = room.bottom - (buttons.top - by);
  return cut > 0 && cut < buttons.height ? wanted - cut : wanted;
}

/** Whether a question begins in sight or above it, and buttons of the last one are below. */
function isCut(scroller: HTMLElement, content: HTMLElement): boolean {
  const questions = content.querySelectorAll('[data-approval]');
  const [first, last] = [questions[0], questions[questions.length - 1]];
  if (first === undefined || last === undefined) return false;
  const { bottom } = scroller.getBoundingClientRect();
  return (
    first.getBoundingClientRect().top < bottom - NEAR && last.getBoundingClientRect().bottom > bottom + EDGE
  );
}

/**
 * Keeps a scrolling element at its end while its content grows, but only where the person was at the end. `key` names
 * what is shown: another key starts at the end again.
 */
export function useStick(key: string): {
  scroller: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  /** Questions are in sight, but not their end, where the buttons are. */
  goesOn: boolean;
  toEnd(): void;
  /** The person goes somewhere else: what comes does not bring them back. */
  leave(): void;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  /** Where this hook scrolled to last: any other place is the person's own. */
  const put = useRef(0);
  /** The question whose end the person went to. */
  const passed = useRef<string>(undefined);
  const [atEnd, setAtEnd] = useState(true);
  const [goesOn, setGoesOn] = useState(false);

  const begin = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    stuck.current = true;
    setAtEnd(true);
    element.scrollTop = element.scrollHeight;
    put.current = element.scrollTop;
  }, []);

  const toEnd = useCallback(() => {
    if (content.current) passed.current = questionIn(content.current)?.dataset.approval;
    begin();
  }, [begin]);

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
    /** Something was pressed or turned since the content changed: what moves now is moved by the person. */
    let byPerson = false;
    const onScroll = () => {
      const near = element.scrollHeight - element.clientHeight - element.scrollTop < NEAR;
      // Content that grows moves the end away, and content that shrinks moves the view up; only a move over content
      // that stays is the person's wish to stay. Where the room changed, by the field below, the observer comes next.
      const isOwn = Math.abs(element.scrollTop - put.current) > 1;
      if (near) {
        stuck.current = true;
        if (isOwn && byPerson) passed.current = questionIn(inner)?.dataset.approval;
      } else if (isOwn && element.scrollHeight === lastHeight && element.clientHeight === lastRoom)
        stuck.current = false;
      lastHeight = element.scrollHeight;
      setAtEnd(stuck.current);
      setGoesOn(isCut(element, inner));
    };
    const onPress = () => {
      byPerson = true;
    };
    const onWheel = (event: WheelEvent) => {
      onPress();
      if (event.deltaY < 0 && element.scrollTop > 0) stuck.current = false;
    };
    const observer = new ResizeObserver(() => {
      lastHeight = element.scrollHeight;
      lastRoom = element.clientHeight;
      byPerson = false;
      if (stuck.current) {
        element.scrollTop = restOf(element, inner, passed.current);
        put.current = element.scrollTop;
      }
      setGoesOn(isCut(element, inner));
    });
    observer.observe(inner);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: true });
    element.addEventListener('pointerdown', onPress);
    element.addEventListener('keydown', onPress);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('pointerdown', onPress);
      element.removeEventListener('keydown', onPress);
    };
  }, []);

  return { scroller, content, atEnd, goesOn, toEnd, leave };
}
