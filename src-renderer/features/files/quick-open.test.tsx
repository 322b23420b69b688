import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { parsed, QuickOpen } from './quick-open';
import { withFolders } from './tree/use-marks';
import { resolved } from './viewers/markdown-view';

giveElementsSize();
let stop = () => {};
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  stop();
});

it('opens a match by keyboard, at the line that was typed', async () => {
  const opened: unknown[] = [];
  const names = ['src/file-viewer.tsx', 'src/file-tree.tsx'];
  const host = panelHost(
    {
      projects: [sampleProject({ id: 'p', name: 'api', folder: '/api' })],
    },
    {
      'files.find': ({ query }) => {
        const matches = names
          .filter((name) => name.includes(query))
          .map((name) => ({ name, path: `/api/${name}`, ranges: [] }));
        return ok({ matches, total: matches.length, files: 2, listing: false });
      },
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <QuickOpen
        projectId={ProjectId.parse('p')}
        open
        onClose={() => opened.push('closed')}
        onOpenFile={(...place) => opened.push(place)}
      />
    ) : null;
  render(<Gate />);
  const field = await screen.findByRole('combobox');
  await screen.findByText('file-tree.tsx');
  expect(screen.getByRole('status').textContent).toBe('2 files');
  fireEvent.change(field, { target: { value: 'tree' } });
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 of 2 files'));
  fireEvent.change(field, { target: { value: 'file:12' } });
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(opened).toEqual(['closed', ['/api/src/file-tree.tsx', 12]]);
});

it('opens what matches the whole text, even if Enter comes before the answer', async () => {
  const opened: string[] = [];
  const answers = new Map<string, () => void>();
  const host = panelHost(
    { projects: [sampleProject({ id: 'p', name: 'api', folder: '/api' })] },
    {
      'files.find': async ({ query }) => {
        if (query !== '') await new Promise<void>((done) => answers.set(query, done));
        const name = query === 'or' ? 'actor.ts' : 'orders.ts';
        return ok({
          matches: [{ name, path: `/api/${name}`, ranges: [] }],
          total: 1,
          files: 2,
          listing: false,
        });
      },
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <QuickOpen
        projectId={ProjectId.parse('p')}
        open
        onClose={() => undefined}
        onOpenFile={(path) => opened.push(path)}
      />
    ) : null;
  render(<Gate />);
  const field = await screen.findByRole('combobox');
  fireEvent.change(field, { target: { value: 'or' } });
  await waitFor(() => expect(answers.has('or')).toBe(true));
  answers.get('or')?.();
  await screen.findByText('actor.ts');
  fireEvent.change(field, { target: { value: 'ord' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(opened).toEqual([]);
  await waitFor(() => expect(answers.has('ord')).toBe(true));
  answers.get('ord')?.();
  await waitFor(() => expect(opened).toEqual(['/api/orders.ts']));
});

it('parses a line after the name, and ignores an unfinished one', () => {
  expect([parsed('a.ts:3'), parsed('a.ts:3:7'), parsed('a.ts:'), parsed(' a b ')]).toEqual([
    { query: 'a.ts', line: 3 },
    { query: 'a.ts', line: 3 },
    { query: 'a.ts' },
    { query: 'a b' },
  ]);
});

it('gives a folder the most important mark of its contents', () => {
  const marks = withFolders([
    { path: '/p/a/x', mark: 'untracked' },
    { path: '/p/a/y', mark: 'changed' },
  ]);
  expect([...marks]).toEqual([
    ['/p/a/x', 'untracked'],
    ['/p/a', 'changed'],
    ['/p', 'changed'],
    ['/p/a/y', 'changed'],
  ]);
});

it('finds the file that a link in a text refers to', () => {
  expect([
    resolved('/p/docs', '../src/a%20b.ts#L3'),
    resolved('/p', './x.md'),
    resolved('/p', '#top'),
  ]).toEqual(['/p/src/a b.ts', '/p/x.md', null]);
});
