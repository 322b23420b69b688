import { ProjectId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../../link';
import { type Answers, panelHost } from '../../../testing/panel-host';
import { ImageView } from './image-view';
import { MarkdownView } from './markdown-view';
import { NotebookView } from './notebook-view';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const projectId = ProjectId.parse('p');
const place = (path: string) => ({ projectId, threadId: null, path });

/** Shows a file, and returns what another program's change of it does. */
function open(view: ReactNode, path: string, answers: Answers) {
  const host = panelHost({}, answers);
  stop = host.stop;
  const Gate = () => (usePort().phase === 'ready' ? view : null);
  const { container } = render(<Gate />);
  const scroller = () => container.querySelector<HTMLElement>('[tabindex="0"]');
  const change = () =>
    host.emit({ type: 'files.changed', projectId, directories: [], files: [path], all: false });
  return { change, scroller };
}

const notebook = JSON.stringify({
  metadata: {},
  cells: [{ cell_type: 'markdown', metadata: {}, source: ['the cell'] }],
});

it('keeps a notebook on the screen, with the focus, while half of the next one is written', async () => {
  let text = notebook;
  const { change, scroller } = open(<NotebookView place={place('/p/a.ipynb')} />, '/p/a.ipynb', {
    'files.text': () => ok({ text, version: 'v' }) as never,
  });
  await screen.findByText('the cell');
  act(() => scroller()?.focus());
  const before = document.activeElement;
  text = notebook.slice(0, 40);
  change();
  await screen.findByRole('alert');
  expect(screen.getByText('the cell')).toBeTruthy();
  text = notebook.replace('the cell', 'another cell');
  change();
  await screen.findByText('another cell');
  expect(screen.queryByRole('alert')).toBeNull();
  expect([document.activeElement, scroller()]).toEqual([before, before]);
});

it('keeps a text on the screen that cannot be read again, and tries again', async () => {
  let isBroken = false;
  const { change, scroller } = open(<MarkdownView place={place('/p/a.md')} />, '/p/a.md', {
    'files.text': () =>
      isBroken
        ? fail('storage', 'external', { text: 'The disk does not answer.' })
        : (ok({ text: 'the text', version: 'v' }) as never),
  });
  await screen.findByText('the text');
  const before = scroller();
  act(() => before?.focus());
  isBroken = true;
  change();
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.getByText('the text')).toBeTruthy();
  isBroken = false;
  act(() => again.focus());
  fireEvent.click(again);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  // The button is gone, and what had the focus before it has it again.
  await waitFor(() => expect(document.activeElement).toBe(before));
});

it('keeps the focus when an image is broken for a moment', async () => {
  let url = 'deepdesk-file://1';
  const { change, scroller } = open(<ImageView place={place('/p/a.png')} />, '/p/a.png', {
    'files.address': () => ok({ url, size: 1 }) as never,
  });
  fireEvent.error(await screen.findByRole('img'));
  await screen.findByRole('alert');
  act(() => scroller()?.focus());
  const before = document.activeElement;
  url = 'deepdesk-file://2';
  change();
  await screen.findByRole('img');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(before);
});
