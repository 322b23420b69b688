import { Worker } from 'node:worker_threads';
import { builtWorker } from '../../../base/built-worker';
import type { MarkdownPage } from './html-to-markdown';

/** Milliseconds for one page, including the start of its worker. */
const DEADLINE = 15_000;
/** Megabytes of a worker's heap. */
const MAX_HEAP_MB = 512;

export interface PageJob {
  html: string;
  url: string;
}

/**
 * Converts a page in a worker: the HTML is untrusted and may take any time and memory. Null if it takes too much. Cancel:
 * rejects with the signal's reason.
 */
export async function markdownOf(
  html: string,
  url: string,
  signal: AbortSignal,
): Promise<MarkdownPage | null> {
  signal.throwIfAborted();
  const file = builtWorker('page-worker');
  // Without a build, as in unit tests.
  if (file === null) return (await import('./html-to-markdown')).htmlToMarkdown(html, url);
  const worker = new Worker(file, {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  try {
    return await new Promise<MarkdownPage | null>((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      timer = setTimeout(() => resolve(null), DEADLINE);
      worker.once('message', resolve);
      worker.once('error', () => resolve(null));
      worker.once('exit', () => resolve(null));
      worker.postMessage({ html, url } satisfies PageJob);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
