import { MAX_ASKED_ERASED } from '@contract/limits';
import { useEffect } from 'react';
import { forgetSaid, threadsInHistory } from '../features/chat';
import { call, forgetTexts, threadsWithText, useAnswered } from '../link';

/** Milliseconds after the start: nobody waits for it. */
const AFTER = 5_000;

/**
 * Forgets, at each start, what this page has kept of threads that are erased by now: drafts, fields of cards, messages of
 * commits, and sent messages. Deleted threads that can be restored keep theirs.
 */
export function useForgetErased(): void {
  const isAnswered = useAnswered();
  useEffect(() => {
    if (!isAnswered) return;
    const timer = setTimeout(() => void forgetErased(), AFTER);
    return () => clearTimeout(timer);
  }, [isAnswered]);
}

async function forgetErased(): Promise<void> {
  const threads = [...new Set([...threadsWithText(), ...threadsInHistory()])].slice(0, MAX_ASKED_ERASED);
  if (threads.length === 0) return;
  const answer = await call('window.erased', { threads });
  if (!answer.ok) return;
  const erased = new Set(answer.value.threads);
  forgetTexts(erased);
  forgetSaid(erased);
}
