import type { SinceSeen } from '@contract/activity';
import type { ThreadId } from '@contract/ids';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../link';

/** Milliseconds between two records of how far the person has read. */
const NOTE_EVERY = 3_000;
/** Milliseconds that the window must be without focus for a return to count. */
export const AWAY_FOR = 60_000;

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus();

/**
 * What happened in a thread since the person last saw it, until it is dismissed. While the thread is open, records how far the
 * user has read.
 */
export function useSince(threadId: ThreadId, seq: number): { since: SinceSeen | null; dismiss(): void } {
  const [found, setFound] = useState<{ threadId: ThreadId; since: SinceSeen | null }>();
  const latest = useRef(seq);
  latest.current = seq;

  useEffect(() => {
    let isGone = false;
    let noted = -1;
    // Nothing is recorded before the summary has been requested.
    let isNoting = false;
    let leftAt: number | undefined;
    const note = () => {
      if (!isNoting || noted === latest.current) return;
      noted = latest.current;
      void call('thread.seen', { threadId, seq: noted });
    };
    const look = async () => {
      const result = await call('thread.since', { threadId });
      if (isGone) return;
      if (result.ok && result.value !== null) setFound({ threadId, since: result.value });
      isNoting = true;
      if (isLookedAt()) note();
    };
    const away = () => {
      if (leftAt !== undefined || isLookedAt()) return;
      note();
      leftAt = Date.now();
      isNoting = false;
    };
    const back = () => {
      if (leftAt === undefined || !isLookedAt()) return;
      // The clock may have been set back, so the sign of the difference is ignored.
      const wasAway = Math.abs(Date.now() - leftAt) >= AWAY_FOR;
      leftAt = undefined;
      if (wasAway) void look();
      else isNoting = true;
    };
    const change = () => (isLookedAt() ? back() : away());
    void look();
    const timer = setInterval(() => isLookedAt() && note(), NOTE_EVERY);
    window.addEventListener('focus', change);
    window.addEventListener('blur', change);
    document.addEventListener('visibilitychange', change);
    return () => {
      if (isLookedAt()) note();
      isGone = true;
      clearInterval(timer);
      window.removeEventListener('focus', change);
      window.removeEventListener('blur', change);
      document.removeEventListener('visibilitychange', change);
    };
  }, [threadId]);

  const since = found?.threadId === threadId ? found.since : null;
  return { since, dismiss: () => setFound(undefined) };
}
