import type { CommandName, Input, Output } from '@contract/commands';
import type { HostEvent } from '@contract/events';
import type { ErrorInWords } from '@contract/result';
import { optional } from '@contract/shared/optional';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, onHostEvent } from './store';

interface Loaded<C extends CommandName> {
  phase: 'loaded';
  value: Output<C>;
  /** What was asked. */
  input: Input<C>;
}

export type Answered<C extends CommandName> =
  | { phase: 'loading' }
  | Loaded<C>
  /** `last`: the answer before, which may still be shown: a form in it would be lost. */
  | { phase: 'failed'; error: ErrorInWords; last?: Loaded<C> };

/** The last answer: also while the command fails. */
export const lastIn = <C extends CommandName>(answer: Answered<C>): Loaded<C> | undefined =>
  answer.phase === 'loaded' ? answer : answer.phase === 'failed' ? answer.last : undefined;

/**
 * What a command answers. `input` null: nothing is asked. `keepsOther`: the answer to another input stays until the next one.
 * `reload` asks now, `refresh` after the running call: events that come faster than answers must not start it over.
 */
export function useAnswer<C extends CommandName>(command: C, input: Input<C> | null, keepsOther = false) {
  const [answer, setAnswer] = useState<Answered<C>>({ phase: 'loading' });
  const running = useRef<AbortController>(null);
  const isDue = useRef(false);
  /** Milliseconds of the last call. */
  const took = useRef(0);
  const key = input === null ? '' : JSON.stringify(input);
  const reload = useCallback(() => {
    running.current?.abort();
    running.current = null;
    isDue.current = false;
    if (key === '') return;
    const controller = new AbortController();
    running.current = controller;
    const asked = JSON.parse(key) as Input<C>;
    const askedAt = Date.now();
    void call(command, asked, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      running.current = null;
      took.current = Date.now() - askedAt;
      setAnswer((before) =>
        result.ok
          ? { phase: 'loaded', value: result.value, input: asked }
          : { phase: 'failed', error: result.error, ...optional({ last: lastIn(before) }) },
      );
      if (isDue.current) reload();
    });
  }, [command, key]);
  const refresh = useCallback(() => {
    if (running.current === null) reload();
    else isDue.current = true;
  }, [reload]);
  useEffect(() => {
    if (!keepsOther) setAnswer({ phase: 'loading' });
    reload();
    return () => running.current?.abort();
  }, [reload, keepsOther]);
  return { answer, reload, refresh, took };
}

/** What a command lists. Each of the events, a constant, refreshes it at once. */
export function useList<C extends CommandName>(
  command: C,
  input: Input<C>,
  events: readonly HostEvent['type'][],
  keepsOther = false,
): { list: Answered<C>; reload(): void } {
  const { answer, reload, refresh } = useAnswer(command, input, keepsOther);
  useEffect(() => {
    const stops = events.map((event) => onHostEvent(event, refresh));
    return () => {
      for (const stop of stops) stop();
    };
  }, [events, refresh]);
  return { list: answer, reload };
}
