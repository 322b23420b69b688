import { ACTIVITY_PAGE } from '../../contract/activity';
import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import type { Connection } from '../window/connection';

/** What the window asks of what ran without a question. From the database alone. */
export function activityHandlers({ storage }: { storage: Storage }): HandlersOf<'activity', Connection> {
  return {
    'activity.list': (filter) => {
      // One more than asked for tells whether there is anything before.
      const entries = storage.activity.list(filter, ACTIVITY_PAGE + 1);
      const shown = entries.slice(0, ACTIVITY_PAGE);
      const hasMore = entries.length > ACTIVITY_PAGE;
      return ok({ entries: shown, next: hasMore ? (shown.at(-1)?.id ?? null) : null });
    },
  };
}
