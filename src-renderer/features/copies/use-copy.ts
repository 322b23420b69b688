import type { CommandName, Input, Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from '../../link';

/** Milliseconds after a change in a folder before a refresh. */
const SETTLE = 400;

export type Loaded<T> =
  | { phase: 'loading' }
  | { phase: 'failed'; error: ErrorInWords }
  | { phase: 'loaded'; value: T };

/** What the copy changed. Events of the copy and of its folder keep it up to date. */
export const useCopyChanges = (projectId: ProjectId) => useAnswer('copies.changes', { projectId });

/** One file of it. */
export const useCopyFile = (projectId: ProjectId, path: string) =>
  useAnswer('copies.file', { projectId, path });

function useAnswer<C extends CommandName & ('copies.changes' | 'copies.file')>(
  command: C,
  input: Input<C>,
): { answer: Loaded<Output<C>>; reload(): void } {
  const [answer, setAnswer] = useState<Loaded<Output<C>>>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const key = JSON.stringify(input);
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call(command, JSON.parse(key) as Input<C>, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      setAnswer(
        result.ok ? { phase: 'loaded', value: result.value } : { phase: 'failed', error: result.error },
      );
    });
  }, [command, key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, SETTLE);
    };
    setAnswer({ phase: 'loading' });
    reload();
    const stops = [onHostEvent('changes.recorded', soon), onHostEvent('files.changed', soon)];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
      running.current.abort();
    };
  }, [reload]);
  return { answer, reload };
}
