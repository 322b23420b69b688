// `@deepdesk/harness/sqlite`: checkpoints and a store in a database of better-sqlite3.
export { type SaverOptions, SqliteSaver } from '../storage/sqlite/checkpointer';
export { SqliteStore } from '../storage/sqlite/store';
