// `@deepdesk/harness/sqlite`: checkpoints and a store in a better-sqlite3 database.
export { type SaverOptions, SqliteSaver } from '../storage/sqlite/checkpointer';
export { SqliteStore } from '../storage/sqlite/store';
