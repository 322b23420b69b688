import type { AppSnapshot, TerminalInfo } from '@contract/app';
import type { ThreadState } from '@contract/conversation';
import type { CallId, ThreadId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useEffect } from 'react';
import { holdThread, useLink } from './store';

/**
 * Whether the window is connected and has the app's state. `isShown`: there is a state to render, either the current one or,
 * while `waiting`, the last known one.
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

/** Whether the main process has sent its state; until then the window shows the last known one. */
export const useAnswered = (): boolean => useLink((link) => link.phase === 'ready');

/**
 * A part of the app's state. The component renders again only when that part changes, so select existing values rather than
 * build objects. Use it only below the gate that checks `usePort`: there is no state before.
 */
export function useApp<T>(select: (app: AppSnapshot) => T): T {
  return useLink((link) => {
    if (!link.app) throw new Error('useApp is used before the app state is there');
    return select(link.app);
  });
}

/**
 * Keeps the thread open while the component is mounted. Undefined until its state arrives, and for null. With `select` it
 * returns a part of the state, and the component renders again only when that part changes.
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

/** Why the thread could not be opened, if it failed. Does not open it. */
export function useThreadError(threadId: ThreadId | null): ErrorInWords | undefined {
  return useLink((link) => {
    const open = threadId === null ? undefined : link.threads.get(threadId);
    return open?.phase === 'failed' ? open.error : undefined;
  });
}

/**
 * A part of an open thread's state, for components that show little of it: they render again only when that part changes.
 */
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

/** Whether a command of the agent that matches waits for the person to type. */
export function useAwaitsInput(matches: (terminal: TerminalInfo) => boolean): boolean {
  return useLink((link) => link.app?.terminals.some((one) => awaitsInput(one) && matches(one)) ?? false);
}

/** The background job that a call of the agent started; undefined for other calls, and once its record is gone. */
export function useJob(callId: CallId): TerminalInfo | undefined {
  return useLink((link) =>
    link.app?.terminals.find((one) => one.background === true && one.callId === callId),
  );
}

/** A command that ended waits for nothing, whatever was stored of it. */
export const awaitsInput = ({ awaitsInput: waits, endedAt }: TerminalInfo): boolean =>
  waits === true && endedAt === null;
