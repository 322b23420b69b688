import { FileEntry } from '@contract/app';
import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FileTabs } from '../features/files';
import { readUnsaved, writeUnsaved } from '../features/files/unsaved';
import { onIntent, usePort } from '../link';
import { giveElementsSize } from '../testing/layout';
import { type Answers, panelHost } from '../testing/panel-host';
import { sampleProject } from '../testing/samples';
import { FilesTab } from './files-tab';
import { closeOpenFile, isDockWide, moveOpenFiles, showOpenFile, toggleDockWidth, useUi } from './ui-store';

giveElementsSize();
const folder = '/home/me/api';
const projectId = ProjectId.parse('p');
let stop = () => {};
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  stop();
  useUi.setState({ filePath: null, openFiles: [] });
});

/** A folder with files of one line each, `one`. */
function openFolder(names: string[], answers: Answers = {}) {
  const project = sampleProject({ id: 'p', name: 'api', folder: '/home/me/api' });
  const host = panelHost(
    { projects: [project] },
    {
      'files.list': () =>
        ok({
          entries: names.map((name) => FileEntry.parse({ path: `${folder}/${name}`, name, kind: 'file' })),
          total: names.length,
          nextOffset: null,
        }),
      'files.read': ({ path }) =>
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
      ...answers,
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? <FilesTab projectId={projectId} threadId={null} /> : null;
  render(<Gate />);
}

it('searches in the open file, even if its row in the tree has the focus', async () => {
  openFolder(['notes.txt']);
  fireEvent.click(await screen.findByRole('treeitem', { name: /notes/ }));
  await screen.findByText('one');
  const find = new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true });
  fireEvent(screen.getByRole('tree'), find);
  expect(await screen.findByRole('textbox', { name: 'Find in file' })).toBeDefined();
  expect(find.defaultPrevented).toBe(true);
});

it('keeps the tabs of renamed files, with their unsaved text', async () => {
  openFolder(['notes.txt'], { 'files.move': () => ok({}) });
  writeUnsaved(projectId, `${folder}/notes.txt`, { text: 'mine', version: '1' });
  writeUnsaved(projectId, `${folder}/notes.txt.old`, { text: 'other', version: '1' });
  for (const name of ['notes.txt', 'b.txt']) showOpenFile(`${folder}/${name}`);
  fireEvent.keyDown(await screen.findByRole('treeitem', { name: /notes/ }), { key: 'Home' });
  fireEvent.keyDown(screen.getByRole('tree'), { key: 'ArrowDown' });
  fireEvent.keyDown(screen.getByRole('tree'), { key: 'F2' });
  const field = await screen.findByRole('textbox', { name: 'New name for notes.txt' });
  fireEvent.change(field, { target: { value: 'done.txt' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(useUi.getState().openFiles).toEqual([`${folder}/done.txt`, `${folder}/b.txt`]));
  expect(useUi.getState().filePath).toBe(`${folder}/b.txt`);
  expect(readUnsaved(projectId, `${folder}/done.txt`)?.text).toBe('mine');
  expect(readUnsaved(projectId, `${folder}/notes.txt`)).toBeUndefined();
  expect(readUnsaved(projectId, `${folder}/notes.txt.old`)?.text).toBe('other');
});

it.each(['Save', 'Discard'])('goes on showing a file after its editing ends with %s', async (answer) => {
  const path = `${folder}/notes.txt`;
  openFolder(['notes.txt'], {
    'files.text': () => ok({ text: 'one', version: '1', size: 3 }),
    'files.save': () => ok({ version: '2' }),
  });
  writeUnsaved(projectId, path, { text: 'two', version: '1' });
  showOpenFile(path);
  await screen.findByRole('textbox', { name: 'Text of notes.txt' });
  fireEvent.click(await screen.findByRole('button', { name: 'Stop editing' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: answer }));
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeDefined();
  expect(useUi.getState().filePath).toBe(path);
  await waitFor(() => expect(readUnsaved(projectId, path)).toBeUndefined());
  await waitFor(() => expect(screen.queryByTitle('Unsaved')).toBeNull());
});

it('shows several files as tabs, and the neighbor of a closed one', () => {
  const { openFiles, filePath } = useUi.getState();
  expect([openFiles, filePath]).toEqual([[], null]);
  for (const name of ['a', 'b', 'c']) showOpenFile(`/p/${name}`);
  showOpenFile('/p/b', 7);
  expect(useUi.getState()).toMatchObject({
    openFiles: ['/p/a', '/p/b', '/p/c'],
    filePath: '/p/b',
    fileGoTo: { line: 6 },
  });
  const first = useUi.getState().fileGoTo;
  showOpenFile('/p/b', 7);
  expect(useUi.getState().fileGoTo, 'the same line once more').not.toBe(first);
  closeOpenFile('/p/b');
  expect(useUi.getState()).toMatchObject({ openFiles: ['/p/a', '/p/c'], filePath: '/p/c', fileGoTo: null });
  closeOpenFile('/p/a');
  expect(useUi.getState().filePath).toBe('/p/c');
  closeOpenFile('/p/c');
  expect(useUi.getState()).toMatchObject({ openFiles: [], filePath: null });
});

it('keeps the files of a renamed folder open', () => {
  for (const path of ['/p/src/a', '/p/src.old', '/p/src/b/c']) showOpenFile(path);
  showOpenFile('/p/src/a');
  moveOpenFiles('/p/src', '/p/lib');
  expect(useUi.getState()).toMatchObject({
    openFiles: ['/p/lib/a', '/p/src.old', '/p/lib/b/c'],
    filePath: '/p/lib/a',
  });
});

it('widens the panel while a file is open, until the person narrows it', () => {
  const isWide = () => isDockWide(useUi.getState());
  expect(isWide()).toBe(false);
  showOpenFile('/p/a');
  expect(isWide()).toBe(true);
  closeOpenFile('/p/a');
  expect(isWide()).toBe(false);
  showOpenFile('/p/a');
  toggleDockWidth();
  expect(isWide()).toBe(false);
  showOpenFile('/p/b');
  expect(isWide()).toBe(false);
  toggleDockWidth();
  expect(isWide()).toBe(true);
});

it('moves between the tabs of files by keyboard', () => {
  const seen: string[] = [];
  const closed: string[] = [];
  render(
    <FileTabs
      projectId={ProjectId.parse('p')}
      paths={['/p/a.ts', '/p/b.ts']}
      shown="/p/a.ts"
      onShow={(path) => seen.push(path)}
      onClose={(path) => closed.push(path)}
    >
      <p>text</p>
    </FileTabs>,
  );
  const [first, second] = screen.getAllByRole('tab');
  expect(first?.getAttribute('aria-selected')).toBe('true');
  fireEvent.keyDown(first as Element, { key: 'ArrowRight' });
  fireEvent.keyDown(first as Element, { key: 'ArrowLeft' });
  fireEvent.keyDown(first as Element, { key: 'Delete' });
  fireEvent(second as Element, new MouseEvent('auxclick', { button: 1, bubbles: true }));
  expect([seen, closed]).toEqual([
    ['/p/b.ts', '/p/b.ts'],
    ['/p/a.ts', '/p/b.ts'],
  ]);
});

it('has a menu for each tab of a file, at the pointer and by the menu key', async () => {
  const closed: string[] = [];
  const added: string[] = [];
  stop = panelHost({ projects: [sampleProject({ id: 'p', mount: '/p' })] }, {}).stop;
  const stopIntents = onIntent((intent) => intent.type === 'addToMessage' && added.push(intent.text));
  const Tabs = () =>
    usePort().phase === 'ready' ? (
      <FileTabs
        projectId={ProjectId.parse('p')}
        paths={['/p/a.ts', '/p/b.ts', '/p/c@2x.png']}
        shown="/p/a.ts"
        onShow={() => {}}
        onClose={(path) => closed.push(path)}
      >
        <p>text</p>
      </FileTabs>
    ) : null;
  render(<Tabs />);
  await screen.findAllByRole('tab');
  const choose = async (tab: string, button: number, item: string) => {
    const from = screen.getByRole('tab', { name: tab });
    from.focus();
    fireEvent.contextMenu(from, { button });
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
    // Takes the focus back for the next key.
    await waitFor(() => expect(document.activeElement).toBe(from));
  };
  await choose('b.ts', 2, 'Close others');
  await choose('c@2x.png', 0, 'Close Del');
  await choose('a.ts', 0, 'Close all');
  await choose('b.ts', 2, 'Add to message');
  await choose('c@2x.png', 2, 'Add to message');
  stopIntents();
  // Without the quotation marks, the name would end at its second @.
  expect(added).toEqual(['@b.ts', '@"c@2x.png"']);
  expect(closed).toEqual(['/p/a.ts', '/p/c@2x.png', '/p/c@2x.png', '/p/a.ts', '/p/b.ts', '/p/c@2x.png']);
});
