import { MAX_PART } from '@contract/limits';
import {
  GlobalWorkerOptions,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Place, readBytes } from '../place';
import { MAX_PICTURE } from './pdf-limits';

/** Bytes per request of the document. */
const CHUNK = 256 * 1024;

/** Provides the parts of a file that the document requests. */
class FileRanges extends PDFDataRangeTransport {
  private readonly controller = new AbortController();

  constructor(
    private readonly place: Place,
    size: number,
    first: Uint8Array,
    private readonly failed: (error: unknown) => void,
  ) {
    super(size, first);
  }

  override requestDataRange(begin: number, end: number): void {
    this.bring(begin, end).catch((error: unknown) => {
      if (!this.controller.signal.aborted) this.failed(error);
    });
  }

  override abort(): void {
    this.controller.abort();
  }

  private async bring(begin: number, end: number): Promise<void> {
    const whole = new Uint8Array(end - begin);
    for (let at = begin; at < end; at += MAX_PART) {
      const { bytes } = await readBytes(this.place, at, Math.min(MAX_PART, end - at), this.controller.signal);
      whole.set(bytes, at - begin);
    }
    this.onDataRange(begin, whole);
  }
}

export interface OpenPdf {
  pdf: PDFDocumentProxy;
  close(): void;
}

/**
 * Opens a PDF file and reads only the viewed parts. Scripts and forms in it do nothing, and links lead nowhere. Rejects with
 * the reason if the file cannot be opened.
 */
export async function openPdf(place: Place, failed: (error: unknown) => void): Promise<OpenPdf> {
  const { bytes, size } = await readBytes(place, 0, CHUNK);
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  // The next document that is opened takes it immediately.
  GlobalWorkerOptions.workerPort = port;
  const range = new FileRanges(place, size, bytes, failed);
  const task = getDocument({
    range,
    rangeChunkSize: CHUNK,
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    enableXfa: false,
    useSystemFonts: true,
    useWasm: false,
    maxImageSize: MAX_PICTURE,
  });
  const close = () => {
    range.abort();
    void task.destroy().finally(() => port.terminate());
  };
  try {
    return { pdf: await task.promise, close };
  } catch (error) {
    close();
    throw error;
  }
}
