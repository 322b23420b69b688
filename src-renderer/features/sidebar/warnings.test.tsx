import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { panelHost } from '../../testing/panel-host';
import { Warnings } from './warnings';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

it('folds warnings into one line that expands', async () => {
  const message = 'The own sandbox of Chromium is off.';
  stop = panelHost({ warnings: [{ id: 'sandbox', message }] }, {}).stop;
  const Gate = () => (usePort().phase === 'ready' ? <Warnings /> : null);
  render(<Gate />);
  fireEvent.click(await screen.findByRole('button', { name: '1 warning' }));
  expect((await screen.findByRole('dialog', { name: '1 warning' })).textContent).toBe(message);
});
