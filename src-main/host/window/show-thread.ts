import type { AppEvent } from '../../contract/events';
import type { ThreadId } from '../../contract/ids';
import { fail } from '../../contract/result';
import type { Storage } from '../../storage';

/** What a notification or a link to a thread shows: the thread, or that it was deleted since. */
export const showThread = (
  { threads }: Pick<Storage, 'threads'>,
  threadId: ThreadId,
): Extract<AppEvent, { type: 'show.thread' | 'show.failure' }> =>
  threads.summaries().some(({ id }) => id === threadId)
    ? { type: 'show.thread', threadId }
    : { type: 'show.failure', error: fail('not_found', 'thread_gone').error };
