import type { Approval } from '@contract/approvals';
import { type RefObject, useCallback, useEffect, useState } from 'react';

/** Pixels from the end that count as scrolled to the end. */
const NEAR = 8;

/** Whether the end of the element's scrolling content is visible. */
export const hasEndInSight = ({ scrollTop, clientHeight, scrollHeight }: HTMLElement): boolean =>
  scrollTop + clientHeight >= scrollHeight - NEAR;

/**
 * Whether all of a call was visible: the end of the card's body, and the end of a command's text. It stays true as long as
 * the call is the same. `onSeen`: the end of the command was visible.
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
