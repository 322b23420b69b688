import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { waitingDecisions } from '../approvals/inbox';
import type { Connection } from '../window/connection';

/** What the window asks of decisions that wait, over all threads. From the database alone. */
export function inboxHandlers({ storage }: { storage: Storage }): HandlersOf<'inbox', Connection> {
  return { 'inbox.list': () => ok({ waiting: waitingDecisions(storage) }) };
}
