import { Worker } from 'node:worker_threads';
import { builtWorker } from '../../base/built-worker';
import type { DataProgress } from '../../contract/events/data';
import type { Result } from '../../contract/result';
import { type DataAnswer, type DataJob, runDataJob } from './data-jobs';

export type DataReport =
  | { kind: 'progress'; progress: DataProgress }
  | { kind: 'done'; result: Result<DataAnswer> };

/**
 * Runs a job in a new worker, or in this thread if none is built. Aborting stops it at its next step, removes its files, and
 * returns `cancelled`. Errors: `storage`, `invalid` for a file that is not a backup, `unsupported` for one of a newer
 * Deepdesk.
 */
export async function doDataJob<J extends DataJob>(
  job: J,
  { signal, tell = () => undefined }: { signal: AbortSignal; tell?: (progress: DataProgress) => void },
  file: string | null = builtWorker('data-worker'),
): Promise<Result<DataAnswer<J>>> {
  const result =
    file === null
      ? await runDataJob(job, tell, () => signal.aborted)
      : await inWorker(file, job, { signal, tell });
  // The kind of a job determines the type of its result.
  return result as Result<DataAnswer<J>>;
}

function inWorker(
  file: string,
  job: DataJob,
  { signal, tell }: { signal: AbortSignal; tell: (progress: DataProgress) => void },
): Promise<Result<DataAnswer>> {
  const binding = process.env.DEEPDESK_SQLITE_BINDING;
  const worker = new Worker(file, {
    env: binding === undefined ? {} : { DEEPDESK_SQLITE_BINDING: binding },
    execArgv: [],
    workerData: job,
  });
  const cancel = () => worker.postMessage('cancel');
  signal.addEventListener('abort', cancel);
  return new Promise<Result<DataAnswer>>((resolve, reject) => {
    worker.on('message', (report: DataReport) => {
      if (report.kind === 'progress') tell(report.progress);
      else resolve(report.result);
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`The data worker ended with status ${code}.`)));
    if (signal.aborted) cancel();
  }).finally(() => signal.removeEventListener('abort', cancel));
}
