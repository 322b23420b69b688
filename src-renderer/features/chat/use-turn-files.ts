import type { Output } from '@contract/commands';
import type { MessageId, ThreadId } from '@contract/ids';
import { setNewest } from '@contract/shared/set-newest';
import { useEffect, useState } from 'react';
import { call, onHostEvent } from '../../link';

export type TurnFiles = Output<'changes.turn'>;

/** Milliseconds after a recorded change before a refresh: one command changes many files. */
const SETTLE = 300;
/** Turns whose files are remembered, so that a receipt that is scrolled back into view does not change its size. */
const KEPT = 300;
const known = new Map<string, TurnFiles>();

const NONE: TurnFiles = { files: [], more: 0, undo: { done: 0, reverts: [], possible: false } };

/** The files that a turn changed, up to date. `first`: the message that started it; undefined: it changed none. */
export function useTurnFiles(threadId: ThreadId, first: MessageId | undefined): TurnFiles {
  const key = first === undefined ? '' : `${threadId} ${first}`;
  const [, redraw] = useState(0);
  useEffect(() => {
    if (first === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const load = async () => {
      timer = undefined;
      const result = await call('changes.turn', { threadId, messageId: first });
      // Without the files, the receipt shows the rest.
      if (!result.ok) return;
      setNewest(known, key, result.value, KEPT);
      if (!isGone) redraw((count) => count + 1);
    };
    void load();
    const stop = onHostEvent('changes.recorded', () => {
      timer ??= setTimeout(() => void load(), SETTLE);
    });
    return () => {
      isGone = true;
      stop();
      clearTimeout(timer);
    };
  }, [threadId, first, key]);
  return known.get(key) ?? NONE;
}
