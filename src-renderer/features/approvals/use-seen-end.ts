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

/**
 * Whether all of a call was visible: the end of the card's body, and the end of a command's text. It stays true as long as
 * the call is the same. `onSeen`: the end of the command was visible.
 */
export function useSeenEnd(
  body: RefObject<HTMLElement | null>,
  card: RefObject<HTMLElement | null>,
  { digest, preview }: Approval,
): { seen: boolean; onSeen(): void } {
  const [command, setCommand] = useState<string>();
  const [whole, setWhole] = useState<string>();
  const onSeen = useCallback(() => setCommand(digest), [digest]);
  useEffect(() => {
    const [area, around] = [body.current, card.current];
    if (area === null || around === null) return;
    const look = () => {
      if (hasEndInSight(scrollerOf(area, around))) setWhole(digest);
    };
    look();
    const observer = new ResizeObserver(look);
    for (const one of [area, around]) {
      one.addEventListener('scroll', look, { passive: true });
      observer.observe(one);
    }
    return () => {
      for (const one of [area, around]) one.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [body, card, digest]);
  return { seen: whole === digest && (preview.kind !== 'command' || command === digest), onSeen };
}
