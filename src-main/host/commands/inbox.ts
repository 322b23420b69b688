import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { waitingDecisions } from '../approvals/inbox';
import type { Connection } from '../window/connection';

/** Handlers for pending decisions over all threads. They read only the database. */
export function inboxHandlers({ storage }: { storage: Storage }): HandlersOf<'inbox', Connection> {
  return { 'inbox.list': () => ok({ waiting: waitingDecisions(storage) }) };
}
