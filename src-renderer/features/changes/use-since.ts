import type { MessageId, ThreadId } from '@contract/ids';
import { create } from 'zustand';

/** Where the shown changes of a thread start. It is outside of the panel because a receipt in the conversation sets it too. */
export const useSince = create<{
  chosen: { threadId: ThreadId; since: MessageId | undefined } | null;
}>()(() => ({ chosen: null }));

/** Shows a thread's changes after a message; undefined: all of them. */
export const chooseSince = (threadId: ThreadId, since: MessageId | undefined): void =>
  useSince.setState({ chosen: { threadId, since } });
