import type { Approval } from '@contract/conversation';
import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Pixels from its end at which something counts as scrolled to it. */
const NEAR = 8;

/** Whether the end of what scrolls in the element is in sight. */
export const hasEndInSight = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight >= scrollHeight - NEAR;

/**
 * Whether all of a call was in sight: the end of the card's body, and of a command the end of its text. Seen once is seen,
 * as long as the call is the same. `onSeen`: the end of the command was in sight.
 */
export function useSeenEnd(
  body: RefObject<HTMLElement | null>,
  { digest, preview }: Approval,
): { seen: boolean; onSeen(): void } {
  const [command, setCommand] = useState<string>();
  const [whole, setWhole] = useState<string>();
  const onSeen = useCallback(() => setCommand(digest), [digest]);
  useEffect(() => {
    const area = body.current;
    if (area === null) return;
    const look = () => {
      if (hasEndInSight(area)) setWhole(digest);
    };
    look();
    area.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(area);
    return () => {
      area.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [body, digest]);
  return { seen: whole === digest && (preview.kind !== 'command' || command === digest), onSeen };
}
