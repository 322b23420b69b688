// Must come before pdf.js, which looks for these globals on load. Its worker then runs in this one.
import './pdf-globals';
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type DocumentJob, type DocumentText, UnreadableDocument } from './document-job';

/** Extracts the text of a PDF's pages in file order. Runs in the document worker. */
export async function pdfText({ bytes, offset, limit, maxLength }: DocumentJob): Promise<DocumentText> {
  const document = await open(bytes);
  const total = document.numPages;
  const parts: string[] = [];
  let length = 0;
  for (let page = offset + 1; page <= Math.min(total, offset + limit) && length <= maxLength; page++) {
    const text = await pageText(document, page);
    parts.push(text);
    length += text.length;
  }
  return { format: 'PDF', unit: 'page', total, parts };
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  try {
    // Otherwise pdf.js warns about every unusual font.
    const verbosity = VerbosityLevel.ERRORS;
    return await getDocument({ data: bytes, verbosity, isEvalSupported: false, useSystemFonts: true })
      .promise;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new UnreadableDocument(
      name === 'PasswordException' ? 'it is protected by a password' : 'it is damaged and cannot be opened',
    );
  }
}

async function pageText(document: PDFDocumentProxy, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    let text = '';
    for (const item of items) {
      if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    }
    page.cleanup();
    return text.trim();
  } catch {
    // Keep the other pages if one is damaged.
    return '(this page is damaged and cannot be read)';
  }
}
