import { type Attachment, Attachments } from '@contract/attachments';
import type { ThreadId } from '@contract/ids';
import { useCallback, useState } from 'react';

/** Drafts that the browser's storage could not take (too large), for as long as the window lives. */
const unsaved = new Map<string, string>();
const keyOf = (threadId: ThreadId) => `deepdesk:draft:${threadId}`;
const attachedKeyOf = (threadId: ThreadId) => `deepdesk:attached:${threadId}`;

const read = (key: string): string => unsaved.get(key) ?? localStorage.getItem(key) ?? '';

function write(key: string, text: string): void {
  unsaved.delete(key);
  if (text === '') {
    localStorage.removeItem(key);
    return;
  }
  try {
    localStorage.setItem(key, text);
  } catch {
    // Storage is full: an older draft there must not come back in place of this one.
    localStorage.removeItem(key);
    unsaved.set(key, text);
  }
}

export const readDraft = (threadId: ThreadId): string => read(keyOf(threadId));
export const writeDraft = (threadId: ThreadId, text: string): void => write(keyOf(threadId), text);

/** What is attached to the draft; its content is with the main process. */
function readAttached(threadId: ThreadId): Attachment[] {
  const text = read(attachedKeyOf(threadId));
  if (text === '') return [];
  try {
    const parsed = Attachments.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : [];
  } catch {
    // Written by another version, or by hand.
    return [];
  }
}
export const writeAttached = (threadId: ThreadId, attached: readonly Attachment[]): void =>
  write(attachedKeyOf(threadId), attached.length === 0 ? '' : JSON.stringify(attached));

/** Whether something was written or attached that was not sent. */
export const hasDraft = (threadId: ThreadId): boolean =>
  readDraft(threadId).trim() !== '' || readAttached(threadId).length > 0;

/** Puts what was written for a thread that is not there behind what was written for another one. */
export function moveDraft(from: ThreadId, to: ThreadId): void {
  const words = readDraft(from);
  if (words.trim() === '') return;
  const there = readDraft(to);
  writeDraft(to, there.trim() === '' ? words : `${there}\n${words}`);
  writeDraft(from, '');
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

/** The same for what is attached; changes are to what is there by then, since attaching takes its time. */
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
