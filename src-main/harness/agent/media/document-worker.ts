// A worker of the main process: takes the words out of documents, which may take seconds and come from anywhere.
import { parentPort } from 'node:worker_threads';
import { type DocumentJob, type DocumentReport, type DocumentText, UnreadableDocument } from './document-job';
import { officeText } from './office-text';

const port = parentPort;
if (port === null) throw new Error('The document worker was not started as a worker.');

const isArchive = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

async function textOf(job: DocumentJob): Promise<DocumentText> {
  if (isArchive(job.bytes)) return officeText(job);
  // Loaded only for a PDF: it is large.
  const { pdfText } = await import('./pdf-text');
  return pdfText(job);
}

port.once('message', (job: DocumentJob) => {
  const report = (message: DocumentReport) => port.postMessage(message);
  textOf(job).then(
    (text) => report({ ok: true, text }),
    (error: unknown) => {
      const isKnown = error instanceof UnreadableDocument;
      report({ ok: false, why: isKnown ? error.message : 'it is damaged and cannot be read' });
    },
  );
});
