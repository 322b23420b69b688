import { ProviderState } from '@contract/app';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { SettingsDialog } from './settings-dialog';

const KEY = 'sk-secret-1234567890';
const provider = ProviderState.parse({
  id: 'anthropic',
  name: 'Anthropic',
  needsKey: true,
  key: 'none',
  baseUrl: null,
  needsBaseUrl: false,
  ready: false,
  models: [],
});
const models = { providers: [provider], keychain: false, overrides: {} };

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Gate = ({ section }: { section: 'models' | 'appearance' }) =>
  usePort().phase === 'ready' ? <SettingsDialog section={section} onSection={() => {}} mcp={null} /> : null;
function open(
  answers: Answers,
  section: 'models' | 'appearance' = 'models',
  known: typeof held | typeof models = models,
) {
  const host = panelHost({ models: known }, answers);
  stop = host.stop;
  render(<Gate section={section} />);
  return host;
}
const enterKey = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Enter key…' }));
  const field = screen.getByLabelText<HTMLInputElement>('Key for Anthropic');
  fireEvent.change(field, { target: { value: KEY } });
  fireEvent.click(screen.getByRole('button', { name: 'Save key' }));
  return field;
};

it('hands the key over and shows it nowhere, before, during or after', async () => {
  const host = open({ 'models.setKey': () => ok({}) });
  const field = await enterKey();
  expect(field.type).toBe('password');
  await waitFor(() => expect(screen.queryByLabelText('Key for Anthropic')).toBeNull());
  expect(host.asked('models.setKey')).toEqual([{ provider: 'anthropic', key: KEY }]);
  expect(field.value).toBe('');
  expect(document.documentElement.outerHTML).not.toContain(KEY);
});

it('keeps the field, for another try, and says why where the key was refused', async () => {
  open({ 'models.setKey': () => fail('storage', 'The keychain is locked. Unlock it and save again.') });
  const field = await enterKey();
  expect(await screen.findByText('The keychain is locked. Unlock it and save again.')).toBeTruthy();
  expect([field.value, field.isConnected]).toEqual([KEY, true]);
});

it('says that keys last until Deepdesk is closed where there is no keychain', async () => {
  open({});
  expect(await screen.findByText(/last until Deepdesk is closed/)).toBeTruthy();
});

it('lets a person turn off being told of decisions that wait', async () => {
  const host = open({ 'settings.change': () => fail('storage', 'The disk is full.') }, 'appearance');
  const box = await screen.findByRole<HTMLInputElement>('checkbox', {
    name: /^Tell me when a decision waits/,
  });
  expect(box.checked).toBe(true);
  fireEvent.click(box);
  await waitFor(() => expect(host.asked('settings.change')).toEqual([{ notifications: false }]));
  expect(await screen.findByText('The disk is full.')).toBeTruthy();
});

const held = { ...models, providers: [{ ...provider, key: 'keychain' as const, ready: true }] };

it('brings a removed key back, which the window never has', async () => {
  const host = open({ 'models.setKey': () => ok({}), 'models.takeBack': () => ok({}) }, 'models', held);
  fireEvent.click(await screen.findByRole('button', { name: 'Remove key' }));
  expect(await screen.findByText('Changed: Key for Anthropic')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Taken back: Key for Anthropic')).toBeTruthy();
  expect(host.asked('models.setKey')).toEqual([{ provider: 'anthropic', key: null }]);
  cleanup();
  expect(host.asked('models.takeBack')).toEqual([{ provider: 'anthropic', what: 'key', back: true }]);
});

it('has a removed key forgotten when the offer is put away', async () => {
  const host = open({ 'models.setKey': () => ok({}), 'models.takeBack': () => ok({}) }, 'models', held);
  fireEvent.click(await screen.findByRole('button', { name: 'Remove key' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Close this notice' }));
  await waitFor(() =>
    expect(host.asked('models.takeBack')).toEqual([{ provider: 'anthropic', what: 'key', back: false }]),
  );
  expect(screen.queryByText('Changed: Key for Anthropic')).toBeNull();
});
