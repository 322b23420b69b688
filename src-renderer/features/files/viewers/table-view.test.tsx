import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usePort } from '../../../link';
import { answeringWorker } from '../../../testing/answering-worker';
import { giveElementsSize } from '../../../testing/layout';
import { panelHost } from '../../../testing/panel-host';
import type { CsvTable } from './csv-table';
import { READ_WITHIN, TableView } from './table-view';

giveElementsSize();
const place = { projectId: ProjectId.parse('p'), threadId: null, path: '/home/me/api/data.csv' };
const table: CsvTable = {
  rows: [['id', 'price'], ...Array.from({ length: 100_000 }, (_, n) => [String(n), '1'])],
  cut: false,
};

let stop = () => {};
beforeEach(() => vi.stubGlobal('Worker', answeringWorker(table)));
afterEach(() => {
  cleanup();
  stop();
  vi.unstubAllGlobals();
});

it('sizes columns for the wide cells at the end of a long table', async () => {
  const host = panelHost({}, { 'files.text': () => ok({ text: 'id,price', version: '1', size: 8 }) });
  stop = host.stop;
  const Gate = () => (usePort().phase === 'ready' ? <TableView place={place} /> : null);
  render(<Gate />);
  const [id] = await screen.findAllByRole('columnheader');
  // Five digits of 7.5 pixels plus the margins.
  expect(id?.style.width).toBe('61.5px');
});

it('does not claim that rows are missing where columns are', async () => {
  vi.stubGlobal('Worker', answeringWorker({ rows: [['a'], ['1']], cut: true } satisfies CsvTable));
  stop = panelHost({}, { 'files.text': () => ok({ text: 'a,b', version: '1', size: 8 }) }).stop;
  const Gate = () => (usePort().phase === 'ready' ? <TableView place={place} /> : null);
  render(<Gate />);
  expect((await screen.findByText(/^1 row/)).textContent).toBe('1 row · 1 column · not everything is shown');
});

it('gives up on a table that takes too long, and terminates its worker [safety 24]', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  let [isAsked, isEnded] = [false, false];
  class Silent {
    postMessage() {
      isAsked = true;
    }
    terminate() {
      isEnded = true;
    }
  }
  vi.stubGlobal('Worker', Silent);
  const host = panelHost({}, { 'files.text': () => ok({ text: 'id,price', version: '1', size: 8 }) });
  stop = host.stop;
  const Gate = () => (usePort().phase === 'ready' ? <TableView place={place} /> : null);
  render(<Gate />);
  await waitFor(() => expect(isAsked).toBe(true));
  expect([isEnded, screen.queryByText(/takes too long/)]).toEqual([false, null]);
  const late = timers.mock.calls.find(([, delay]) => delay === READ_WITHIN)?.[0];
  act(() => late?.());
  expect(isEnded).toBe(true);
  expect(screen.getByText('This table takes too long to read. View it as text instead.')).toBeTruthy();
  timers.mockRestore();
});
