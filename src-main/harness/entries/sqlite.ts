/**
 * `@deepdesk/harness/sqlite`: checkpoints and a store in a better-sqlite3 database.
 *
 * @module
 */

export type { ChannelValues } from '../storage/sqlite/checkpointer/checkpoint-reader';
export { type SaverOptions, SqliteSaver } from '../storage/sqlite/checkpointer/checkpointer';
export type { SqliteStoreOptions, StoredName, StoredVersion } from '../storage/sqlite/store/store';
export { SqliteStore } from '../storage/sqlite/store/store';
export type { FoundText } from '../storage/sqlite/store/store-text-search';
