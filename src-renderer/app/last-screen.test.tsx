import { ThreadId, TurnId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDraft } from '../features/chat/composer/drafts';
import { screenKey, showLast, start } from '../link';
import { type Answers, type FakeHost, fakeHost } from '../testing/fake-host';
import { giveElementsSize } from '../testing/layout';
import { sampleApp, sampleThread } from '../testing/samples';
import { App } from './app';
import { useUi } from './ui-store';

const t1 = ThreadId.parse('t1');
const empty = { messages: [], approvals: [], queue: [], turn: { phase: 'idle' } };
const blank = sampleThread(empty);
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message to the agent' });
const isBusy = () => screen.getByRole('main').getAttribute('aria-busy');
const sent = (host: FakeHost) => host.calls.filter((call) => call.command === 'thread.send');
const answers: Answers = {
  'thread.send': () => ok({ turnId: TurnId.parse('u1'), queued: false }),
  'files.list': () => ok({ entries: [], total: 0, nextOffset: null }),
};

describe('a window that was open before', () => {
  let stop: () => void = () => undefined;
  /** Shows the thread, then closes like a window. */
  const showOnce = async (thread = blank, app = sampleApp()) => {
    stop = start(fakeHost(app, [thread], answers).port);
    render(<App />);
    await waitFor(field);
    fireEvent(window, new Event('pagehide'));
    cleanup();
    stop();
  };
  const open = () => {
    showLast('');
    render(<App />);
  };
  const answer = async (host: FakeHost) => {
    act(() => {
      stop = start(host.port);
    });
    await waitFor(() => expect(isBusy()).toBe('false'));
  };
  beforeEach(() => {
    giveElementsSize();
    useUi.setState(useUi.getInitialState(), true);
  });
  afterEach(() => {
    cleanup();
    stop();
    localStorage.clear();
  });

  it('waits if no state was kept or another version wrote it', async () => {
    open();
    expect(screen.getByText('Opening Deepdesk')).toBeTruthy();
    cleanup();
    await showOnce();
    const kept = localStorage.getItem(screenKey('')) ?? '';
    localStorage.setItem(screenKey(''), JSON.stringify({ ...JSON.parse(kept), by: 'app://other.js' }));
    open();
    expect(screen.getByText('Opening Deepdesk')).toBeTruthy();
  });

  it('shows the composer before the main process answers, and then keeps text, focus and caret', async () => {
    await showOnce();
    open();
    // The composer comes first; the rest follows in the next frame.
    expect(isBusy()).toBe('true');
    const before = field();
    expect(document.activeElement).toBe(before);
    fireEvent.change(before, { target: { value: 'half a thought' } });
    before.setSelectionRange(4, 4);
    const title = await screen.findByRole('heading', { level: 1 });
    expect([isBusy(), title.textContent]).toEqual(['true', 'my-apiFix the failing test']);
    await answer(fakeHost(sampleApp(), [blank], answers));
    expect(field()).toBe(before);
    expect(document.activeElement).toBe(before);
    expect([before.value, before.selectionStart, before.readOnly]).toEqual(['half a thought', 4, false]);
  });

  it('sends a message once that was sent before the main process was ready', async () => {
    await showOnce();
    open();
    fireEvent.change(field(), { target: { value: 'list files' } });
    fireEvent.keyDown(field(), { key: 'Enter' });
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(await screen.findByText('Sends when Deepdesk is ready')).toBeTruthy();
    expect(readDraft(t1)).toBe('list files');
    const host = fakeHost(sampleApp(), [blank], answers);
    await answer(host);
    await waitFor(() => expect(field().value).toBe(''));
    expect(sent(host)).toEqual([{ command: 'thread.send', input: { threadId: 't1', text: 'list files' } }]);
    expect(screen.queryByText('Sends when Deepdesk is ready')).toBe(null);
  });

  it('moves typed and sent text into the remaining thread, unsent, if its own thread is gone', async () => {
    await showOnce();
    open();
    fireEvent.change(field(), { target: { value: 'list files' } });
    fireEvent.keyDown(field(), { key: 'Enter' });
    const app = sampleApp();
    const other = sampleThread({ ...empty, thread: { ...blank.thread, id: 't3', title: 'Other' } });
    const host = fakeHost({ ...app, threads: app.threads.filter(({ id }) => id === 't3') }, [other], {
      ...answers,
      'thread.send': () => fail('not_found', 'external', { text: 'This thread no longer exists.' }),
    });
    await answer(host);
    await waitFor(() => expect(field().value).toBe('list files'));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('my-apiOther');
    expect(sent(host)).toHaveLength(1);
    expect([readDraft(t1), readDraft(other.thread.id)]).toEqual(['', 'list files']);
  });

  it('starts no thread before it knows that there is none', async () => {
    await showOnce();
    const kept = JSON.parse(localStorage.getItem(screenKey('')) ?? '');
    kept.screen.app.threads = [];
    localStorage.setItem(screenKey(''), JSON.stringify(kept));
    open();
    const host = fakeHost(sampleApp(), [blank], answers);
    await answer(host);
    await waitFor(field);
    expect(host.calls.filter(({ command }) => command === 'thread.create')).toEqual([]);
  });

  it('stores no conversation text, no command and no address', async () => {
    const app = sampleApp();
    const providers = app.models.providers.map((one) => ({
      ...one,
      baseUrl: 'https://me:pw@models.example',
    }));
    const busy = sampleThread();
    await showOnce(busy, { ...app, models: { ...app.models, providers } });
    const kept = localStorage.getItem(screenKey('')) ?? '';
    const said = busy.messages.flatMap((message) =>
      'text' in message && message.text !== '' ? [message.text] : [],
    );
    expect(said.length).toBeGreaterThan(0);
    for (const text of [...said, 'npm test', 'models.example', ...busy.todos.map(({ content }) => content)])
      expect(kept).not.toContain(JSON.stringify(text).slice(1, -1));
    open();
    expect(field()).toBeTruthy();
    expect(screen.queryByText('What should the agent do?')).toBe(null);
    await answer(fakeHost(sampleApp(), [busy], answers));
    await waitFor(() => expect(screen.getByRole('log').textContent).toContain(said.at(-1)?.slice(0, 20)));
  });
});
