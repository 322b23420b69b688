import { builtWorker } from '../../../base/built-worker';
import { type NoAnswer, runInWorker } from '../../../base/run-in-worker';
import { Semaphore } from '../../../base/semaphore';
import type { DocumentJob, DocumentReport } from './document-job';

/** Milliseconds for one document, including the start of its worker. */
const DEADLINE = 30_000;
/** Documents read in parallel; more wait in a queue. */
const MAX_WORKERS = 2;

let workerFile: string | null | undefined;

/** Sets the path of the built worker (`document-worker.ts`) if it is not next to the program. Null: there is no worker. */
export const setDocumentWorker = (file: string | null): void => {
  workerFile = file;
};

const places = new Semaphore(MAX_WORKERS);

/**
 * Reads the text of a PDF, PowerPoint, Word, Excel or OpenDocument text file by pages, slides, rows or paragraphs. A worker does it, so that
 * nothing else waits. For a file that cannot be read, or takes longer than 30 s, the result says why. Cancel: rejects with
 * the signal's reason and terminates the worker.
 */
export async function readDocument(
  job: DocumentJob,
  { signal, timeoutMs = DEADLINE }: { signal: AbortSignal; timeoutMs?: number },
): Promise<DocumentReport> {
  workerFile ??= builtWorker('document-worker');
  if (workerFile === null) {
    return { ok: false, why: 'documents cannot be read here', isUnavailable: true };
  }
  await places.take(signal);
  try {
    const ran = await runInWorker<DocumentReport>(workerFile, job, { signal, timeoutMs });
    return 'answer' in ran ? ran.answer : { ok: false, why: WHY[ran.none] };
  } finally {
    places.leave();
  }
}

const WHY: Record<NoAnswer, string> = {
  late: 'reading it takes too long',
  // Out of memory or a bug in the reader: the document causes either.
  failed: 'it is damaged or too large to be read',
  ended: 'it cannot be read',
};
