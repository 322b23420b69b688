import { type Attachment, Attachments } from '@contract/attachments';
import type { ThreadId } from '@contract/ids';
import { useCallback, useLayoutEffect, useState } from 'react';
import { keepText, keptJson, keptText, threadKey } from '../../../link';

const keyOf = (threadId: ThreadId) => threadKey('draft', threadId);
const attachedKeyOf = (threadId: ThreadId) => threadKey('attached', threadId);

export const readDraft = (threadId: ThreadId): string => keptText(keyOf(threadId));
export const writeDraft = (threadId: ThreadId, text: string): void => keep(keyOf(threadId), text);

/** What composers do when a draft changes, by its key: an answer may belong to an earlier composer of the thread. */
const watching = new Map<string, Set<() => void>>();

function keep(key: string, text: string): void {
  keepText(key, text);
  for (const update of watching.get(key) ?? []) update();
}

function useWatching(key: string, update: () => void): void {
  useLayoutEffect(() => {
    const all = watching.get(key) ?? new Set();
    watching.set(key, all.add(update));
    return () => {
      all.delete(update);
      if (all.size === 0) watching.delete(key);
    };
  }, [key, update]);
}

/** The draft's attachments; the main process has their content. */
function readAttached(threadId: ThreadId): Attachment[] {
  return Attachments.safeParse(keptJson(attachedKeyOf(threadId))).data ?? [];
}
export const writeAttached = (threadId: ThreadId, attached: readonly Attachment[]): void =>
  keep(attachedKeyOf(threadId), attached.length === 0 ? '' : JSON.stringify(attached));

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

/** Replaces the draft. What arrives later is given as a change of the text by then. */
export type ChangeDraft = (next: string | ((now: string) => string)) => void;

/** The thread's unsent text, kept while other threads are open and across restarts. */
export function useDraft(threadId: ThreadId): [string, ChangeDraft] {
  const [draft, setDraft] = useState(() => ({ threadId, text: readDraft(threadId) }));
  const text = draft.threadId === threadId ? draft.text : readDraft(threadId);
  const update = useCallback(() => setDraft({ threadId, text: readDraft(threadId) }), [threadId]);
  useWatching(keyOf(threadId), update);
  const change: ChangeDraft = useCallback(
    (next) => writeDraft(threadId, typeof next === 'string' ? next : next(readDraft(threadId))),
    [threadId],
  );
  return [text, change];
}

/** The same for attachments. Changes apply to the current list, because attaching takes time. */
export function useAttached(
  threadId: ThreadId,
): [readonly Attachment[], (change: (now: readonly Attachment[]) => readonly Attachment[]) => void] {
  const [attached, setAttached] = useState<readonly Attachment[]>(() => readAttached(threadId));
  const update = useCallback(() => setAttached(readAttached(threadId)), [threadId]);
  useWatching(attachedKeyOf(threadId), update);
  const change = useCallback(
    (next: (now: readonly Attachment[]) => readonly Attachment[]) =>
      writeAttached(threadId, next(readAttached(threadId))),
    [threadId],
  );
  return [attached, change];
}
