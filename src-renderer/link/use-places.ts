import type { Output } from '@contract/commands';
import type { ProjectId } from '@contract/ids';
import type { ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from './store';

export type PlaceList =
  | { phase: 'loading' }
  | Listed
  /** `last`: the list before, which may still be shown: a form in it would be lost. */
  | { phase: 'failed'; error: ErrorInWords; last?: Listed };

type Listed = { phase: 'listed' } & Output<'places.list'>;

/** The places of a project, or all of them (null). Events keep the list up to date. */
export function usePlaces(projectId: ProjectId | null): { list: PlaceList; reload(): void } {
  const [list, setList] = useState<PlaceList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const last = useRef<Listed>(undefined);
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call('places.list', { projectId }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (result.ok) last.current = { phase: 'listed', ...result.value };
      setList(
        result.ok
          ? { phase: 'listed', ...result.value }
          : { phase: 'failed', error: result.error, ...optional({ last: last.current }) },
      );
    });
  }, [projectId]);
  useEffect(() => {
    last.current = undefined;
    reload();
    const stop = onHostEvent('places.changed', reload);
    return () => {
      stop();
      running.current.abort();
    };
  }, [reload]);
  return { list, reload };
}

/** The places that are known: also while the list cannot be read again. */
export const placesIn = (list: PlaceList): Listed['places'] =>
  (list.phase === 'failed' ? list.last : list.phase === 'listed' ? list : undefined)?.places ?? [];
