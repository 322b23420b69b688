import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usePort } from '../../../link';
import { answeringWorker } from '../../../testing/answering-worker';
import { giveElementsSize } from '../../../testing/layout';
import { panelHost } from '../../../testing/panel-host';
import type { CsvTable } from './csv-table';
import { HexView } from './hex-view';
import { TableView } from './table-view';

giveElementsSize();
const place = { projectId: ProjectId.parse('p'), threadId: null, path: '/home/me/api/data' };
const table: CsvTable = { rows: [['name'], ['Ann'], ['Bo']], cut: false };

let stop = () => {};
beforeEach(() => {
  vi.stubGlobal('Worker', answeringWorker(table));
  document.documentElement.style.setProperty('--font-scale', '1.5');
});
afterEach(() => {
  cleanup();
  stop();
  vi.unstubAllGlobals();
  document.documentElement.style.removeProperty('--font-scale');
});

function show(view: ReactNode) {
  const host = panelHost(
    {},
    {
      'files.text': () => ok({ text: 'name\nAnn\nBo', version: '1', size: 11 }),
      'files.bytes': () => ok({ data: btoa('x'.repeat(40)), size: 40 }),
    },
  );
  stop = host.stop;
  const Gate = () => (usePort().phase === 'ready' ? view : null);
  render(<Gate />);
}

it('scales the rows of a table with the text size', async () => {
  show(<TableView place={place} />);
  await screen.findByText('Ann');
  const rows = screen.getAllByRole('row');
  expect(rows.map(({ style }) => style.height)).toEqual(['43px', '42px', '42px']);
  expect(rows[2]?.style.transform).toBe('translateY(42px)');
});

it('scales the rows of bytes with the text size', async () => {
  show(<HexView place={place} size={40} />);
  const [first] = await screen.findAllByText(/^78 78/);
  expect(first?.parentElement?.style.height).toBe('30px');
});
