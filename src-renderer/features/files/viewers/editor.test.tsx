import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { usePort } from '../../../link';
import { giveElementsSize } from '../../../testing/layout';
import { panelHost } from '../../../testing/panel-host';
import { readUnsaved, writeUnsaved } from '../unsaved';
import { Editor, type EditorHandle } from './editor';

giveElementsSize();
const projectId = ProjectId.parse('p');
const path = '/home/me/api/notes.txt';
let stop = () => {};
beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  stop();
});

/**
 * A disk with one file, which refuses a save that is based on an older version. Null: there is no file. `isAway`: it cannot be
 * reached. `read`: what a read waits for.
 */
function open(
  disk: { text: string; version: number } | null,
  { isAway = false, read = Promise.resolve() } = {},
) {
  const saved: string[] = [];
  const away = { is: isAway };
  const unreachable = fail('network', 'external', { text: 'The server cannot be reached.' });
  const host = panelHost(
    {},
    {
      'files.text': async () => {
        await read;
        if (away.is) return unreachable;
        return disk === null
          ? fail('not_found', 'external', { text: 'gone' })
          : ok({ text: disk.text, version: String(disk.version), size: disk.text.length });
      },
      'files.save': async ({ text, version }) => {
        await new Promise((done) => setTimeout(done, 20));
        if (away.is) return unreachable;
        if (version !== null && version !== String(disk?.version))
          return fail('stale', 'external', { text: 'stale' });
        disk = { text, version: (disk?.version ?? 0) + 1 };
        saved.push(text);
        return ok({ version: String(disk.version) });
      },
    },
  );
  stop = host.stop;
  const handle: { current: EditorHandle | null } = { current: null };
  const place = { projectId, threadId: null, path };
  const Gate = () => (
    <>
      <input aria-label="Elsewhere" />
      {usePort().phase === 'ready' && (
        <Editor
          place={place}
          line={0}
          onDirty={() => {}}
          handle={(given) => {
            handle.current = given;
          }}
        />
      )}
    </>
  );
  render(<Gate />);
  const field = () => screen.findByRole('textbox', { name: 'Text of notes.txt' });
  const appear = (text: string) => {
    disk = { text, version: 1 };
    const directories = ['/home/me/api'];
    host.emit({ type: 'files.changed', projectId, directories, files: [path], all: false });
  };
  return { saved, handle, field, away, appear };
}

it('saves twice in a row without taking its own text for that of another program', async () => {
  const { saved, handle, field } = open({ text: 'one', version: 1 });
  (await field()).textContent = 'two';
  await waitFor(() => expect(readUnsaved(projectId, path)?.text).toBe('two'));
  const both = await Promise.all([handle.current?.save(), handle.current?.save()]);
  expect(both).toEqual([true, true]);
  expect(saved).toEqual(['two']);
  expect(screen.queryByRole('heading', { name: 'The file changed on disk' })).toBeNull();
});

it('shows what was typed into a file that was deleted since, and saves it', async () => {
  writeUnsaved(projectId, path, { text: 'hours of work', version: '1' });
  const { saved, handle, field } = open(null);
  expect((await field()).textContent).toBe('hours of work');
  expect(await screen.findByText(/This file was deleted while you were editing it/)).toBeTruthy();
  expect(await handle.current?.save()).toBe(true);
  expect(saved).toEqual(['hours of work']);
  await waitFor(() => expect(screen.queryByText(/This file was deleted/)).toBeNull());
});

it('shows what was typed into a file of a place that is offline now, and saves it later', async () => {
  writeUnsaved(projectId, path, { text: 'hours of work', version: '1' });
  const { saved, handle, field, away } = open({ text: 'one', version: 1 }, { isAway: true });
  expect((await field()).textContent).toBe('hours of work');
  expect(await screen.findByText(/cannot be reached/)).toBeTruthy();
  expect(await handle.current?.save()).toBe(false);
  (await field()).textContent = 'more work';
  await waitFor(() => expect(readUnsaved(projectId, path)).toEqual({ text: 'more work', version: '1' }));
  away.is = false;
  expect(await handle.current?.save()).toBe(true);
  expect(saved).toEqual(['more work']);
  await waitFor(() => expect(screen.queryByText(/cannot be reached/)).toBeNull());
  expect(readUnsaved(projectId, path)).toBeUndefined();
});

it('compares what was typed while its place was offline with what somebody else wrote', async () => {
  writeUnsaved(projectId, path, { text: 'mine', version: '1' });
  const { saved, handle, field, away } = open({ text: 'theirs', version: 2 }, { isAway: true });
  await field();
  away.is = false;
  expect(await handle.current?.save()).toBe(false);
  expect(await screen.findByRole('heading', { name: 'The file changed on disk' })).toBeTruthy();
  expect([saved, readUnsaved(projectId, path)?.text]).toEqual([[], 'mine']);
});

it('takes what is typed while it opens', async () => {
  let give = () => {};
  const read = new Promise<void>((done) => {
    give = done;
  });
  const { saved, handle, field } = open({ text: 'one', version: 1 }, { read });
  const early = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'notes.txt' });
  expect(document.activeElement).toBe(early);
  fireEvent.change(early, { target: { value: 'x' } });
  give();
  expect((await field()).textContent).toBe('xone');
  expect(document.activeElement).toBe(await field());
  expect(screen.queryByRole('textbox', { name: 'notes.txt' })).toBeNull();
  expect(await handle.current?.save()).toBe(true);
  expect(saved).toEqual(['xone']);
});

it('leaves the focus where the person types when it opens by itself for a draft', async () => {
  writeUnsaved(projectId, path, { text: 'two', version: '1' });
  let give = () => {};
  const read = new Promise<void>((done) => {
    give = done;
  });
  const { field } = open({ text: 'one', version: 1 }, { read });
  const elsewhere = screen.getByRole('textbox', { name: 'Elsewhere' });
  elsewhere.focus();
  await screen.findByRole('textbox', { name: 'notes.txt' });
  give();
  expect((await field()).textContent).toBe('two');
  expect(document.activeElement).toBe(elsewhere);
});

it('opens a file that comes back', async () => {
  const { field, appear } = open(null);
  await screen.findByText('gone');
  appear('one');
  expect((await field()).textContent).toBe('one');
});
