import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from '../link';
import { type FakeHost, fakeHost } from '../testing/fake-host';
import { giveElementsSize } from '../testing/layout';
import { sampleApp, sampleThread } from '../testing/samples';
import { App } from './app';
import { useUi } from './ui-store';

giveElementsSize();

describe('a thread that is shown', () => {
  const state = sampleThread();
  const { id: threadId, title } = state.thread;
  const summary = sampleApp().threads.find(({ id }) => id === threadId);
  let host: FakeHost;
  let stop: () => void = () => undefined;
  beforeEach(async () => {
    useUi.setState(useUi.getInitialState(), true);
    host = fakeHost(sampleApp(), [state], {
      'thread.restore': () =>
        summary ? ok(summary) : fail('not_found', 'external', { text: 'It is gone.' }),
      'thread.delete': () => {
        host.emitApp({ type: 'thread.removed', threadId });
        return ok({});
      },
      'files.list': () => ok({ entries: [], total: 0, nextOffset: null }),
    });
    stop = start(host.port);
    render(<App />);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toContain(title));
  });
  afterEach(() => {
    cleanup();
    stop();
    localStorage.clear();
  });

  const told = () => screen.queryByText(`“${title}” was deleted in another window`);

  it('is named when another window deletes it, and can be restored', async () => {
    act(() => host.emitApp({ type: 'thread.removed', threadId }));
    await waitFor(() => expect(told()).not.toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(host.calls.filter(({ command }) => command === 'thread.restore')).toHaveLength(1),
    );
  });

  it('is not named twice when this window deletes it', async () => {
    const row = document.querySelector<HTMLElement>(`[data-thread]`);
    act(() => row?.focus());
    fireEvent.keyDown(row ?? document.body, { key: 'Delete' });
    await waitFor(() => expect(screen.queryByText(`Deleted “${title}”`)).not.toBeNull());
    expect(told()).toBeNull();
  });
});
