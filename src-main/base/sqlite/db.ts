import type Database from 'better-sqlite3';

/** An open SQLite database. */
export type Db = Database.Database;
