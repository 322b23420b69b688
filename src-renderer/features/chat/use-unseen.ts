import type { ThreadState } from '@contract/conversation';
import type { ThreadId } from '@contract/ids';
import { useCallback, useRef, useState } from 'react';

/** Whether the end is visible, and how many messages arrived since it was not. */
export function useUnseen(state: ThreadState) {
  const [left, setLeft] = useState<{ threadId: ThreadId; lastId: string | undefined }>();
  const last = useRef<string>(undefined);
  last.current = state.messages.at(-1)?.id;
  const threadId = state.thread.id;
  const onAtEnd = useCallback(
    (atEnd: boolean) => setLeft(atEnd ? undefined : { threadId, lastId: last.current }),
    [threadId],
  );
  const away = left?.threadId === threadId ? left : undefined;
  const from = away === undefined ? -1 : state.messages.findLastIndex(({ id }) => id === away.lastId);
  return {
    atEnd: away === undefined,
    onAtEnd,
    unseen: away === undefined || from === -1 ? 0 : state.messages.length - 1 - from,
  };
}
