// A worker of the main process that writes the log back into the database, so that no commit has to.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { IDLE, type WriteBackPlace } from './write-back';

const port = parentPort;
if (port === null) throw new Error('The log worker was not started as a worker.');

// The main process always starts it with this.
const { file, state } = workerData as WriteBackPlace;
const flag = new Int32Array(state);
const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;

port.on('message', () => {
  try {
    // Opened each time: a permanent connection would keep the log alive when the main process closes its own.
    const db = new Database(file, { fileMustExist: true, ...(nativeBinding ? { nativeBinding } : {}) });
    try {
      db.pragma('wal_checkpoint(PASSIVE)');
    } finally {
      db.close();
    }
  } finally {
    Atomics.store(flag, 0, IDLE);
    Atomics.notify(flag, 0);
  }
  port.postMessage('moved');
});
