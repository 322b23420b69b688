import type { Db } from './db';

/**
 * Writes without waiting for the disk (`synchronous=NORMAL`). The data survives the end of the process. A power cut may lose
 * it, unless a later write waited for the disk. Inside a transaction, it joins that one.
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
