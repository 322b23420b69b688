import type { ProjectId, ThreadId } from '@contract/ids';
import { hasDraft, moveDraft } from '../features/chat';
import { newThread } from '../features/sidebar';
import { call, openState } from '../link';
import { goToPart } from './parts';
import { selectThread, useUi } from './ui-store';

/** The latest thread that was started here. */
let begun: { projectId: ProjectId; threadId: ThreadId } | undefined;

/**
 * Starts a thread of the project and shows it. If the thread in `shown` is still blank, reuses it: repeated requests, such as
 * the clicks of a double click, leave no pile of empty threads.
 */
export async function beginThread(projectId: ProjectId, shown: ThreadId | null): Promise<void> {
  const isAboutToShow = begun?.projectId === projectId && useUi.getState().wantedThreadId === begun.threadId;
  if (isAboutToShow) return;
  if (shown === null || !isBlank(shown, projectId)) {
    const threadId = await newThread(projectId);
    if (threadId !== null) begun = { projectId, threadId };
    return;
  }
  selectThread(projectId, shown);
  goToPart('conversation');
}

/** A thread in a private copy takes the place of the blank thread that it was started from, with its draft. */
export function startedInCopy(blank: ThreadId, projectId: ProjectId, started: ThreadId): void {
  moveDraft(blank, started);
  if (isBlank(blank, projectId)) void call('thread.delete', { threadId: blank });
}

/** Has no messages and no queue, is not named or forked, and has no draft. One that was just started is not loaded yet. */
function isBlank(threadId: ThreadId, projectId: ProjectId): boolean {
  const state = openState(threadId);
  if (state === undefined) return begun?.projectId === projectId && begun.threadId === threadId;
  if (state.thread.projectId !== projectId) return false;
  const { thread, messages, queue, turn } = state;
  return (
    messages.length === 0 &&
    queue.length === 0 &&
    turn.phase === 'idle' &&
    thread.title === '' &&
    thread.origin === undefined &&
    !hasDraft(threadId)
  );
}
