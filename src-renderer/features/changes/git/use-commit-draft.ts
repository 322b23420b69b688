import type { ThreadId } from '@contract/ids';
import { create } from 'zustand';

interface CommitDraft {
  message: string;
  isAmend: boolean;
}

const NONE: CommitDraft = { message: '', isAmend: false };

/** Outside of the panel, which goes away while a file or another tab is shown. */
const useDrafts = create<Record<ThreadId, CommitDraft>>()(() => ({}));

/** The message of the next commit, as written so far. */
export function useCommitDraft(threadId: ThreadId) {
  const draft = useDrafts((all) => all[threadId]) ?? NONE;
  const change = (changed: Partial<CommitDraft>) =>
    useDrafts.setState((all) => ({ [threadId]: { ...(all[threadId] ?? NONE), ...changed } }));
  return { ...draft, change };
}
