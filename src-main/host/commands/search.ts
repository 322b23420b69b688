import { ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Storage } from '../../storage';
import { searchThreads } from '../threads/search-threads';
import type { Connection } from '../window/connection';

/** Handlers for the search over all threads. */
export function searchHandlers({ storage }: { storage: Storage }): HandlersOf<'search', Connection> {
  return { 'search.messages': ({ query, projectId }) => ok(searchThreads(storage, query, projectId)) };
}
