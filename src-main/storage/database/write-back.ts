import { Worker } from 'node:worker_threads';
import { builtWorker } from '../../base/built-worker';
import type { Db } from '../../base/sqlite/db';
import { isSqliteError } from '../../base/sqlite/sqlite-error';

/** Pages (4 KB) in the log at which they are written back. */
const MAX_PAGES = 1_000;
/**
 * Milliseconds after a transaction until the log is checked, so that steps and turns that follow immediately are not
 * delayed.
 */
const LOOKS_AFTER = 100;
/**
 * The log starts over only when all pages are written back, and overwriting it takes less than half the time of extending
 * it. So the worker also writes back the pages that were written meanwhile, if there are at most this many: up to so many
 * times in a row, until it catches a moment without writes.
 */
const MAX_MEANWHILE = 400;
const MAX_ROUNDS = 4;
/** Pages of a log that never started over, at which the few that are left are written back synchronously: 10 MB. */
const MAX_LOG = 2_500;
/** Pages at which SQLite writes back within a commit because the worker does not keep up: 64 MB. */
const MAX_WITH_WORKER = 16_000;
/** Milliseconds that closing waits for a write-back. */
const CLOSES_WITHIN = 2_000;

export const IDLE = 0;
const BUSY = 1;

/** The options that start the worker. */
export interface WriteBackPlace {
  file: string;
  /**
   * One number that is not `IDLE` from the request until the write-back is done, so that closing can wait without an event
   * loop.
   */
  state: SharedArrayBuffer;
}

export interface WriteBack {
  /** Whether there is a worker. Otherwise SQLite writes back within commits. */
  readonly hasWorker: boolean;
  /** Call it after transactions that write much. */
  wrote(): void;
  /** Waits for a write-back in progress, so that the last connection removes the log. */
  close(): void;
}

/**
 * Writes the database's log back in another thread. SQLite would do it within the commit that makes the log too long, which
 * then waits for the disk twice. If no worker is built, or it fails, SQLite still does it.
 */
export function openWriteBack(
  db: Db,
  file: string,
  worker: string | null = builtWorker('log-worker'),
  closesWithin = CLOSES_WITHIN,
): WriteBack {
  if (worker === null) return { hasWorker: false, wrote: () => undefined, close: () => undefined };
  const inCommit = Number(db.pragma('wal_autocheckpoint', { simple: true }));
  db.pragma(`wal_autocheckpoint = ${MAX_WITH_WORKER}`);
  const log = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  const state = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const flag = new Int32Array(state);
  let mover: Worker | null = null;
  let failed = false;
  let next: NodeJS.Timeout | null = null;
  /** Write-backs in a row for pages that were written during the previous one. */
  let rounds = 0;

  const start = (): Worker => {
    const binding = process.env.DEEPDESK_SQLITE_BINDING;
    const started = new Worker(worker, {
      env: binding === undefined ? {} : { DEEPDESK_SQLITE_BINDING: binding },
      execArgv: [],
      workerData: { file, state } satisfies WriteBackPlace,
    });
    const ended = () => {
      mover = null;
      Atomics.store(flag, 0, IDLE);
      if (failed) return;
      failed = true;
      db.pragma(`wal_autocheckpoint = ${inCommit}`);
    };
    started.on('message', finish);
    started.on('error', ended);
    started.on('exit', ended);
    started.unref();
    return started;
  };

  /** Number of pages not written back yet. */
  const waiting = (): number => {
    const pages = log.get();
    return pages === undefined ? 0 : pages.log - pages.checkpointed;
  };

  /** Number of pages in the log. */
  const length = (): number => log.get()?.log ?? 0;

  const move = () => {
    mover ??= start();
    Atomics.store(flag, 0, BUSY);
    mover.postMessage('move');
  };

  const finish = () => {
    if (failed || !db.open || db.inTransaction) return;
    const left = waiting();
    if (left > 0 && left <= MAX_MEANWHILE && rounds < MAX_ROUNDS) {
      rounds += 1;
      return move();
    }
    rounds = 0;
    // Waits for the disk, so only rarely.
    if (left === 0) return;
    if (left > MAX_MEANWHILE || length() < MAX_LOG) return look();
    try {
      db.pragma('wal_checkpoint(PASSIVE)');
    } catch (thrown) {
      // A full disk: the pages stay in the log, and the next write fails.
      if (!isSqliteError(thrown)) throw thrown;
    }
  };

  const look = () => {
    next = null;
    if (failed || Atomics.load(flag, 0) === BUSY) return;
    const left = waiting();
    if (left >= MAX_PAGES || (left > 0 && length() >= MAX_LOG)) move();
  };

  return {
    hasWorker: true,
    wrote: () => {
      if (!failed) next ??= setTimeout(look, LOOKS_AFTER).unref();
    },
    close: () => {
      if (next !== null) clearTimeout(next);
      failed = true;
      if (mover === null) return;
      Atomics.wait(flag, 0, BUSY, closesWithin);
      void mover.terminate();
    },
  };
}
