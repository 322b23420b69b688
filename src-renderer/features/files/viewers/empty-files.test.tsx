import { ProjectId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../../link';
import { panelHost } from '../../../testing/panel-host';
import { MarkdownView } from './markdown-view';
import { NotebookView } from './notebook-view';
import type { Place } from './place';

const place = { projectId: ProjectId.parse('p'), threadId: null, path: '/home/me/api/a' };

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

function show(View: ComponentType<{ place: Place }>, text: string): void {
  stop = panelHost({}, { 'files.text': () => ok({ text, version: '1', size: text.length }) }).stop;
  const Gate = () => (usePort().phase === 'ready' ? <View place={place} /> : null);
  render(<Gate />);
}

it.each([
  ['Markdown', MarkdownView, ''],
  ['Markdown with empty lines', MarkdownView, '\n\n'],
  ['a notebook without content', NotebookView, ''],
  ['a notebook without cells', NotebookView, '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}'],
])('says that %s is empty', async (_name, View, text) => {
  show(View, text);
  expect(await screen.findByText('This file is empty.')).toBeTruthy();
});

it('shows the metadata of Markdown only if there is nothing else', async () => {
  show(MarkdownView, '---\r\nname: notes\r\n---\r\n\r\nThe text\r\n');
  expect(await screen.findByText('The text')).toBeTruthy();
  expect(document.body.textContent).not.toContain('name: notes');
  cleanup();
  stop();
  show(MarkdownView, '---\nname: notes\n---');
  expect(await screen.findByText(/name: notes/)).toBeTruthy();
});
