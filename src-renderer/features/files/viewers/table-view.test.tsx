import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usePort } from '../../../link';
import { answeringWorker } from '../../../testing/answering-worker';
import { giveElementsSize } from '../../../testing/layout';
import { panelHost } from '../../../testing/panel-host';
import type { CsvTable } from './csv-table';
import { TableView } from './table-view';

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

it('has columns as wide as what stands at the end of a long table needs', async () => {
  const host = panelHost({}, { 'files.text': () => ok({ text: 'id,price', version: '1', size: 8 }) });
  stop = host.stop;
  const Gate = () => (usePort().phase === 'ready' ? <TableView place={place} /> : null);
  render(<Gate />);
  const [id] = await screen.findAllByRole('columnheader');
  // Five digits of 7.5 pixels and the margins.
  expect(id?.style.width).toBe('61.5px');
});
