import { Worker } from 'node:worker_threads';
import { builtWorker } from '../base/built-worker';
import type { Db } from '../base/sqlite/db';
import { isSqliteError } from '../base/sqlite/sqlite-error';

/** Pages (4 KB) in the log from which they are moved into the database. */
const MOST_PAGES = 1_000;
/** Milliseconds after a transaction until the log is looked at: steps and turns that follow at once are not held up. */
const LOOKS_AFTER = 100;
/**
 * Pages that came while the worker moved the others and are moved at once, which takes a few milliseconds: only when all
 * are moved does the log start over, and writing over it takes less than half the time of making it longer.
 */
const FEW_PAGES = 400;
/** Pages from which SQLite moves them within a commit where the worker does not keep up: 64 MB. */
const MOST_WITH_WORKER = 16_000;
/** Milliseconds that closing waits for what is being moved. */
const CLOSES_WITHIN = 2_000;

export const IDLE = 0;
const BUSY = 1;

/** What the worker is started with. */
export interface WriteBackPlace {
  file: string;
  /** One number, not `IDLE` from when it is asked until it is done: closing waits for it without an event loop. */
  state: SharedArrayBuffer;
}

export interface WriteBack {
  /** Whether there is a worker; otherwise SQLite moves the pages within commits. */
  readonly hasWorker: boolean;
  /** To be told after transactions that write much. */
  wrote(): void;
  /** Waits for what is under way, so that the log is gone with the last connection. */
  close(): void;
}

/**
 * Moves what the log of the database holds into the database in another thread: SQLite would do it inside of the commit
 * that makes the log too long, where it waits for the disk twice. Where no worker is built, or it fails, SQLite still does.
 */
export function openWriteBack(
  db: Db,
  file: string,
  worker: string | null = builtWorker('log-worker'),
  closesWithin = CLOSES_WITHIN,
): WriteBack {
  if (worker === null) return { hasWorker: false, wrote: () => undefined, close: () => undefined };
  const inCommit = Number(db.pragma('wal_autocheckpoint', { simple: true }));
  db.pragma(`wal_autocheckpoint = ${MOST_WITH_WORKER}`);
  const log = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  const state = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const flag = new Int32Array(state);
  let mover: Worker | null = null;
  let failed = false;
  let next: NodeJS.Timeout | null = null;

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

  /** Pages that wait. */
  const waiting = (): number => {
    const pages = log.get();
    return pages === undefined ? 0 : pages.log - pages.checkpointed;
  };

  const finish = () => {
    if (failed || !db.open || db.inTransaction) return;
    const left = waiting();
    if (left === 0 || left > FEW_PAGES) return look();
    try {
      db.pragma('wal_checkpoint(PASSIVE)');
    } catch (thrown) {
      // A full disk: they stay in the log, and whoever writes next hears of it.
      if (!isSqliteError(thrown)) throw thrown;
    }
  };

  const look = () => {
    next = null;
    if (failed || Atomics.load(flag, 0) === BUSY) return;
    if (waiting() < MOST_PAGES) return;
    mover ??= start();
    Atomics.store(flag, 0, BUSY);
    mover.postMessage('move');
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
