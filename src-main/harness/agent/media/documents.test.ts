import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { standardTime } from '../../../base/testing/processor-time';
import { readDocument, setDocumentWorker } from './documents';
import { officeText } from './office/office-text';
import { builtDocumentWorker } from './testing/document-worker';
import { docxOf, odtOf, pdfOf, pptxOf, xlsxOf, zip } from './testing/files';

beforeAll(async () => setDocumentWorker(await builtDocumentWorker()), 60_000);

const { signal } = new AbortController();
const read = (bytes: Uint8Array, offset = 0, limit = 100, maxLength = 80_000) =>
  readDocument({ bytes, offset, limit, maxLength }, { signal });

describe('a document', () => {
  it('reads a PDF by page, from the requested one', async () => {
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

  it('stops reading at the length limit', async () => {
    const answer = await read(pdfOf(['a'.repeat(60), 'b'.repeat(60), 'c']), 0, 100, 100);
    expect(answer.ok && answer.text.parts.length).toBe(2);
  });

  it('reads a presentation by slide, in display order', async () => {
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

  it('reads Word and Excel files too', async () => {
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
        parts: ['Sheet Q1 & Q2', 'Item\t\tPrice', 'Tea\t\t3 (=1+2)'],
        headings: [0],
        marks: ['', '1\t', '2\t'],
      },
    });
  });

  it('reads an OpenDocument text without what its author deleted', async () => {
    const bytes = odtOf(
      '<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes>' +
        '<text:h>Title</text:h><text:p/><text:p>One <text:span>two</text:span><text:s text:c="2"/>three<text:line-break/>four<text:tab/>five &amp; six' +
        '<text:note><text:p>A note</text:p></text:note></text:p>between<text:p>Last</text:p>',
    );
    expect(await read(bytes)).toEqual({
      ok: true,
      text: {
        format: 'OpenDocument text',
        unit: 'paragraph',
        total: 4,
        parts: ['Title', 'One two  three\nfour\tfive & six', 'Note: A note', 'Last'],
      },
    });
  });

  it('says why a damaged or invalid file cannot be read', async () => {
    const damaged = { ok: false, why: 'it is damaged and cannot be opened' };
    expect(await read(Buffer.from('%PDF-1.7 and nothing more'))).toEqual(damaged);
    expect(await read(pptxOf(['One']).subarray(0, 200))).toEqual(damaged);
    expect(await read(docxOf(['One']).map((byte, i) => (i < 30 ? byte : 0)))).toEqual(damaged);
  });

  it('says that a document is protected with a password, or too old', async () => {
    const old = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    const locked = Buffer.concat([old, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')]);
    expect(await read(locked)).toEqual({ ok: false, why: 'it is protected with a password' });
    expect(await read(old)).toEqual({ ok: false, why: 'it has the format of before 2007' });
    const open = zip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '\u0001\u0002',
      'META-INF/manifest.xml': '<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>',
    });
    expect(await read(open)).toEqual({ ok: false, why: 'it is protected with a password' });
  });

  it('gives up after the deadline', async () => {
    const bytes = pdfOf(['One']);
    expect(
      await readDocument({ bytes, offset: 0, limit: 1, maxLength: 1 }, { signal, timeoutMs: 0 }),
    ).toEqual({
      ok: false,
      why: 'reading it takes too long',
    });
  });

  it('stops reading when the turn is stopped', async () => {
    const stopped = new AbortController();
    const reading = readDocument(
      { bytes: pdfOf(['One']), offset: 0, limit: 1, maxLength: 1 },
      { signal: stopped.signal },
    );
    stopped.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });

  it('stops waiting for its turn when the turn is stopped, and lets the next one have it', async () => {
    const real = await builtDocumentWorker();
    const file = join(mkdtempSync(join(tmpdir(), 'deepdesk-silent-')), 'silent.mjs');
    onTestFinished(() => {
      setDocumentWorker(real);
      rmSync(dirname(file), { recursive: true });
    });
    writeFileSync(file, 'setInterval(() => {}, 1_000);');
    setDocumentWorker(file);
    const job = { bytes: pdfOf(['One']), offset: 0, limit: 1, maxLength: 10 };
    const started = [0, 1].map(() => {
      const stop = new AbortController();
      return { stop, reading: readDocument(job, { signal: stop.signal }) };
    });
    const [waits, last] = [new AbortController(), new AbortController()];
    const waiting = readDocument(job, { signal: waits.signal });
    const next = readDocument(job, { signal: last.signal });
    waits.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    setDocumentWorker(real);
    started[0]?.stop.abort(new Error('over'));
    await expect(started[0]?.reading).rejects.toThrow('over');
    started[1]?.stop.abort(new Error('over'));
    await expect(started[1]?.reading).rejects.toThrow('over');
    expect(await next).toMatchObject({ ok: true });
  });
});

const RELATIONS = (target: string) =>
  `<Relationships><Relationship Id="a" Target="${target}"/></Relationships>`;
const workbook = (sheet: string, more: Record<string, string> = {}, count = 1) =>
  zip({
    'xl/workbook.xml': `<workbook>${'<sheet name="S" r:id="a"/>'.repeat(count)}</workbook>`,
    'xl/_rels/workbook.xml.rels': RELATIONS('worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': sheet,
    ...more,
  });
const presentation = (slide: string, list: string) =>
  zip({
    'ppt/presentation.xml': list,
    'ppt/_rels/presentation.xml.rels': RELATIONS('slides/slide1.xml'),
    'ppt/slides/slide1.xml': slide,
  });
const MANY = 400_000;

describe('a malicious office document', () => {
  it.each([
    ['cells that never end', workbook('<c r="A1">'.repeat(MANY))],
    ['cells whose tags never end', workbook('<c r="A1" '.repeat(MANY))],
    ['rows in one another', workbook('<row><c><v>'.repeat(MANY))],
    ['texts whose tags never end', docxOf(['<w:t '.repeat(MANY)])],
    ['paragraphs in one another', docxOf(['<w:p><w:t>'.repeat(MANY)])],
    [
      'relations whose tags never end',
      workbook('', { 'xl/_rels/workbook.xml.rels': '<Relationship '.repeat(MANY) }),
    ],
    ['slides whose tags never end', presentation('', '<p:sldId '.repeat(MANY))],
    ['names that never end', presentation('', '<p:sldId r:id="'.repeat(MANY))],
    [
      'breaks in cells of a table',
      docxOf([
        `<w:tbl><w:tr>${`<w:tc>${'<w:br/>'.repeat(400)}<w:t>x</w:t></w:tc>`.repeat(1_000)}</w:tr></w:tbl>`,
      ]),
    ],
    ['shared texts that never end', workbook('', { 'xl/sharedStrings.xml': '<t '.repeat(MANY) })],
  ])('is read in time that grows with its length: %s [safety 24]', async (_name, bytes) => {
    const read = () => officeText({ bytes, offset: 0, limit: 1, maxLength: 1 });
    expect(await standardTime(read, 1)).toBeLessThan(5_000);
  });

  const far = Array.from({ length: 10_000 }, () => '<row><c r="XFD1"><v>1</v></c></row>').join('');
  const text = 'x'.repeat(1_000_000);
  it.each([
    ['one sheet that is named again and again', workbook(`<row><c><v>${text}</v></c></row>`, {}, 1_000)],
    [
      'one text in many cells',
      workbook('<row><c t="s"><v>0</v></c></row>'.repeat(1_000), {
        'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>`,
      }),
    ],
    ['columns far away', workbook(far)],
    [
      'one slide that is shown again and again',
      presentation(`<a:p><a:t>${text}</a:t></a:p>`, '<p:sldId r:id="a"/>'.repeat(1_000)),
    ],
    ['a text of 80 MB', docxOf([text.repeat(80)])],
  ])('is refused if it expands too far: %s [safety 24]', (_name, bytes) => {
    expect(() => officeText({ bytes, offset: 0, limit: 1, maxLength: 1 })).toThrow(
      'it holds more text than can be read',
    );
  });

  it('is refused if its archive has too many files [safety 24]', () => {
    const files = Array.from({ length: 20_001 }, (_, at): [string, string] => [`f${at}`, '']);
    const bytes = zip({ 'word/document.xml': '', ...Object.fromEntries(files) });
    expect(() => officeText({ bytes, offset: 0, limit: 1, maxLength: 1 })).toThrow('too many files');
  });
});
