import type { ProjectId, ThreadId } from '@contract/ids';
import { hasDraft } from '../features/chat';
import { newThread } from '../features/sidebar';
import { openState } from '../link';
import { goToPart } from './parts';
import { selectThread } from './ui-store';

/**
 * Begins a thread of the project and shows it. Where the one that is `shown` has nothing in it yet, that is the new one:
 * asked for again and again, it leaves no row of empty ones.
 */
export function beginThread(projectId: ProjectId, shown: ThreadId | null): void {
  if (shown === null || !isBlank(shown, projectId)) {
    void newThread(projectId);
    return;
  }
  selectThread(projectId, shown);
  goToPart('conversation');
}

/** Neither said, waiting, named, made from another, nor being written. */
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
