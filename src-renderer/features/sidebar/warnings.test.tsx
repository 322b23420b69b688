import { because } from '@contract/shared/reasons';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { Warnings } from './warnings';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('folds warnings into one line that expands', async () => {
  const why = because('chromium_needs_helper', { command: 'sudo x' });
  stop = panelHost({ warnings: [{ id: 'sandbox', why }] }, {}).stop;
  const Gate = () => (usePort().phase === 'ready' ? <Warnings /> : null);
  render(<Gate />);
  fireEvent.click(await screen.findByRole('button', { name: '1 warning' }));
  expect((await screen.findByRole('dialog', { name: '1 warning' })).textContent).toBe(
    "Chromium's own sandbox is off. To turn it on, run: sudo x",
  );
});

it.each([
  ['hooks', because('folder_brings_hooks', { folder: '/work' })],
  ['hooks', because('hooks_file_left_out', { path: '/work/.deepdesk/hooks.json', why: [] })],
  ['mcp', because('mcp_file_left_out', { path: '/work/.mcp.json', why: [] })],
])('opens the section of the settings that a warning is about: %s', async (section, why) => {
  stop = panelHost({ warnings: [{ id: 'hooks', why }] }, {}).stop;
  const opened: unknown[] = [];
  const stopIntents = onIntent((intent) => void opened.push(intent));
  const Gate = () => (usePort().phase === 'ready' ? <Warnings /> : null);
  render(<Gate />);
  fireEvent.click(await screen.findByRole('button', { name: '1 warning' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Open settings' }));
  expect(opened).toMatchObject([{ section }]);
  expect(screen.queryByRole('dialog')).toBeNull();
  stopIntents();
});
