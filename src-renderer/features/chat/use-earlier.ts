import type { ThreadId } from '@contract/ids';
import { useCallback, useRef } from 'react';
import { loadEarlier } from '../../link';

/** Messages per earlier page, and when loading all of them. */
const PAGE = 200;
export const ALL_MESSAGES = 100_000;

/** Requests one more page, one at a time. */
export function useEarlier(threadId: ThreadId): () => void {
  const busy = useRef(false);
  return useCallback(() => {
    if (busy.current) return;
    busy.current = true;
    void loadEarlier(threadId, { limit: PAGE }).then(() => {
      busy.current = false;
    });
  }, [threadId]);
}
