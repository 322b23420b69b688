import type { CommandName, Input, Output } from '@contract/commands';
import type { ErrorInWords } from '@contract/result';
import { useEffect, useRef, useState } from 'react';
import { call, toast } from '../../../link';

/** Milliseconds after which an action is said to be in progress, and can be stopped. */
const SLOW_AFTER = 1_000;

export interface GitRun {
  busy: boolean;
  /** It takes so long that the person wants to know, and to stop it. */
  isSlow: boolean;
  /** Why the last action failed; null after one that succeeded. */
  error: ErrorInWords | null;
  /**
   * Runs an action and reloads what is shown. Null: it failed, or was stopped. `tell`: gets the error in place of the panel, or null
   * after a success.
   */
  run<C extends CommandName>(
    command: C,
    input: Input<C>,
    tell?: (error: ErrorInWords | null) => void,
  ): Promise<Output<C> | null>;
  /** Stops the action in progress, and what waits for it. */
  stop(): void;
}

/** Runs git actions one after another: one that is asked for meanwhile waits for its turn. */
export function useGitRun(reload: () => void): GitRun {
  /** Actions that run or wait. */
  const [left, setLeft] = useState(0);
  const [error, setError] = useState<ErrorInWords | null>(null);
  const [isSlow, setSlow] = useState(false);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const stopping = useRef(new AbortController());
  const isShown = useRef(true);
  const busy = left > 0;
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  useEffect(() => {
    if (!busy) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER);
    return () => clearTimeout(timer);
  }, [busy]);
  return {
    busy,
    isSlow,
    error,
    run: async (command, input, tell = setError) => {
      const { signal } = stopping.current;
      const answer = last.current.then(() => (signal.aborted ? null : call(command, input, signal)));
      last.current = answer;
      setLeft((before) => before + 1);
      const result = await answer;
      setLeft((before) => before - 1);
      if (result === null) return null;
      const failed = result.ok || result.error.kind === 'cancelled' ? null : result.error;
      tell(failed);
      // The panel is not shown anymore, so it cannot say that a push failed.
      if (failed !== null && !isShown.current) toast(failed.message);
      reload();
      return result.ok ? result.value : null;
    },
    stop: () => {
      stopping.current.abort();
      stopping.current = new AbortController();
    },
  };
}
