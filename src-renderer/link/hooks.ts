import type { AppSnapshot } from '@contract/app';
import type { ThreadState } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useEffect } from 'react';
import { holdThread, useLink } from './store';

/**
 * Whether the window is connected and has the app's state. `isShown`: there is one to draw, as it is now or, while
 * `waiting`, as it was.
 */
export const usePort = (): {
  phase: 'waiting' | 'ready' | 'failed';
  error: ErrorInWords | undefined;
  isShown: boolean;
} => {
  const phase = useLink((link) => link.phase);
  const error = useLink((link) => link.error);
  const isShown = useLink((link) => link.app !== undefined);
  return { phase, error, isShown };
};

/** Whether the main process has said how things are; until then, what is shown is what was. */
export const useAnswered = (): boolean => useLink((link) => link.phase === 'ready');

/**
 * A part of the app's state; the component draws again when that part is another value, so select what exists rather
 * than build objects. Only below the gate that `usePort` feeds: there is no state before.
 */
export function useApp<T>(select: (app: AppSnapshot) => T): T {
  return useLink((link) => {
    if (!link.app) throw new Error('useApp is used before the app state is there');
    return select(link.app);
  });
}

/**
 * Opens the thread while the component is there. Undefined until its state has come, and for null. With `select` it is a
 * part of the state, and the component is drawn again only when that part is another value.
 */
export function useThread(threadId: ThreadId | null): ThreadState | undefined;
export function useThread<T>(threadId: ThreadId | null, select: (state: ThreadState) => T): T | undefined;
export function useThread(
  threadId: ThreadId | null,
  select: (state: ThreadState) => unknown = (state) => state,
): unknown {
  useEffect(() => (threadId === null ? undefined : holdThread(threadId)), [threadId]);
  return useThreadPart(threadId, select);
}

/** Why the thread could not be opened, where it could not. Opens nothing itself. */
export function useThreadError(threadId: ThreadId | null): ErrorInWords | undefined {
  return useLink((link) => {
    const open = threadId === null ? undefined : link.threads.get(threadId);
    return open?.phase === 'failed' ? open.error : undefined;
  });
}

/** A part of an open thread's state, for who draws little of it: drawn again only when that part is another value. */
export function useThreadPart<T>(
  threadId: ThreadId | null,
  select: (state: ThreadState) => T,
): T | undefined {
  return useLink((link) => {
    const open = threadId === null ? undefined : link.threads.get(threadId);
    const state = open?.phase === 'open' ? open.state : open?.phase === 'opening' ? open.last : undefined;
    return state === undefined ? undefined : select(state);
  });
}
