import type { CommandName, Input } from '@contract/commands';
import type { AppEvent } from '@contract/events';
import { useEffect } from 'react';
import { onHostEvent } from './store';
import { type Answered, useAnswer } from './use-answer';

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
): { answer: Answered<C>; reload(): void } {
  const { answer, reload, refresh, took } = useAnswer(command, input);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh();
      }, SETTLE);
    };
    const stops = events.map((event) => onHostEvent(event, soon));
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [refresh, events]);
  useEffect(() => {
    if (!isRepeated || answer.phase === 'loading') return;
    const again = () => document.visibilityState === 'visible' && reload();
    const timer = setTimeout(again, repeatAfter(took.current));
    window.addEventListener('focus', reload);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('focus', reload);
    };
  }, [answer, isRepeated, reload, took]);
  return { answer, reload };
}
