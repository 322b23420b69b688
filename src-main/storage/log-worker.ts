// A worker of the main process: moves the log of the database into it, so that no commit has to.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { IDLE, type WriteBackPlace } from './write-back';

const port = parentPort;
if (port === null) throw new Error('The log worker was not started as a worker.');

// The main process starts it with this and nothing else.
const { file, state } = workerData as WriteBackPlace;
const flag = new Int32Array(state);
const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;

port.on('message', () => {
  try {
    // Opened each time: a connection that stayed would keep the log from going with the main process's own.
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
