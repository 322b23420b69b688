import type { Db } from './db';

/**
 * Writes without waiting for the disk (`synchronous=NORMAL`). It survives the end of the process; a power cut may take it,
 * unless something that waits for the disk was written after it. Within a transaction it is part of that.
 */
export function unsynced<T>(db: Db, write: () => T): T {
  if (db.inTransaction) return write();
  try {
    db.exec('PRAGMA synchronous = NORMAL');
    return write();
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}
