import type { CommandName, Input, Output } from '@contract/commands';
import type { AppEvent } from '@contract/events';
import type { ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from './store';

/** Milliseconds after an event before a refresh: a build changes files many times a second. */
const SETTLE = 400;
/**
 * Milliseconds between two repeated calls: ten times as long as a call took, within limits. On a busy computer even a cheap call
 * takes long, and the person would wait longest there.
 */
const REPEAT_AFTER = 3_000;
const REPEAT_FACTOR = 10;
const REPEAT_AT_LAST = 5_000;

const repeatAfter = (took: number): number =>
  Math.min(REPEAT_AT_LAST, Math.max(REPEAT_AFTER, REPEAT_FACTOR * took));

type Loaded<T> =
  | { phase: 'loading' }
  /** `last`: the answer before, which may still be shown: a form in it would be lost. */
  | { phase: 'failed'; error: ErrorInWords; last?: T }
  | { phase: 'loaded'; value: T };

const lastOf = <T>(answer: Loaded<T>): T | undefined =>
  answer.phase === 'loaded' ? answer.value : answer.phase === 'failed' ? answer.last : undefined;

const OF_FILES = ['changes.recorded', 'files.changed'] as const;

/**
 * What a command answers. Events keep it up to date; default: changes of files. `input` null: nothing is asked.
 * `isRepeated`: it is also asked again every few seconds and when the window gets the focus, for what no event reports.
 */
export function useLiveAnswer<C extends CommandName>(
  command: C,
  input: Input<C> | null,
  events: readonly AppEvent['type'][] = OF_FILES,
  isRepeated = false,
): { answer: Loaded<Output<C>>; reload(): void } {
  const [answer, setAnswer] = useState<Loaded<Output<C>>>({ phase: 'loading' });
  const running = useRef<AbortController>(null);
  /** An event arrived while a call was running. */
  const isDue = useRef(false);
  const took = useRef(0);
  const key = input === null ? '' : JSON.stringify(input);
  const reload = useCallback(() => {
    running.current?.abort();
    running.current = null;
    isDue.current = false;
    if (key === '') return;
    const controller = new AbortController();
    running.current = controller;
    const askedAt = Date.now();
    void call(command, JSON.parse(key) as Input<C>, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      running.current = null;
      took.current = Date.now() - askedAt;
      setAnswer((before) =>
        result.ok
          ? { phase: 'loaded', value: result.value }
          : { phase: 'failed', error: result.error, ...optional({ last: lastOf(before) }) },
      );
      if (isDue.current) reload();
    });
  }, [command, key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        // A call that takes long must not be started over by every event: during a build it would never be answered.
        if (running.current === null) reload();
        else isDue.current = true;
      }, SETTLE);
    };
    setAnswer({ phase: 'loading' });
    reload();
    const stops = events.map((event) => onHostEvent(event, soon));
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [reload, events]);
  useEffect(() => {
    if (!isRepeated || answer.phase === 'loading') return;
    const again = () => document.visibilityState === 'visible' && reload();
    const timer = setTimeout(again, repeatAfter(took.current));
    window.addEventListener('focus', reload);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', reload);
    };
  }, [answer, isRepeated, reload]);
  return { answer, reload };
}
