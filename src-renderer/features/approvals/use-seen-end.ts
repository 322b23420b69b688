import type { Approval } from '@contract/approvals';
import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Pixels from the end that count as scrolled to the end. */
const NEAR = 8;

/** Whether the end of the element's scrolling content is visible. */
export const hasEndInSight = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight >= scrollHeight - NEAR;

/** What scrolls the body of a card: itself, or the whole card where little fits. */
export const scrollerOf = (body: HTMLElement, card: HTMLElement): HTMLElement =>
  body.scrollHeight > body.clientHeight + NEAR ? body : card;

interface Parts {
  /** Scrolls if the heading names a very long path. */
  heading: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
  card: RefObject<HTMLElement | null>;
}

/**
 * Whether all of a call was visible: the ends of the card's heading and body, and the end of a command's text. It stays true
 * as long as the call is the same. `onSeen`: the end of the command was visible. `isLong`: the heading scrolls.
 */
export function useSeenEnd(
  { heading, body, card }: Parts,
  { digest, preview }: Approval,
): { seen: boolean; isLong: boolean; onSeen(): void } {
  const [command, setCommand] = useState<string>();
  const [title, setTitle] = useState<string>();
  const [whole, setWhole] = useState<string>();
  const [isLong, setLong] = useState(false);
  const onSeen = useCallback(() => setCommand(digest), [digest]);
  useEffect(() => {
    const [top, area, around] = [heading.current, body.current, card.current];
    if (top === null || area === null || around === null) return;
    const look = () => {
      setLong(top.scrollHeight > top.clientHeight + NEAR);
      if (hasEndInSight(top)) setTitle(digest);
      if (hasEndInSight(scrollerOf(area, around))) setWhole(digest);
    };
    look();
    const observer = new ResizeObserver(look);
    for (const one of [top, area, around]) {
      one.addEventListener('scroll', look, { passive: true });
      observer.observe(one);
    }
    return () => {
      for (const one of [top, area, around]) one.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [heading, body, card, digest]);
  const hasSeenCommand = preview.kind !== 'command' || command === digest;
  return { seen: title === digest && whole === digest && hasSeenCommand, isLong, onSeen };
}
