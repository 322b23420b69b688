import type { ActivityEntry } from '@contract/activity';
import type { Input } from '@contract/commands';
import type { ErrorInWords } from '@contract/result';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from '../../link';

type ActivityFilter = Omit<Input<'activity.list'>, 'before'>;

interface ActivityPages {
  /** Undefined until the first page has loaded. */
  entries: readonly ActivityEntry[] | undefined;
  hasMore: boolean;
  error: ErrorInWords | undefined;
  more(): void;
  reload(): void;
}

/** Milliseconds after an event before the list is requested again, because events come in bursts. */
const SETTLE = 300;

/** What ran without asking, page by page. Events keep the first page up to date. */
export function useActivity(filter: ActivityFilter): ActivityPages {
  const [entries, setEntries] = useState<readonly ActivityEntry[]>();
  const [next, setNext] = useState<number | null>(null);
  const [error, setError] = useState<ErrorInWords>();
  const key = JSON.stringify(filter);
  const pages = useRef(1);
  const asked = useRef(new AbortController());

  const load = useCallback(
    async (before: number | null, wanted: number) => {
      asked.current.abort();
      const controller = new AbortController();
      asked.current = controller;
      const given = JSON.parse(key) as ActivityFilter;
      const found: ActivityEntry[] = [];
      let from = before;
      for (let page = 0; page < wanted; page++) {
        const result = await call('activity.list', { ...given, before: from }, controller.signal);
        if (controller.signal.aborted) return;
        if (!result.ok) {
          setError(result.error);
          return;
        }
        found.push(...result.value.entries);
        from = result.value.next;
        if (from === null) break;
      }
      setError(undefined);
      setNext(from);
      setEntries((known) => (before === null ? found : [...(known ?? []), ...found]));
    },
    [key],
  );
  const reload = useCallback(() => void load(null, pages.current), [load]);

  useEffect(() => {
    pages.current = 1;
    void load(null, 1);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, SETTLE);
    };
    const stops = [
      onHostEvent('changes.recorded', soon),
      onHostEvent('summary.changed', soon),
      onHostEvent('memories.changed', soon),
    ];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
      asked.current.abort();
    };
  }, [load, reload]);

  return {
    entries,
    hasMore: next !== null,
    error,
    reload,
    more: () => {
      if (next === null) return;
      pages.current += 1;
      void load(next, 1);
    },
  };
}
