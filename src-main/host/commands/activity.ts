import { ACTIVITY_PAGE } from '../../contract/activity';
import { fail, ok } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { waitingDecisions } from '../approvals/inbox';
import type { Connection } from '../window/connection';
import type { Hub } from '../window/hub';

type ActivityCommand = 'inbox.list' | 'activity.list' | 'thread.seen' | 'thread.since';

/** What the window asks of what waits, what ran without a question, and what happened meanwhile. From the data file alone. */
export function activityHandlers({
  storage,
  hub,
}: {
  storage: Storage;
  hub: Hub;
}): Pick<Handlers<Connection>, ActivityCommand> {
  return {
    'inbox.list': () => ok({ waiting: waitingDecisions(storage) }),
    'activity.list': (filter) => {
      // One more than asked for tells whether there is anything before.
      const entries = storage.activity.list(filter, ACTIVITY_PAGE + 1);
      const shown = entries.slice(0, ACTIVITY_PAGE);
      const hasMore = entries.length > ACTIVITY_PAGE;
      return ok({ entries: shown, next: hasMore ? (shown.at(-1)?.id ?? null) : null });
    },
    'thread.seen': ({ threadId, seq }) => {
      const wasUnread = storage.threads.summary(threadId)?.unread === true;
      storage.activity.see(threadId, seq, storage.now());
      const summary = wasUnread ? storage.threads.summary(threadId) : null;
      if (summary !== null) hub.app({ type: 'summary.changed', summary });
      return ok({});
    },
    'thread.since': ({ threadId }) => {
      const summary = storage.threads.summary(threadId);
      if (summary === null) return fail('not_found', 'This thread does not exist any more.');
      const since = storage.activity.since(threadId);
      return ok(since && { ...since, waiting: summary.waiting });
    },
  };
}
