import { closeSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Db } from '../../base/sqlite/db';
import { flush, isDamage, isExpected, migrate, PRIVATE, userVersion } from './database-file';

/** Tables that may be incomplete: what finished commands printed. */
const MAY_BE_CUT = new Set(['terminal_output']);
/** Tables that are filled again from others. */
const MADE_AGAIN = new Set(['message_texts']);

/**
 * Writes everything in a damaged database to the new file `to`. False if a row may be missing, except of what commands printed:
 * indexes, and pages that are not used, may be damaged. The damaged file is only read. Throws if the disk is full.
 */
export function copyAll(from: string, to: string, migrations: readonly string[]): boolean {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  const options = nativeBinding ? { nativeBinding } : {};
  const source = new Database(from, { ...options, readonly: true, fileMustExist: true });
  try {
    // Values of an older version would have to be migrated, which a file with damage may not survive.
    if (userVersion(source) !== migrations.length) return false;
    // Creates it readable only by the owner before it contains anything.
    closeSync(openSync(to, 'wx', PRIVATE));
    const db = new Database(to, options);
    try {
      db.pragma('auto_vacuum = INCREMENTAL');
      db.pragma('foreign_keys = OFF');
      // A kill leaves an unfinished file, which is not used.
      db.pragma('journal_mode = OFF');
      db.pragma('synchronous = OFF');
      migrate(db, migrations);
      db.transaction(() => copyTables(source, db))();
      if ((db.pragma('foreign_key_check') as unknown[]).length > 0) return false;
    } finally {
      db.close();
    }
    flush(to);
    return true;
  } catch (error) {
    // With space for it, the copy may succeed at the next start.
    if (!isExpected(error) || error.code === 'SQLITE_FULL' || error.code === 'ENOSPC') throw error;
    // Damaged, not readable, or rows of garbage that no table takes.
    return false;
  } finally {
    source.close();
  }
}

interface Table {
  name: string;
  type: string;
  /** 1: WITHOUT ROWID. */
  wr: number;
}

function copyTables(source: Db, db: Db): void {
  const tables = (db.pragma('main.table_list') as Table[]).filter(
    ({ name, type }) => type === 'table' && !name.startsWith('sqlite_') && !MADE_AGAIN.has(name),
  );
  for (const table of tables) {
    try {
      copyTable(source, db, table);
    } catch (error) {
      if (!isDamage(error) || !MAY_BE_CUT.has(table.name)) throw error;
    }
  }
  // Ids that were used are not used again.
  copyTable(source, db, { name: 'sqlite_sequence', type: 'table', wr: 0 });
  db.exec('UPDATE messages SET indexed = 0; UPDATE store_state SET indexed = 0;');
}

interface Column {
  name: string;
  type: string;
  pk: number;
}

function copyTable(source: Db, db: Db, { name, wr }: Table): void {
  const columns = db.pragma(`table_info(${name})`) as Column[];
  const hasOwnId = columns.some(({ pk, type }) => pk > 0 && type === 'INTEGER') || wr === 1;
  // The order in which rows were written counts, as of checkpoints.
  const names = [...(hasOwnId ? [] : ['rowid']), ...columns.map((column) => `"${column.name}"`)];
  db.exec(`DELETE FROM "${name}"`);
  const insert = db.prepare(
    `INSERT INTO "${name}" (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  // An index may be what is damaged.
  const rows = source
    .prepare(`SELECT ${names.join(', ')} FROM "${name}" NOT INDEXED`)
    .raw()
    .safeIntegers();
  for (const row of rows.iterate()) insert.run(row as unknown[]);
}
