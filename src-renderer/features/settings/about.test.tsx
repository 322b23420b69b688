import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { onIntent, toast, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { CopyToldProvider } from '../../ui';
import { AboutSection } from './about-section';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Section = () => (
  <CopyToldProvider value={toast}>
    <AboutSection />
  </CopyToldProvider>
);
const Gate = () => (usePort().phase === 'ready' ? <Section /> : null);
function open(answers: Answers) {
  const host = panelHost({}, answers);
  stop = host.stop;
  render(<Gate />);
  return host;
}

const licenses = {
  packages: [
    { name: 'bare', version: '1.0.0', license: 'ISC', text: null },
    { name: 'react', version: '19.0.0', license: 'MIT', text: 0 },
  ],
  texts: ['The text of MIT'],
};

it('copies the diagnostics, and says so', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const said: unknown[] = [];
  const forget = onIntent((intent) => said.push(intent));
  open({ 'app.diagnostics': () => ok({ text: 'Deepdesk 0.2.0\n' }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Copy diagnostics' }));
  await waitFor(() => expect(said).toMatchObject([{ type: 'toast', message: 'Diagnostics copied' }]));
  expect(writeText).toHaveBeenCalledWith('Deepdesk 0.2.0\n');
  forget();
});

it('shows the guide, whose links lead to its other pages and back', async () => {
  const said: unknown[] = [];
  const forget = onIntent((intent) => said.push(intent));
  open({});
  fireEvent.click(await screen.findByRole('button', { name: 'Show the guide' }));
  expect(await screen.findByRole('heading', { name: 'Guide', level: 1 })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Undo' }));
  expect(await screen.findByRole('heading', { name: /undo/i, level: 1 })).toBeTruthy();
  // The images of the guide do not ship.
  expect(screen.queryByText(/The line at the end of a turn with Review/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'All pages' }));
  fireEvent.click(await screen.findByRole('link', { name: 'Troubleshooting' }));
  fireEvent.click(await screen.findByRole('link', { name: 'SECURITY.md' }));
  await waitFor(() =>
    expect(said).toMatchObject([{ type: 'toast', message: expect.stringContaining('SECURITY.md') }]),
  );
  forget();
});

it('shows the license of each package, and finds packages by name or license', async () => {
  open({ 'app.licenses': () => ok(licenses) });
  fireEvent.click(await screen.findByRole('button', { name: 'Show licenses' }));
  expect(await screen.findByText('2 packages')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: /^bare/ }));
  expect(screen.getByText("This package doesn't include its license text.")).toBeTruthy();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'mit' } });
  expect(screen.queryByRole('button', { name: /^bare/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: /^react/ }));
  expect(screen.getByText('The text of MIT')).toBeTruthy();
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nothing' } });
  expect(screen.getByText('No package matches.')).toBeTruthy();
});

it('says when a build does not list its packages', async () => {
  open({ 'app.licenses': () => ok({ packages: [], texts: [] }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Show licenses' }));
  expect(await screen.findByText("This build doesn't list its packages.")).toBeTruthy();
});

it('says why the diagnostics could not be copied', async () => {
  const said: unknown[] = [];
  const forget = onIntent((intent) => said.push(intent));
  open({ 'app.diagnostics': () => fail('internal', 'external', { text: 'The disk is full.' }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Copy diagnostics' }));
  await waitFor(() => expect(said).toMatchObject([{ type: 'toast', message: 'The disk is full.' }]));
  forget();
});
