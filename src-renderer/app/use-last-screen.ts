import type { ThreadId } from '@contract/ids';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { moveDraft } from '../features/chat';
import { keepScreen, useAnswered, useApp } from '../link';
import { viewName } from './views';

/**
 * Keeps what the window shows, for its next start to begin with. Where that turns out to be gone, what was typed for it
 * meanwhile stands in the thread that is shown instead.
 */
export function useLastScreen(threadId: ThreadId | null): void {
  const shown = useRef(threadId);
  shown.current = threadId;
  useEffect(() => keepScreen(viewName(window.name), () => shown.current), []);

  const isAnswered = useAnswered();
  const threads = useApp((app) => app.threads);
  /** The thread that was shown before the answer, until that has been seen to. */
  const typedFor = useRef<ThreadId>(null);
  if (!isAnswered) typedFor.current = threadId;
  // Before the field of the other thread reads what is in it.
  useLayoutEffect(() => {
    const from = typedFor.current;
    if (!isAnswered || from === null || threadId === null) return;
    typedFor.current = null;
    if (!threads.some(({ id }) => id === from)) moveDraft(from, threadId);
  }, [isAnswered, threadId, threads]);
}
