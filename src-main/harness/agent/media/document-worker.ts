// A worker of the main process that extracts text from documents. That may take seconds, and the documents are untrusted.
import { parentPort } from 'node:worker_threads';
import { type DocumentJob, type DocumentReport, type DocumentText, UnreadableDocument } from './document-job';
import { isCompound, isEncrypted } from './office/compound-file';
import { officeText } from './office/office-text';

const port = parentPort;
if (port === null) throw new Error('The document worker was not started as a worker.');

const isArchive = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

async function textOf(job: DocumentJob): Promise<DocumentText> {
  if (isArchive(job.bytes)) return officeText(job);
  if (isCompound(job.bytes))
    throw new UnreadableDocument(
      isEncrypted(job.bytes) ? 'it is protected with a password' : 'it has the format of before 2007',
    );
  // Loaded only for a PDF because it is large.
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
