import type { ProjectId, ThreadId } from '@contract/ids';
import { hasDraft, moveDraft } from '../features/chat';
import { newThread } from '../features/sidebar';
import { call, openState } from '../link';
import { goToPart } from './parts';
import { selectThread } from './ui-store';

/**
 * Starts a thread of the project and shows it. If the thread in `shown` is still blank, reuses it: repeated requests leave
 * no pile of empty threads.
 */
export function beginThread(projectId: ProjectId, shown: ThreadId | null): void {
  if (shown === null || !isBlank(shown, projectId)) {
    void newThread(projectId);
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

/** Has no messages and no queue, is not named or forked, and has no draft. */
function isBlank(threadId: ThreadId, projectId: ProjectId): boolean {
  const state = openState(threadId);
  if (state === undefined || state.thread.projectId !== projectId) return false;
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
