import type { HooksState } from '@contract/hooks';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from '../../link';

export type HookList =
  | { phase: 'loading' }
  | { phase: 'listed'; state: HooksState }
  | { phase: 'failed'; error: ErrorInWords };

/** The hooks of a project. Events keep their results up to date. */
export function useHooks(projectId: ProjectId): { list: HookList; reload(): void } {
  const [list, setList] = useState<HookList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call('hooks.list', { projectId }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      setList(
        result.ok ? { phase: 'listed', state: result.value } : { phase: 'failed', error: result.error },
      );
    });
  }, [projectId]);
  useEffect(() => {
    reload();
    const stop = onHostEvent('hooks.changed', (event) => {
      if (event.projectId === projectId) reload();
    });
    return () => {
      stop();
      running.current.abort();
    };
  }, [projectId, reload]);
  return { list, reload };
}
