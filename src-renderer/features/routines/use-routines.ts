import type { Output } from '@contract/commands';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from '../../link';

export type RoutineList =
  | { phase: 'loading' }
  | ({ phase: 'listed' } & Output<'routines.list'>)
  | { phase: 'failed'; error: ErrorInWords };

/** Every routine with its runs. Events keep the list up to date. */
export function useRoutines(): { list: RoutineList; reload(): void } {
  const [list, setList] = useState<RoutineList>({ phase: 'loading' });
  const running = useRef(new AbortController());
  const reload = useCallback(() => {
    running.current.abort();
    const controller = new AbortController();
    running.current = controller;
    void call('routines.list', {}, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      setList(result.ok ? { phase: 'listed', ...result.value } : { phase: 'failed', error: result.error });
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
