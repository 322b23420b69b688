import { ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { sampleApp } from '../../testing/samples';
import { ShortcutsSection } from './shortcuts-section';

const Gate = () => (usePort().phase === 'ready' ? <ShortcutsSection /> : null);

describe('the shortcuts page', () => {
  let host: FakeHost;
  let stop: () => void;
  const app = sampleApp();
  beforeEach(async () => {
    host = fakeHost(app, [], {
      'settings.change': (change) => {
        const settings = { ...app.settings, ...change } as typeof app.settings;
        host.emitApp({ type: 'settings.changed', settings });
        return ok(settings);
      },
    });
    stop = start(host.port);
    render(<Gate />);
    await screen.findByRole('searchbox', { name: 'Search shortcuts' });
  });
  afterEach(() => {
    cleanup();
    stop();
  });

  const button = (action: string) => screen.getByRole('button', { name: new RegExp(`“${action}”`) });
  const change = (action: string, key: string, more = {}) => {
    fireEvent.click(button(action));
    fireEvent.keyDown(button(action), { key, ...more });
  };
  const saved = () =>
    host.calls.filter(({ command }) => command === 'settings.change').map(({ input }) => input);

  it('assigns free keys immediately', async () => {
    change('New thread', 'e', { ctrlKey: true });
    await waitFor(() => expect(button('New thread').textContent).toBe('Ctrl+E'));
    expect(saved()).toEqual([{ shortcuts: { newThread: 'mod+e' } }]);
  });

  it('says which action uses the keys, and moves them on request', async () => {
    change('New thread', 'j', { ctrlKey: true });
    expect(screen.getByRole('alert').textContent).toBe(
      'Ctrl+J is already used by “Show or hide the terminal”.',
    );
    expect(saved()).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Use it here instead' }));
    await waitFor(() => expect(button('Show or hide the terminal').textContent).toBe('Not assigned'));
    expect(saved()).toEqual([{ shortcuts: { newThread: 'mod+j', toggleTerminal: null } }]);
  });

  it('refuses keys that type text or that text fields need', () => {
    change('New thread', 'x');
    expect(screen.getByRole('alert').textContent).toContain('X types text');
    fireEvent.keyDown(button('New thread'), { key: 'c', ctrlKey: true });
    expect(screen.getByRole('alert').textContent).toContain('Ctrl+C is reserved');
    expect(saved()).toEqual([]);
  });

  it('removes keys, and resets one or all to the defaults', async () => {
    change('Settings', 'Backspace');
    await waitFor(() => expect(button('Settings').textContent).toBe('Not assigned'));
    fireEvent.click(screen.getByRole('button', { name: 'Reset to Ctrl+,' }));
    await waitFor(() => expect(button('Settings').textContent).toBe('Ctrl+,'));
    expect(saved().at(-1)).toEqual({ shortcuts: {} });
    change('Settings', 'e', { ctrlKey: true });
    await waitFor(() => expect(button('Settings').textContent).toBe('Ctrl+E'));
    fireEvent.click(screen.getByRole('button', { name: 'Reset all' }));
    await waitFor(() => expect(button('Settings').textContent).toBe('Ctrl+,'));
  });

  it('finds an action by its name in both languages and by its keys', () => {
    const field = screen.getByRole('searchbox', { name: 'Search shortcuts' });
    for (const query of ['terminal', '终端', 'ctrl+j']) {
      act(() => void fireEvent.change(field, { target: { value: query } }));
      expect(screen.getAllByRole('listitem')).toHaveLength(1);
    }
    fireEvent.change(field, { target: { value: 'zzz' } });
    expect(screen.getByText('No results for “zzz”.')).toBeTruthy();
  });
});
