import { FileEntry } from '@contract/app';
import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { giveElementsSize } from '../../testing/layout';
import { type Answers, panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { FilesPanel } from './files-panel';
import { forgetTrees } from './tree/kept-tree';

const project = sampleProject({ id: 'p', name: 'api', folder: '/home/me/api' });
const entry = (path: string, kind: FileEntry['kind']) =>
  FileEntry.parse({ path, name: path.slice(path.lastIndexOf('/') + 1), kind });

giveElementsSize();
let stop = () => {};
beforeEach(() => {
  localStorage.clear();
  forgetTrees();
});
afterEach(() => {
  cleanup();
  stop();
});

function open(disk: Record<string, FileEntry[]>, answers: Answers = {}, openPath?: string) {
  const opened: string[] = [];
  const moved: string[][] = [];
  const host = panelHost(
    { projects: [project] },
    {
      'files.list': ({ path }) => {
        const entries = disk[path];
        if (entries === undefined)
          return fail('folder_gone', 'external', { text: 'The folder /home/me/api is not there any more.' });
        return ok({ entries, total: entries.length, nextOffset: null });
      },
      ...answers,
    },
  );
  stop = host.stop;
  const Gate = () =>
    usePort().phase === 'ready' ? (
      <FilesPanel
        projectId={ProjectId.parse('p')}
        threadId={null}
        openPath={openPath}
        onOpenFile={(path) => opened.push(path)}
        onMoved={(from, to) => moved.push([from, to])}
      />
    ) : null;
  render(<Gate />);
  return { host, opened, moved };
}
const lines = () => screen.getAllByRole('treeitem').map((row) => row.textContent);

it('lists only open folders, by keyboard alone, and opens a file', async () => {
  const { host, opened } = open({
    '/home/me/api': [entry('/home/me/api/src', 'directory'), entry('/home/me/api/README.md', 'file')],
    '/home/me/api/src': [entry('/home/me/api/src/sum.ts', 'file')],
  });
  await screen.findByText('README.md');
  expect(host.asked('files.list')).toEqual([
    { projectId: 'p', threadId: null, path: '/home/me/api', offset: 0 },
  ]);
  const tree = screen.getByRole('tree');
  for (const key of ['s', 'ArrowRight']) fireEvent.keyDown(tree, { key });
  await screen.findByText('sum.ts');
  for (const key of ['ArrowDown', 'Enter']) fireEvent.keyDown(tree, { key });
  expect(opened).toEqual(['/home/me/api/src/sum.ts']);
});

it('shows a file that another tool created in an open directory', async () => {
  const disk = { '/home/me/api': [entry('/home/me/api/a.txt', 'file')] };
  const { host } = open(disk);
  await screen.findByText('a.txt');
  disk['/home/me/api'].push(entry('/home/me/api/b.txt', 'file'));
  host.emit({
    type: 'files.changed',
    projectId: project.id,
    directories: ['/home/me/api'],
    files: ['/home/me/api/b.txt'],
    all: false,
  });
  await waitFor(() => expect(lines()).toEqual(['api', 'a.txt', 'b.txt', 'Memories']));
});

it('keeps the pages of a large folder that were loaded when something in it changes', async () => {
  const names = Array.from({ length: 7 }, (_, at) => `f${at}.txt`);
  const { host } = open(
    {},
    {
      'files.list': ({ offset = 0 }) =>
        ok({
          entries: names.slice(offset, offset + 2).map((name) => entry(`/home/me/api/${name}`, 'file')),
          total: names.length,
          nextOffset: offset + 2 < names.length ? offset + 2 : null,
        }),
    },
  );
  await screen.findByText('f1.txt');
  for (const last of ['f3.txt', 'f5.txt']) {
    fireEvent.click(screen.getByText(/more/));
    await screen.findByText(last);
  }
  names.splice(1, 1);
  host.emit({
    type: 'files.changed',
    projectId: project.id,
    directories: ['/home/me/api'],
    files: ['/home/me/api/f1.txt'],
    all: false,
  });
  await waitFor(() => expect(screen.queryByText('f1.txt')).toBeNull());
  expect(lines().filter((line) => line?.startsWith('f'))).toEqual(names);
});

it('says once that the folder is missing, and shows the files as soon as it is back', async () => {
  const disk: Record<string, FileEntry[]> = {};
  const { host } = open(disk);
  await screen.findByText('The folder /home/me/api is not there any more.');
  host.emit({ type: 'project.changed', project: { ...project, missing: true } });
  await screen.findByText("Deepdesk can't find this folder. The thread shows what you can do.");
  expect(lines()).toEqual(['api', 'Memories']);
  disk['/home/me/api'] = [entry('/home/me/api/a.txt', 'file')];
  host.emit({ type: 'project.changed', project });
  await waitFor(() => expect(lines()).toEqual(['api', 'a.txt', 'Memories']));
});

it('reveals a file that was opened from elsewhere, and does not reopen folders that the user closes', async () => {
  const mount = '/home/me/api';
  open(
    {
      [mount]: [entry(`${mount}/src`, 'directory'), entry(`${mount}/a.txt`, 'file')],
      [`${mount}/src`]: [entry(`${mount}/src/deep`, 'directory')],
      [`${mount}/src/deep`]: [entry(`${mount}/src/deep/leaf.ts`, 'file')],
    },
    {},
    `${mount}/src/deep/leaf.ts`,
  );
  const leaf = await screen.findByRole('treeitem', { name: 'leaf.ts' });
  expect(leaf.getAttribute('aria-selected')).toBe('true');
  await waitFor(() => expect(screen.getByRole('tree').getAttribute('aria-activedescendant')).toBe(leaf.id));
  fireEvent.click(screen.getByText('src'));
  await waitFor(() => expect(lines()).toEqual(['api', 'src', 'a.txt', 'Memories']));
});

it('says where a folder is that was renamed, for the open files in it', async () => {
  const mount = '/home/me/api';
  const disk: Record<string, FileEntry[]> = {
    [mount]: [entry(`${mount}/src`, 'directory')],
    [`${mount}/src`]: [entry(`${mount}/src/a.ts`, 'file')],
  };
  const { host, moved } = open(disk, { 'files.move': () => ok({}) }, `${mount}/src/a.ts`);
  await screen.findByRole('treeitem', { name: 'a.ts' });
  const tree = screen.getByRole('tree');
  for (const key of ['Home', 'ArrowDown', 'F2']) fireEvent.keyDown(tree, { key });
  const field = await screen.findByRole('textbox', { name: 'New name for src' });
  fireEvent.change(field, { target: { value: 'lib' } });
  const toasts: { message: string; undo?: () => void }[] = [];
  const stopToasts = onIntent((intent) => intent.type === 'toast' && toasts.push(intent));
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(moved).toEqual([[`${mount}/src`, `${mount}/lib`]]));
  expect(host.asked('files.move')).toEqual([{ projectId: 'p', from: `${mount}/src`, to: `${mount}/lib` }]);
  await waitFor(() => expect(toasts.map(({ message }) => message)).toEqual(['Renamed src to lib']));
  stopToasts();
  toasts[0]?.undo?.();
  await waitFor(() => expect(moved[1]).toEqual([`${mount}/lib`, `${mount}/src`]));
});

it('dims ignored files and everything in them', async () => {
  const mount = '/home/me/api';
  const { host } = open(
    {
      [mount]: [entry(`${mount}/dist`, 'directory'), entry(`${mount}/a.txt`, 'file')],
      [`${mount}/dist`]: [entry(`${mount}/dist/out.js`, 'file')],
    },
    { 'files.ignored': () => ok({ paths: [`${mount}/dist`] }) },
  );
  await screen.findByRole('treeitem', { name: 'dist ignored by git' });
  fireEvent.click(screen.getByText('dist'));
  expect(await screen.findByRole('treeitem', { name: 'out.js ignored by git' })).toBeTruthy();
  expect(screen.getByRole('treeitem', { name: 'a.txt' })).toBeTruthy();
  // Directories in an ignored one are not checked again.
  expect(host.asked('files.ignored')).toEqual([{ projectId: 'p', directories: [mount] }]);
});

it('says how many files the filter matches, and that it lists only the best of many', async () => {
  const matches = Array.from({ length: 3 }, (_, n) => ({
    path: `/home/me/api/page-${n}.md`,
    name: `page-${n}.md`,
    ranges: [],
  }));
  open(
    { '/home/me/api': [entry('/home/me/api/a.txt', 'file')] },
    { 'files.find': () => ok({ matches, total: 1_200, files: 40_000, listing: false }) },
  );
  fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'page' } });
  await screen.findByText('1,200 of 40,000 files · showing the best 3');
  expect(screen.getAllByRole('option')).toHaveLength(3);
});

it('is shown again as it was left: scrolled, with its focused row and open folders, but with what is there now', async () => {
  const names = Array.from({ length: 200 }, (_, at) => `file-${String(at).padStart(3, '0')}.txt`);
  const disk: Record<string, FileEntry[]> = {
    '/home/me/api': names.map((name) => entry(`/home/me/api/${name}`, 'file')),
  };
  open(disk, {}, '/home/me/api/file-001.txt');
  await screen.findByText('file-000.txt');
  const tree = screen.getByRole('tree');
  fireEvent.keyDown(tree, { key: 'End' });
  fireEvent.keyDown(tree, { key: 'ArrowUp' });
  tree.scrollTop = 4_000;
  fireEvent.scroll(tree);
  const focused = () => screen.getByRole('tree').getAttribute('aria-activedescendant')?.split('-').at(-1);
  const before = focused();
  cleanup();
  stop();

  disk['/home/me/api'] = disk['/home/me/api']?.with(150, entry('/home/me/api/new.txt', 'file')) ?? [];
  open(disk, {}, '/home/me/api/file-001.txt');
  await screen.findByText('new.txt');
  expect(screen.getByRole('tree').scrollTop).toBe(4_000);
  expect(focused()).toBe(before);
  expect(screen.queryByText('file-000.txt')).toBeNull();
});

it('starts at the first match of a new text in the filter', async () => {
  const match = (name: string) => ({ name, path: `/home/me/api/${name}`, ranges: [] });
  const { opened } = open(
    { '/home/me/api': [] },
    {
      'files.find': ({ query }) => {
        const matches = ['a', 'b', 'c'].map((name) => match(`${query}-${name}.ts`));
        return ok({ matches, total: 3, files: 3, listing: false });
      },
    },
  );
  const field = await screen.findByRole('searchbox', { name: 'Filter files' });
  fireEvent.change(field, { target: { value: 'or' } });
  await screen.findByText('or-c.ts');
  const list = screen.getByRole('listbox');
  for (const key of ['End', 'Enter']) fireEvent.keyDown(list, { key });
  fireEvent.change(field, { target: { value: 'ord' } });
  await screen.findByText('ord-c.ts');
  fireEvent.keyDown(list, { key: 'Enter' });
  expect(opened).toEqual(['/home/me/api/or-c.ts', '/home/me/api/ord-a.ts']);
});
