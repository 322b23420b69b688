// A worker of the main process that copies, tests and measures the data, so that the main thread is never blocked.
import { parentPort, workerData } from 'node:worker_threads';
import { type DataJob, runDataJob } from './data-jobs';
import type { DataReport } from './data-service';

const port = parentPort;
if (port === null) throw new Error('The data worker was not started as a worker.');

let cancelled = false;
port.on('message', () => {
  cancelled = true;
});
const report = (message: DataReport) => port.postMessage(message);

// The main process always starts it with a job.
runDataJob(
  workerData as DataJob,
  (progress) => report({ kind: 'progress', progress }),
  () => cancelled,
).then(
  (result) => {
    report({ kind: 'done', result });
    port.close();
  },
  (error: unknown) => {
    // It reaches the main process as the worker's error.
    throw error;
  },
);
