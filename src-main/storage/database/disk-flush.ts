import { type FileHandle, open } from 'node:fs/promises';
import type { Db } from '../../base/sqlite/db';
import { unsynced } from '../../base/sqlite/unsynced';

/** Milliseconds until commits that nobody waits for are flushed, so that those of one step share a flush. */
const FLUSHES_AFTER = 10;

export interface DiskFlush {
  /**
   * Commits without waiting for the disk. The data survives the end of the process immediately, and a power cut once
   * `settled` says so. Inside a transaction, it joins that one.
   */
  commit<T>(write: () => T): T;
  /**
   * Undefined if all commits are on the disk. Otherwise resolves when those made so far are, and rejects if the disk refuses
   * them. Wait for it before anything outside relies on them.
   */
  settled(): Promise<void> | undefined;
  /** Call it before the database is closed. */
  close(): void;
}

/**
 * Flushes commits in a thread of Node's pool: SQLite would hold the event loop until the disk has answered, which takes a
 * busy disk hundreds of milliseconds. `flushFile` is for tests.
 */
export function openDiskFlush(
  db: Db,
  file: string,
  flushFile: (log: FileHandle) => Promise<void> = (log) => log.datasync(),
): DiskFlush {
  let log: Promise<FileHandle> | null = null;
  /** There are commits for which no flush has started. */
  let isDirty = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  // A file system without WAL has no log to flush.
  let waits = db.pragma('journal_mode', { simple: true }) !== 'wal';

  const flush = async (): Promise<void> => {
    isDirty = false;
    try {
      log ??= open(`${file}-wal`, 'r+');
      await flushFile(await log);
    } catch (error) {
      if (!db.open) return;
      // From now on each commit waits, and fails itself. What is committed goes into the database, which is flushed, too.
      waits = true;
      if (!writeBack(db)) throw notFlushed(error);
    }
  };

  const start = (): Promise<void> => {
    running = flush().finally(() => {
      running = null;
    });
    return running;
  };

  const settled = (): Promise<void> | undefined => {
    if (!isDirty) return running ?? undefined;
    clearTimeout(timer);
    timer = undefined;
    if (running === null) return start();
    // The running flush may have started before the last commit.
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return settled();
      });
    return next;
  };

  const flushSoon = () => {
    timer = undefined;
    // Whoever needs the commits gets the error with the next one.
    settled()?.catch(() => undefined);
  };

  return {
    commit: (write) => {
      if (waits || db.inTransaction) return write();
      const written = unsynced(db, write);
      isDirty = true;
      timer ??= setTimeout(flushSoon, FLUSHES_AFTER).unref();
      return written;
    },
    settled,
    close: () => {
      clearTimeout(timer);
      // The last connection flushes as it closes; this may not be the last.
      if (isDirty || running !== null) writeBack(db);
      isDirty = false;
      void log?.then(
        (handle) => handle.close(),
        () => undefined,
      );
    },
  };
}

/** Whether all of the log is in the database and on the disk afterwards. */
function writeBack(db: Db): boolean {
  try {
    const [pages] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    return pages !== undefined && pages.log === pages.checkpointed;
  } catch {
    return false;
  }
}

/** An error like that of a commit that could not wait for the disk. */
const notFlushed = (cause: unknown) =>
  Object.assign(new Error(cause instanceof Error ? cause.message : String(cause), { cause }), {
    code: 'SQLITE_IOERR_FSYNC',
  });
