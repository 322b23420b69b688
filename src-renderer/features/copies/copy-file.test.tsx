import { ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { onIntent, usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { sampleProject } from '../../testing/samples';
import { CopyFile } from './copy-file';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('marks whose lines a conflict shows at the choices, and keeps what was chosen', async () => {
  const project = sampleProject({ id: 'p' });
  const conflicts = [{ line: 2, base: 'line 1\n', folder: 'one\n', copy: 'uno\n' }];
  stop = panelHost(
    { projects: [project] },
    {
      'copies.file': () =>
        ok({ digest: 'd', kind: 'text', isConflict: true, hunks: [], conflicts, cut: false }),
    },
  ).stop;
  const File = () =>
    usePort().phase === 'ready' ? (
      <CopyFile
        project={project}
        threadId={ThreadId.parse('t')}
        path="notes.txt"
        onBack={() => {}}
        onOpenFile={() => {}}
      />
    ) : null;
  render(<File />);
  const choice = async (name: string) => (await screen.findByRole('radio', { name })).closest('label');
  expect((await choice("Folder's version"))?.textContent).toBe("-Folder's version");
  expect((await choice("Copy's version"))?.textContent).toBe("+Copy's version");
  expect((await choice('Both'))?.textContent).toBe('Both');

  // Another tab is shown, and then this one again.
  fireEvent.click(screen.getByRole('radio', { name: "Copy's version" }));
  cleanup();
  render(<File />);
  const again = await screen.findByRole<HTMLInputElement>('radio', { name: "Copy's version" });
  expect(again.checked).toBe(true);
});

it('stays at a file that could not be brought in', async () => {
  const project = sampleProject({ id: 'p' });
  const host = panelHost(
    { projects: [project] },
    {
      'copies.file': () =>
        ok({ digest: 'd', kind: 'binary', isConflict: false, hunks: [], conflicts: [], cut: false }),
      'copies.bringIn': () => fail('stale', 'copy_changed_since_shown', { path: 'notes.txt' }),
    },
  );
  const toasts: string[] = [];
  const stopToasts = onIntent((intent) => intent.type === 'toast' && toasts.push(intent.message));
  stop = () => {
    stopToasts();
    host.stop();
  };
  const left = vi.fn();
  const File = () =>
    usePort().phase === 'ready' ? (
      <CopyFile
        project={project}
        threadId={ThreadId.parse('t')}
        path="notes.txt"
        onBack={left}
        onOpenFile={() => {}}
      />
    ) : null;
  render(<File />);
  fireEvent.click(await screen.findByRole('button', { name: 'Bring in this file' }));
  await vi.waitFor(() => expect(toasts).toHaveLength(1));
  expect(left).not.toHaveBeenCalled();
});
