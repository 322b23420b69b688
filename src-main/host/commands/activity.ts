import { ACTIVITY_PAGE } from '../../contract/activity';
import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import type { Connection } from '../window/connection';

/** Handlers for actions that ran without asking. They read only the database. */
export function activityHandlers({ storage }: { storage: Storage }): HandlersOf<'activity', Connection> {
  return {
    'activity.list': (filter) => {
      // One extra entry shows whether there are earlier ones.
      const entries = storage.activity.list(filter, ACTIVITY_PAGE + 1);
      const shown = entries.slice(0, ACTIVITY_PAGE);
      const hasMore = entries.length > ACTIVITY_PAGE;
      return ok({ entries: shown, next: hasMore ? (shown.at(-1)?.id ?? null) : null });
    },
  };
}
