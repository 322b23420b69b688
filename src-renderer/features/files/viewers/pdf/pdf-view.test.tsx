import { ProjectId } from '@contract/ids';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { usePort } from '../../../../link';
import { panelHost } from '../../../../testing/panel-host';
import PdfView from './pdf-view';

const opened = vi.hoisted(() => ({ pages: 0, isHalf: false }));
vi.mock('./pdf-document', () => ({
  openPdf: async () => {
    if (opened.isHalf) throw new Error('Invalid PDF structure.');
    const page = { getViewport: () => ({ width: 600, height: 800 }) };
    const pdf = { numPages: opened.pages, getPage: () => Promise.resolve(page) };
    return { pdf, close: () => undefined };
  },
}));
vi.mock('./pdf-page', () => ({ PdfPage: ({ number }: { number: number }) => <p>Page {number}</p> }));

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const projectId = ProjectId.parse('p');
const path = '/home/me/api/paper.pdf';

it.each([
  ['a button of its toolbar', () => screen.getByRole('button', { name: 'Zoom in' })],
  ['its pages', () => screen.getByRole('document', { name: 'paper.pdf' })],
])('keeps the focus on %s when the file changes', async (_name, focused) => {
  const host = panelHost({}, {});
  stop = host.stop;
  opened.pages = 2;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <PdfView place={{ projectId, threadId: null, path }} find={false} onCloseFind={() => {}} />
    ) : null;
  render(<Gate />);
  expect(await screen.findByText('Page 1 of 2')).toBeTruthy();
  act(() => focused().focus());
  const before = document.activeElement;
  const change = () =>
    host.emit({ type: 'files.changed', projectId, directories: [], files: [path], all: false });
  // While another program writes it, the pages before stay.
  opened.isHalf = true;
  change();
  await screen.findByRole('alert');
  expect(screen.getByText('Page 1 of 2')).toBeTruthy();
  expect(document.activeElement).toBe(before);
  opened.isHalf = false;
  opened.pages = 3;
  change();
  expect(await screen.findByText('Page 1 of 3')).toBeTruthy();
  expect(document.activeElement).toBe(before);
  expect(before).toBe(focused());
  expect(screen.queryByRole('alert')).toBeNull();
});
