import type { ThreadState } from '@contract/conversation';
import type { MessageId } from '@contract/ids';
import { type RefObject, useCallback, useEffect, useState } from 'react';
import { loadEarlier, onIntent, takeJump } from '../../link';
import type { MessageListHandle } from './message-list';
import { placeOf } from './segments';
import { ALL_MESSAGES } from './use-earlier';

/** Milliseconds for which the target message is highlighted. */
const MARKED_FOR = 1_600;

/** Scrolls to any message, and highlights it for a moment. */
export function useJump(
  state: ThreadState,
  segments: Parameters<typeof placeOf>[0],
  list: RefObject<MessageListHandle | null>,
) {
  const threadId = state.thread.id;
  const [wanted, setWanted] = useState<{ id: MessageId; point: boolean }>();
  const [marked, setMarked] = useState<string>();

  const jumpTo = useCallback((id: MessageId, point = true) => setWanted({ id, point }), []);
  useEffect(() => {
    const take = () => {
      const id = takeJump(threadId);
      if (id !== undefined) setWanted({ id, point: true });
    };
    take();
    return onIntent((intent) => {
      if (intent.type === 'openThread' && intent.threadId === threadId) take();
    });
  }, [threadId]);

  const { messages, earlier } = state;
  useEffect(() => {
    if (!wanted) return;
    const at = placeOf(segments, messages, wanted.id);
    if (at === -1 && earlier !== undefined && !messages.some(({ id }) => id === wanted.id)) {
      let isWanted = true;
      void loadEarlier(threadId, { limit: ALL_MESSAGES, from: wanted.id }).then((came) => {
        if (isWanted && !came) setWanted(undefined);
      });
      return () => {
        isWanted = false;
      };
    }
    setWanted(undefined);
    if (at === -1) return;
    list.current?.show(at);
    if (wanted.point) setMarked(segments[at]?.key);
    return undefined;
  }, [wanted, segments, messages, earlier, threadId, list]);
  useEffect(() => {
    if (marked === undefined) return;
    const timer = setTimeout(() => setMarked(undefined), MARKED_FOR);
    return () => clearTimeout(timer);
  }, [marked]);
  return { marked, jumpTo };
}
