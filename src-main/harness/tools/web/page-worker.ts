// A worker of the main process that converts web pages to Markdown. The pages are untrusted.
import { parentPort } from 'node:worker_threads';
import type { PageJob } from './html-page';
import { htmlToMarkdown, type MarkdownPage } from './html-to-markdown';

const port = parentPort;
if (port === null) throw new Error('The page worker was not started as a worker.');

port.once('message', ({ html, url }: PageJob) => {
  let page: MarkdownPage | null = null;
  try {
    page = htmlToMarkdown(html, url);
  } catch {
    // Nested too deeply for the stack.
  }
  port.postMessage(page);
});
