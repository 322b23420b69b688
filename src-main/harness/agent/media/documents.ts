import { Worker } from 'node:worker_threads';
import { builtWorker } from '../../../base/built-worker';
import type { DocumentJob, DocumentReport } from './document-job';

/** Milliseconds for one document, including the start of its worker. */
const DEADLINE = 30_000;
/** Megabytes of a worker's heap. A document may expand to any size. */
const MAX_HEAP_MB = 512;
/** Documents read in parallel; more wait in a queue. */
const MAX_WORKERS = 2;

let workerFile: string | null | undefined;

/** Sets the path of the built worker (`document-worker.ts`) if it is not next to the program. Null: there is no worker. */
export const setDocumentWorker = (file: string | null): void => {
  workerFile = file;
};

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads the text of a PDF, PowerPoint, Word, Excel or OpenDocument text file by pages, slides, rows or paragraphs. A worker does it, so that
 * nothing else waits. For a file that cannot be read, or takes longer than 30 s, the result says why. Cancel: rejects with
 * the signal's reason and terminates the worker.
 */
export async function readDocument(
  job: DocumentJob,
  { signal, timeoutMs = DEADLINE }: { signal: AbortSignal; timeoutMs?: number },
): Promise<DocumentReport> {
  signal.throwIfAborted();
  workerFile ??= builtWorker('document-worker');
  if (workerFile === null) {
    return { ok: false, why: 'documents cannot be read here', isUnavailable: true };
  }
  if (running >= MAX_WORKERS) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    signal.throwIfAborted();
    return await runOn(workerFile, job, signal, timeoutMs);
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

async function runOn(
  file: string,
  job: DocumentJob,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<DocumentReport> {
  // Inherits nothing: no keys, and nothing that changes how modules load.
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  try {
    return await new Promise<DocumentReport>((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      timer = setTimeout(() => resolve({ ok: false, why: 'reading it takes too long' }), timeoutMs);
      worker.once('message', resolve);
      // Out of memory or a bug in the reader: the document causes either.
      worker.once('error', () => resolve({ ok: false, why: 'it is damaged or too large to be read' }));
      worker.once('exit', () => resolve({ ok: false, why: 'it cannot be read' }));
      worker.postMessage(job);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
