/**
 * `@deepdesk/harness/sqlite`: checkpoints and a store in a better-sqlite3 database.
 *
 * @module
 */

export type { ChannelValues } from '../storage/sqlite/checkpoint-reader';
export { type SaverOptions, SqliteSaver } from '../storage/sqlite/checkpointer';
export type { SqliteStoreOptions, StoredName, StoredVersion } from '../storage/sqlite/store';
export { SqliteStore } from '../storage/sqlite/store';
export type { FoundText } from '../storage/sqlite/store-text-search';
