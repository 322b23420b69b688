import { FileEntry } from '@contract/app';
import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { usePort } from '../link';
import { giveElementsSize } from '../testing/layout';
import { panelHost } from '../testing/panel-host';
import { sampleProject } from '../testing/samples';
import { FilesTab } from './files-tab';
import { useUi } from './ui-store';

giveElementsSize();
const path = '/home/me/api/notes.txt';
let stop = () => {};
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  stop();
  useUi.setState({ filePath: null });
});

it('searches in the open file, even if its row in the tree has the focus', async () => {
  const project = sampleProject({ id: 'p', name: 'api', folder: '/home/me/api' });
  const host = panelHost(
    { projects: [project] },
    {
      'files.list': () =>
        ok({
          entries: [FileEntry.parse({ path, name: 'notes.txt', kind: 'file' })],
          total: 1,
          nextOffset: null,
        }),
      'files.read': () =>
        ok({
          path,
          kind: 'text',
          mimeType: 'text/plain',
          size: 3,
          lines: ['one'],
          offset: 0,
          totalLines: 1,
          nextOffset: null,
        }),
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <FilesTab
        projectId={ProjectId.parse('p')}
        threadId={null}
        onOpenFile={(filePath) => useUi.setState({ filePath })}
      />
    ) : null;
  render(<Gate />);
  fireEvent.click(await screen.findByRole('treeitem', { name: /notes/ }));
  await screen.findByText('one');
  const find = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true });
  fireEvent(screen.getByRole('tree'), find);
  expect(await screen.findByRole('textbox', { name: 'Find in file' })).toBeDefined();
  expect(find.defaultPrevented).toBe(true);
});
