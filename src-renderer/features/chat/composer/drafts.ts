import { type Attachment, Attachments } from '@contract/attachments';
import type { ThreadId } from '@contract/ids';
import { useCallback, useState } from 'react';
import { keepText, keptJson, keptText, threadKey } from '../../../link';

const keyOf = (threadId: ThreadId) => threadKey('draft', threadId);
const attachedKeyOf = (threadId: ThreadId) => threadKey('attached', threadId);

export const readDraft = (threadId: ThreadId): string => keptText(keyOf(threadId));
export const writeDraft = (threadId: ThreadId, text: string): void => keepText(keyOf(threadId), text);

/** The draft's attachments; the main process has their content. */
function readAttached(threadId: ThreadId): Attachment[] {
  return Attachments.safeParse(keptJson(attachedKeyOf(threadId))).data ?? [];
}
export const writeAttached = (threadId: ThreadId, attached: readonly Attachment[]): void =>
  keepText(attachedKeyOf(threadId), attached.length === 0 ? '' : JSON.stringify(attached));

/** Whether there is unsent text or attachments. */
export const hasDraft = (threadId: ThreadId): boolean =>
  readDraft(threadId).trim() !== '' || readAttached(threadId).length > 0;

/** Appends the draft of a thread that no longer exists to the draft of another thread. */
export function moveDraft(from: ThreadId, to: ThreadId): void {
  const words = readDraft(from);
  if (words.trim() === '') return;
  const there = readDraft(to);
  writeDraft(to, there.trim() === '' ? words : `${there}\n${words}`);
  writeDraft(from, '');
}

/** The thread's unsent text, kept while other threads are open and across restarts. */
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

/** The same for attachments. Changes apply to the current list, because attaching takes time. */
export function useAttached(
  threadId: ThreadId,
): [readonly Attachment[], (change: (now: readonly Attachment[]) => readonly Attachment[]) => void] {
  const [attached, setAttached] = useState<readonly Attachment[]>(() => readAttached(threadId));
  const change = useCallback(
    (next: (now: readonly Attachment[]) => readonly Attachment[]) => {
      const changed = next(readAttached(threadId));
      writeAttached(threadId, changed);
      setAttached(changed);
    },
    [threadId],
  );
  return [attached, change];
}
