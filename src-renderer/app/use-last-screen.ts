import type { ThreadId } from '@contract/ids';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { moveDraft } from '../features/chat';
import { keepScreen, useAnswered, useApp } from '../link';
import { viewName } from './views';

/**
 * Saves what the window shows for its next start. If the saved thread turns out to be gone, text typed for it moves to the
 * thread that is shown instead.
 */
export function useLastScreen(threadId: ThreadId | null): void {
  const shown = useRef(threadId);
  shown.current = threadId;
  useEffect(() => keepScreen(viewName(window.name), () => shown.current), []);

  const isAnswered = useAnswered();
  const threads = useApp((app) => app.threads);
  /** The thread that was shown before the answer, until its text has been handled. */
  const typedFor = useRef<ThreadId>(null);
  if (!isAnswered) typedFor.current = threadId;
  // Runs before the other thread's composer reads its draft.
  useLayoutEffect(() => {
    const from = typedFor.current;
    if (!isAnswered || from === null || threadId === null) return;
    typedFor.current = null;
    if (!threads.some(({ id }) => id === from)) moveDraft(from, threadId);
  }, [isAnswered, threadId, threads]);
}
