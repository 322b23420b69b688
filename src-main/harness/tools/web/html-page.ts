import { builtWorker } from '../../../base/built-worker';
import { runInWorker } from '../../../base/run-in-worker';
import type { MarkdownPage } from './html-to-markdown';

/** Milliseconds for one page, including the start of its worker. */
const DEADLINE = 15_000;

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
  const job: PageJob = { html, url };
  const ran = await runInWorker<MarkdownPage | null>(file, job, { signal, timeoutMs: DEADLINE });
  return 'answer' in ran ? ran.answer : null;
}
