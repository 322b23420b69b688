import type { Settings } from '@contract/app';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { type SettingsSection, usePort } from '../../link';
import { type Answers, panelHost } from '../../testing/panel-host';
import { SettingsDialog } from './settings-dialog';
import { findSettings } from './settings-index';

let stop = () => {};
afterEach(() => {
  cleanup();
  stop();
});

const Gate = () => {
  const [section, setSection] = useState<SettingsSection | null>('models');
  return usePort().phase === 'ready' ? (
    <SettingsDialog section={section} onSection={setSection} mcp={null} projectId={null} />
  ) : null;
};

const settings: Settings = {
  theme: 'system',
  language: 'en',
  model: 'offline:guide',
  onboarded: true,
  spending: { thread: null, day: null },
  fallbacks: [],
  titles: true,
  notifications: true,
  turnNotifications: true,
  tray: true,
  contrast: 'system',
  motion: 'system',
  fontSize: 100,
  shortcuts: {},
};

/** A main process that stores settings. */
function open(answers: Answers = {}, given: Partial<Settings> = {}) {
  let now: Settings = { ...settings, ...given };
  const host = panelHost(
    { settings: now },
    {
      'settings.change': (changes) => {
        now = { ...now, ...(changes as Partial<Settings>) };
        host.emit({ type: 'settings.changed', settings: now });
        return ok(now);
      },
      ...answers,
    },
  );
  stop = host.stop;
  render(<Gate />);
  return host;
}

describe('the settings search', () => {
  it('finds rows by words in English and in Chinese, label matches first', () => {
    expect(findSettings('theme').map(({ label }) => label)[0]).toBe('settings.theme');
    expect(findSettings('主题').map(({ label }) => label)).toContain('settings.theme');
    expect(findSettings('key').map(({ label }) => label)[0]).toBe('settings.key');
    expect(findSettings('backup keychain').map(({ label }) => label)).toEqual(['data.backup']);
    expect(findSettings('  ')).toEqual([]);
    expect(findSettings('zzz')).toEqual([]);
  });

  it('goes to the row, marks it and focuses its control', async () => {
    open();
    const field = await screen.findByRole('searchbox', { name: 'Search settings' });
    fireEvent.change(field, { target: { value: 'theme' } });
    fireEvent.click(screen.getByRole('button', { name: /^Theme/ }));
    const theme = await screen.findByLabelText('Theme');
    await waitFor(() => expect(document.activeElement).toBe(theme));
    expect(theme.parentElement?.className).toContain('outline-accent');
    expect(screen.getByRole('tab', { name: 'Appearance' }).getAttribute('aria-selected')).toBe('true');
  });

  it('says when nothing is found', async () => {
    open();
    const field = await screen.findByRole('searchbox', { name: 'Search settings' });
    fireEvent.change(field, { target: { value: 'zzz' } });
    expect(screen.getByText(/No matching settings/)).toBeTruthy();
  });
});

it('applies a change immediately, announces it, and can undo it', async () => {
  const host = open();
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Let the model title/ }));
  expect(await screen.findByText('Changed: Let the model title new threads')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone: Let the model title new threads')).toBeTruthy();
  expect(host.asked('settings.change')).toEqual([{ titles: false }, { titles: true }]);
});

it('lists changed settings, each with a reset to the default', async () => {
  const host = open({}, { theme: 'dark', fontSize: 125 });
  fireEvent.click(await screen.findByRole('button', { name: 'Changed' }));
  fireEvent.click(screen.getByRole('button', { name: 'Reset to default: Text size' }));
  await waitFor(() => expect(host.asked('settings.change')).toEqual([{ fontSize: 100 }]));
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Reset to default: Text size' })).toBeNull(),
  );
  expect(screen.getByRole('button', { name: 'Reset to default: Theme' })).toBeTruthy();
});
