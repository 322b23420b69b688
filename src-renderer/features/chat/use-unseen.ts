import type { ThreadState } from '@contract/conversation';
import type { MessageId, ThreadId } from '@contract/ids';
import { useCallback, useRef, useState } from 'react';

/** The last message of each thread when its end was last visible, for those that were left above their end. */
const seenTo = new Map<ThreadId, MessageId | undefined>();

/** Whether the end is visible, and how many messages arrived since it was not. */
export function useUnseen(state: ThreadState) {
  const [awayFrom, setAwayFrom] = useState<ThreadId>();
  const last = useRef<MessageId>(undefined);
  last.current = state.messages.at(-1)?.id;
  const threadId = state.thread.id;
  const onAtEnd = useCallback(
    (atEnd: boolean) => {
      if (atEnd) seenTo.delete(threadId);
      else if (!seenTo.has(threadId)) seenTo.set(threadId, last.current);
      setAwayFrom(atEnd ? undefined : threadId);
    },
    [threadId],
  );
  const isAway = awayFrom === threadId;
  const seen = seenTo.get(threadId);
  const from = isAway ? state.messages.findLastIndex(({ id }) => id === seen) : -1;
  return {
    atEnd: !isAway,
    onAtEnd,
    unseen: from === -1 ? 0 : state.messages.length - 1 - from,
  };
}
