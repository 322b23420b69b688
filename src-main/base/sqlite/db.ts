import type Database from 'better-sqlite3';

/** An open SQLite database, whoever opened it. */
export type Db = Database.Database;
