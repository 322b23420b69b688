import { beforeAll, expect, it } from 'vitest';
import { setDocumentWorker } from '../../harness/agent/media/documents';
import { builtDocumentWorker } from '../../harness/agent/media/testing/document-worker';
import { docxOf, pdfOf, pptxOf, xlsxOf } from '../../harness/agent/media/testing/files';
import { documentDiff, documentText } from './document-text';

beforeAll(async () => setDocumentWorker(await builtDocumentWorker()), 60_000);

const { signal } = new AbortController();
const nothing = new Uint8Array();
const diff = (before: Uint8Array, after: Uint8Array) => documentDiff({ before, after }, 1_000, signal);

it('names the sheets of a workbook, and keeps slides apart', async () => {
  expect(await documentText(xlsxOf(), signal)).toEqual({
    unit: 'row',
    sections: [{ name: 'Q1 & Q2', lines: ['Item\t\tPrice', 'Tea\t\t3 (=1+2)'] }],
    cut: false,
  });
  expect(await documentText(pptxOf(['One\nTwo', '']), signal)).toEqual({
    unit: 'slide',
    sections: [
      { name: '', lines: ['One', 'Two'] },
      { name: '', lines: [] },
    ],
    cut: false,
  });
});

it('compares the texts of two versions, line by line', async () => {
  const changed = await diff(docxOf(['One', 'Two']), docxOf(['One', 'Three']));
  expect(changed?.hunks.map(({ lines }) => lines)).toEqual([[' One', '-Two', '+Three']]);
  const created = await diff(nothing, pptxOf(['One', 'Two']));
  expect(created?.hunks.map(({ lines }) => lines)).toEqual([['+[1]', '+One', '+[2]', '+Two']]);
  expect(await diff(docxOf(['One']), docxOf(['One']))).toMatchObject({ hunks: [] });
});

it('compares no other files, no damaged ones, and none with too much text', async () => {
  expect(await diff(docxOf(['One']), new Uint8Array([1, 2, 3]))).toBeNull();
  expect(await diff(nothing, pdfOf(['One']))).toBeNull();
  const many = docxOf(Array.from({ length: 20_001 }, (_, n) => `line ${n}`));
  expect((await documentText(many, signal))?.cut).toBe(true);
  expect(await diff(nothing, many)).toBeNull();
});
