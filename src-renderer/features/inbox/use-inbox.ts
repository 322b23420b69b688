import type { WaitingDecision } from '@contract/activity';
import type { ErrorInWords } from '@contract/result';
import { useEffect, useState } from 'react';
import { call, onHostEvent } from '../../link';

type Inbox =
  | { phase: 'loading' }
  | { phase: 'failed'; error: ErrorInWords }
  | { phase: 'loaded'; waiting: readonly WaitingDecision[] };

/** Pending decisions, kept up to date by events. */
export function useInbox(): Inbox {
  const [inbox, setInbox] = useState<Inbox>({ phase: 'loading' });
  useEffect(() => {
    let asked = 0;
    let isDue = false;
    let isGone = false;
    const load = () => {
      isDue = false;
      if (isGone) return;
      const mine = ++asked;
      void call('inbox.list', {}).then((result) => {
        // A later response is newer.
        if (isGone || mine !== asked) return;
        setInbox(
          result.ok
            ? { phase: 'loaded', waiting: result.value.waiting }
            : { phase: 'failed', error: result.error },
        );
      });
    };
    const soon = () => {
      if (isDue) return;
      isDue = true;
      queueMicrotask(load);
    };
    load();
    const stops = [
      onHostEvent('summary.changed', soon),
      onHostEvent('thread.removed', soon),
      onHostEvent('project.removed', soon),
    ];
    return () => {
      isGone = true;
      for (const stop of stops) stop();
    };
  }, []);
  return inbox;
}
