import type { MessageId, ThreadId } from '@contract/ids';
import { create } from 'zustand';

/**
 * Which changes are shown, and where those of a thread start. It is outside of the panel because a receipt in the
 * conversation sets it too, and because the panel goes away while another tab is shown.
 */
export const useSince = create<{
  view: string;
  chosen: { threadId: ThreadId; since: MessageId | undefined } | null;
}>()(() => ({ view: 'thread', chosen: null }));

/** Shows the changes of the thread, or of the repository. */
export const showView = (view: string): void => useSince.setState({ view });

/** Shows a thread's changes after a message; undefined: all of them. */
export const chooseSince = (threadId: ThreadId, since: MessageId | undefined): void =>
  useSince.setState({ view: 'thread', chosen: { threadId, since } });
