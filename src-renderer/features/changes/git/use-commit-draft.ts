import type { ThreadId } from '@contract/ids';
import { create } from 'zustand';
import { keepText, keptJson, threadKey } from '../../../link';

interface CommitDraft {
  message: string;
  isAmend: boolean;
}

const keyOf = (threadId: ThreadId) => threadKey('commit', threadId);

/** Outside of the panel, which goes away while a file or another tab is shown. */
const useDrafts = create<Record<ThreadId, CommitDraft>>()(() => ({}));

/** As kept across a restart. */
function readDraft(threadId: ThreadId): CommitDraft {
  const stored = keptJson(keyOf(threadId));
  if (typeof stored === 'object' && stored !== null && 'message' in stored && 'isAmend' in stored)
    return { message: String(stored.message), isAmend: stored.isAmend === true };
  return { message: '', isAmend: false };
}

function writeDraft(threadId: ThreadId, draft: CommitDraft): void {
  const isEmpty = draft.message === '' && !draft.isAmend;
  keepText(keyOf(threadId), isEmpty ? '' : JSON.stringify(draft));
  useDrafts.setState({ [threadId]: draft });
}

/** The message of the next commit, as written so far. */
export function useCommitDraft(threadId: ThreadId) {
  const known = useDrafts((all) => all[threadId]);
  const draft = known ?? readDraft(threadId);
  const change = (changed: Partial<CommitDraft>) =>
    writeDraft(threadId, { ...(useDrafts.getState()[threadId] ?? readDraft(threadId)), ...changed });
  return { ...draft, change };
}
