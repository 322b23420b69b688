import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Db } from './open';

/** Pages (4 KB) in the log from which they are moved into the data file. */
const MOST_PAGES = 1_000;
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
  /** To be told after transactions that write much. */
  wrote(): void;
  /** Waits for what is under way, so that the log is gone with the last connection. */
  close(): void;
}

/** In a bundle the worker lies beside the program or the chunk that this became; in tests it is not built. */
function builtWorker(): string | null {
  const candidates = ['./log-worker.js', '../log-worker.js'].map((file) =>
    fileURLToPath(new URL(file, import.meta.url)),
  );
  return candidates.find((file) => existsSync(file)) ?? null;
}

/**
 * Moves what the log of the data file holds into the data file in another thread: SQLite would do it inside of the commit
 * that makes the log too long, where it waits for the disk twice. Where no worker is built, or it fails, SQLite still does.
 */
export function openWriteBack(db: Db, file: string, worker: string | null = builtWorker()): WriteBack {
  if (worker === null) return { wrote: () => undefined, close: () => undefined };
  const log = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');
  const state = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const flag = new Int32Array(state);
  let mover: Worker | null = null;
  let failed = false;

  const start = (): Worker => {
    const binding = process.env.DEEPDESK_SQLITE_BINDING;
    const started = new Worker(worker, {
      env: binding === undefined ? {} : { DEEPDESK_SQLITE_BINDING: binding },
      execArgv: [],
      workerData: { file, state } satisfies WriteBackPlace,
    });
    const ended = () => {
      failed = true;
      mover = null;
      Atomics.store(flag, 0, IDLE);
    };
    started.on('error', ended);
    started.on('exit', ended);
    started.unref();
    return started;
  };

  return {
    wrote: () => {
      // Within a transaction the log cannot be asked; the next one after it does.
      if (failed || db.inTransaction || Atomics.load(flag, 0) === BUSY) return;
      const pages = log.get();
      if (pages === undefined || pages.log - pages.checkpointed < MOST_PAGES) return;
      mover ??= start();
      Atomics.store(flag, 0, BUSY);
      mover.postMessage('move');
    },
    close: () => {
      if (mover === null) return;
      Atomics.wait(flag, 0, BUSY, CLOSES_WITHIN);
      failed = true;
      void mover.terminate();
    },
  };
}
