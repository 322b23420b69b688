import { beforeAll, describe, expect, it } from 'vitest';
import { readDocument, setDocumentWorker } from './documents';
import { builtDocumentWorker } from './testing/document-worker';
import { docxOf, pdfOf, pptxOf, xlsxOf } from './testing/files';

beforeAll(async () => setDocumentWorker(await builtDocumentWorker()), 60_000);

const { signal } = new AbortController();
const read = (bytes: Uint8Array, offset = 0, limit = 100, maxLength = 80_000) =>
  readDocument({ bytes, offset, limit, maxLength }, { signal });

describe('a document', () => {
  it('that is a PDF is read by page, from the one that is asked for', async () => {
    const bytes = pdfOf(['One', 'Two', '', 'Four']);
    expect(await read(bytes, 1, 2)).toEqual({
      ok: true,
      text: { format: 'PDF', unit: 'page', total: 4, parts: ['Two', ''] },
    });
    expect(await read(bytes, 0, 0)).toEqual({
      ok: true,
      text: { format: 'PDF', unit: 'page', total: 4, parts: [] },
    });
  });

  it('is read no further than there is room', async () => {
    const answer = await read(pdfOf(['a'.repeat(60), 'b'.repeat(60), 'c']), 0, 100, 100);
    expect(answer.ok && answer.text.parts.length).toBe(2);
  });

  it('that is a presentation is read by slide, in the order in which they are shown', async () => {
    expect(await read(pptxOf(['Fish &amp; chips\nSecond line', 'Thanks']))).toEqual({
      ok: true,
      text: {
        format: 'PowerPoint presentation',
        unit: 'slide',
        total: 2,
        parts: ['Fish & chips\nSecond line', 'Thanks'],
      },
    });
  });

  it('that is a text or a table of an office program is read too', async () => {
    expect(await read(docxOf(['Title', 'Text &#x1F600; &lt;b&gt;']))).toEqual({
      ok: true,
      text: { format: 'Word document', unit: 'paragraph', total: 2, parts: ['Title', 'Text 😀 <b>'] },
    });
    expect(await read(xlsxOf())).toEqual({
      ok: true,
      text: {
        format: 'Excel workbook',
        unit: 'row',
        total: 3,
        parts: ['Sheet Q1 & Q2', 'Item\t\tPrice', 'Tea\t\t3'],
      },
    });
  });

  it('that is damaged, or is none, says so', async () => {
    const damaged = { ok: false, why: 'it is damaged and cannot be opened' };
    expect(await read(Buffer.from('%PDF-1.7 and nothing more'))).toEqual(damaged);
    expect(await read(pptxOf(['One']).subarray(0, 200))).toEqual(damaged);
    expect(await read(docxOf(['One']).map((byte, i) => (i < 30 ? byte : 0)))).toEqual(damaged);
  });

  it('that takes too long is given up', async () => {
    const bytes = pdfOf(['One']);
    expect(
      await readDocument({ bytes, offset: 0, limit: 1, maxLength: 1 }, { signal, timeoutMs: 0 }),
    ).toEqual({
      ok: false,
      why: 'reading it takes too long',
    });
  });

  it('is not read on when the turn is stopped', async () => {
    const stopped = new AbortController();
    const reading = readDocument(
      { bytes: pdfOf(['One']), offset: 0, limit: 1, maxLength: 1 },
      { signal: stopped.signal },
    );
    stopped.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});
