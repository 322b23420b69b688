import type { Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from './store';

export type PlaceList =
  | { phase: 'loading' }
  | ({ phase: 'listed' } & Output<'places.list'>)
  | { phase: 'failed'; error: ErrorInWords };

/** The places of a project, or all of them (null). Events keep the list up to date. */
export function usePlaces(projectId: ProjectId | null): { list: PlaceList; reload(): void } {
  const [list, setList] = useState<PlaceList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call('places.list', { projectId }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      setList(result.ok ? { phase: 'listed', ...result.value } : { phase: 'failed', error: result.error });
    });
  }, [projectId]);
  useEffect(() => {
    reload();
    const stop = onHostEvent('places.changed', reload);
    return () => {
      stop();
      running.current.abort();
    };
  }, [reload]);
  return { list, reload };
}
