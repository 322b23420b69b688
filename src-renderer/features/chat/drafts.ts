import type { ThreadId } from '@contract/ids';
import { useCallback, useState } from 'react';

/** Drafts that the browser's storage could not take (too large), for as long as the window lives. */
const unsaved = new Map<string, string>();
const keyOf = (threadId: ThreadId) => `deepdesk:draft:${threadId}`;

export const readDraft = (threadId: ThreadId): string =>
  unsaved.get(threadId) ?? localStorage.getItem(keyOf(threadId)) ?? '';

export function writeDraft(threadId: ThreadId, text: string): void {
  unsaved.delete(threadId);
  if (text === '') {
    localStorage.removeItem(keyOf(threadId));
    return;
  }
  try {
    localStorage.setItem(keyOf(threadId), text);
  } catch {
    // Storage is full: an older draft there must not come back in place of this one.
    localStorage.removeItem(keyOf(threadId));
    unsaved.set(threadId, text);
  }
}

/** The thread's unsent text, kept while one looks at other threads and across restarts. */
export function useDraft(threadId: ThreadId): [string, (text: string) => void] {
  const [draft, setDraft] = useState(() => ({ threadId, text: readDraft(threadId) }));
  const text = draft.threadId === threadId ? draft.text : readDraft(threadId);
  const change = useCallback(
    (next: string) => {
      writeDraft(threadId, next);
      setDraft({ threadId, text: next });
    },
    [threadId],
  );
  return [text, change];
}
