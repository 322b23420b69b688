import { Worker } from 'node:worker_threads';

/** Megabytes of a worker's heap. What comes from outside may expand to any size. */
const MAX_HEAP_MB = 512;

/** `late`: it took too long; `failed`: it threw, or was out of memory; `ended`: it ended without an answer. */
export type NoAnswer = 'late' | 'failed' | 'ended';

/**
 * Gives one job to a new worker, for content that is not trusted and may take any time and memory. The worker inherits
 * nothing: no keys, and nothing that changes how modules load. Its first message is the answer, which is not checked. It is
 * terminated in every case. `timeoutMs` includes its start. Cancel: rejects with the signal's reason.
 */
export async function runInWorker<Answer>(
  file: string,
  job: unknown,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<{ answer: Answer } | { none: NoAnswer }> {
  signal.throwIfAborted();
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  try {
    return await new Promise((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      timer = setTimeout(() => resolve({ none: 'late' }), timeoutMs);
      worker.once('message', (answer: Answer) => resolve({ answer }));
      worker.once('error', () => resolve({ none: 'failed' }));
      worker.once('exit', () => resolve({ none: 'ended' }));
      worker.postMessage(job);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
