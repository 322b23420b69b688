import type { Output } from '@contract/commands';
import type { ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from '../../link';

export type RoutineList =
  | { phase: 'loading' }
  | Listed
  /** `last`: the list before, which may still be shown: a form in it would be lost. */
  | { phase: 'failed'; error: ErrorInWords; last?: Listed };

type Listed = { phase: 'listed' } & Output<'routines.list'>;

/** Every routine with its runs. Events keep the list up to date. */
export function useRoutines(): { list: RoutineList; reload(): void } {
  const [list, setList] = useState<RoutineList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const last = useRef<Listed>(undefined);
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call('routines.list', {}, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (result.ok) last.current = { phase: 'listed', ...result.value };
      setList(
        result.ok
          ? { phase: 'listed', ...result.value }
          : { phase: 'failed', error: result.error, ...optional({ last: last.current }) },
      );
    });
  }, []);
  useEffect(() => {
    reload();
    const stop = onHostEvent('routines.changed', reload);
    return () => {
      stop();
      running.current.abort();
    };
  }, [reload]);
  return { list, reload };
}
