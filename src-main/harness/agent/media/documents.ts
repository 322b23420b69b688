import { Worker } from 'node:worker_threads';
import { builtWorker } from '../../../base/built-worker';
import type { DocumentJob, DocumentReport } from './document-job';

/** Milliseconds for one document, its worker's start included. */
const DEADLINE = 30_000;
/** Megabytes of a worker's heap: a document may unfold into any amount. */
const MAX_HEAP_MB = 512;
/** Documents at once; more wait for their turn. */
const MAX_WORKERS = 2;

let workerFile: string | null | undefined;

/** Where the built worker (`document-worker.ts`) is, where it does not lie beside the program. Null: there is none. */
export const setDocumentWorker = (file: string | null): void => {
  workerFile = file;
};

let running = 0;
const waiting: (() => void)[] = [];

/**
 * The words of a PDF, PowerPoint, Word or Excel file by pages, slides, rows or paragraphs, read in a worker so that
 * nothing else waits. What cannot be read, or takes longer than 30 s, is a value that says why. Cancel: rejects with the
 * signal's reason, and the worker is ended.
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
  // Nothing of ours: neither keys nor what changes how modules are loaded.
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
      // Out of memory, or a fault of the reader: of the document's making in either case.
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
