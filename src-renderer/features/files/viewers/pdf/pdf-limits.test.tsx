import { cleanup, render, waitFor } from '@testing-library/react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterEach, expect, it, vi } from 'vitest';
import { PdfPage } from './pdf-page';

afterEach(cleanup);

/** A document with one page of the given size, in points, without text. */
const pdfOf = (width: number, height: number) => {
  const page = {
    getViewport: ({ scale }: { scale: number }) => ({
      ...{ width: width * scale, height: height * scale, scale, rotation: 0, userUnit: 1 },
      rawDims: { pageWidth: width, pageHeight: height, pageX: 0, pageY: 0 },
    }),
    render: vi.fn(() => ({ promise: Promise.resolve(), cancel: () => undefined })),
    getTextContent: () => Promise.reject(new Error('It has no words.')),
  };
  return { page, pdf: { getPage: () => Promise.resolve(page) } as unknown as PDFDocumentProxy };
};

const draw = async (width: number, height: number, scale: number) => {
  const { page, pdf } = pdfOf(width, height);
  const { container } = render(
    <PdfPage
      {...{ pdf, scale, number: 1, guess: { width: 600, height: 800 }, places: [], current: undefined }}
      marks={null}
      onSize={() => undefined}
      onCurrent={() => undefined}
    />,
  );
  await waitFor(() => expect(page.render).toHaveBeenCalled());
  const canvas = container.querySelector('canvas');
  if (canvas === null) throw new Error('There is no canvas.');
  return canvas;
};

it('draws an ordinary page at the requested scale', async () => {
  const canvas = await draw(600, 800, 2);
  expect([canvas.width, canvas.height, canvas.style.width]).toEqual([1_200, 1_600, '1200px']);
});

it.each([
  ['huge', 1e9, 1e9],
  ['long', 10, 1e9],
  ['wide', 1e9, 10],
])('draws a %s page with few pixels, and lays it out small [safety 24]', async (_name, width, height) => {
  const canvas = await draw(width, height, 1.5);
  expect(canvas.width * canvas.height).toBeLessThanOrEqual(32_000_000);
  expect(Number.parseFloat(canvas.style.width)).toBeLessThanOrEqual(20_000);
  expect(Number.parseFloat(canvas.style.height)).toBeLessThanOrEqual(20_000);
});
