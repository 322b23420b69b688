import { ok } from '@contract/result';
import type { UpdateState, UpdateView } from '@contract/updates';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { onIntent, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { Updates } from './updates';
import { useUpdateNotice } from './use-update-notice';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Window = () => {
  useUpdateNotice();
  return null;
};

it('tells the window once that a new version is ready', async () => {
  const said: unknown[] = [];
  const forget = onIntent((intent) => said.push(intent));
  const host = panelHost({}, {});
  stop = host.stop;
  render(<Window />);
  const become = (state: UpdateState) => host.emit({ type: 'updates.changed', updates: self(state) });
  become({ phase: 'downloading', version: '1.1.0', percent: 99 });
  become({ phase: 'ready', version: '1.1.0', notes: '', restarts: true });
  const message = 'Version 1.1.0 is ready. It is installed when you quit Deepdesk.';
  await waitFor(() => expect(said).toMatchObject([{ type: 'toast', message, action: { label: 'Show' } }]));
  forget();
});

const Gate = () => (usePort().phase === 'ready' ? <Updates /> : null);

function open(view: UpdateView, answers: Answers = {}) {
  const host = panelHost({}, { 'updates.read': () => ok(view), ...answers });
  stop = host.stop;
  render(<Gate />);
  return host;
}

const self = (state: UpdateState): UpdateView => ({ way: 'self', state });

it.each<[UpdateState, RegExp]>([
  [{ phase: 'idle' }, /^Not checked yet/],
  [{ phase: 'checking' }, /^Checking/],
  [{ phase: 'current', checkedAt: Date.UTC(2027, 0, 2) }, /^Up to date\. Checked at .*2027/],
  [{ phase: 'downloading', version: '1.1.0', percent: 40 }, /^Downloading version 1\.1\.0: 40%/],
  [
    { phase: 'ready', version: '1.1.0', notes: '', restarts: true },
    /^Version 1\.1\.0 is ready\. It is installed when you quit/,
  ],
  [
    { phase: 'failed', why: { code: 'update_signature_wrong' } },
    /signature of the list of versions is wrong/,
  ],
])('says the state $phase', async (state, text) => {
  open(self(state));
  expect((await screen.findByRole('status')).textContent).toMatch(text);
});

it('checks, cancels and restarts on request, and follows the state', async () => {
  const host = open(self({ phase: 'idle' }), {
    'updates.check': () => ok(self({ phase: 'checking' })),
    'updates.cancel': () => ok(self({ phase: 'idle' })),
    'updates.restart': () => ok({}),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Check now' }));
  await waitFor(() => expect(host.asked('updates.check')).toHaveLength(1));
  const become = (state: UpdateState) => host.emit({ type: 'updates.changed', updates: self(state) });
  become({ phase: 'downloading', version: '1.1.0', percent: 40 });
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel the download' }));
  await waitFor(() => expect(host.asked('updates.cancel')).toHaveLength(1));
  become({ phase: 'ready', version: '1.1.0', notes: '<img src=x> **Faster**', restarts: true });
  expect(await screen.findByText('<img src=x> **Faster**')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Restart now' }));
  await waitFor(() => expect(host.asked('updates.restart')).toHaveLength(1));
});

it('offers no restart where the system installs the update', async () => {
  open(self({ phase: 'ready', version: '1.1.0', notes: '', restarts: false }));
  expect(await screen.findByText(/is ready/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Restart now' })).toBeNull();
});

it('checks nothing while it is off', async () => {
  const host = open(self({ phase: 'idle' }), {
    'settings.change': ({ updates }) => {
      const settings = {
        theme: 'system',
        language: 'en',
        model: 'offline:guide',
        onboarded: true,
        spending: { thread: null, day: null },
        fallbacks: [],
        updates: updates ?? true,
      } as const;
      host.emit({ type: 'settings.changed', settings: { ...settings, fallbacks: [] } });
      return ok({ ...settings, fallbacks: [] });
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Check for updates/ }));
  expect(await screen.findByText("Off. Deepdesk doesn't check for new versions.")).toBeTruthy();
  expect((screen.getByRole('button', { name: 'Check now' }) as HTMLButtonElement).disabled).toBe(true);
  expect(host.asked('settings.change')).toEqual([{ updates: false }]);
});

it.each([
  ['deb', 'sudo apt update && sudo apt install --only-upgrade deepdesk'],
  ['rpm', 'sudo dnf upgrade deepdesk'],
  ['archive', 'tar -xzf deepdesk-VERSION.tar.gz'],
  ['source', 'git pull && npm ci && npm start'],
  ['portable', 'replace the portable program'],
  ['unconfigured', "doesn't update itself"],
] as const)('says how a new version gets here: %s', async (way, text) => {
  open({ way, state: { phase: 'idle' } });
  expect(await screen.findByText((shown) => shown.includes(text))).toBeTruthy();
  expect(screen.queryByRole('checkbox')).toBeNull();
});
