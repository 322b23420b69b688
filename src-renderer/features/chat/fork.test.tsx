import type { ThreadState } from '@contract/conversation';
import { ThreadId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Intent, onIntent, start, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { giveElementsSize } from '../../testing/layout';
import { sampleApp, sampleThread } from '../../testing/samples';
import { readDraft } from './composer/drafts';
import { Conversation } from './conversation';

giveElementsSize();

const Gate = ({ thread }: { thread: ThreadState }) =>
  usePort().phase === 'ready' ? (
    <Conversation
      thread={thread}
      renderApproval={() => null}
      renderDeck={() => null}
      onShowWaiting={() => undefined}
      empty={() => null}
      stopKeys="Ctrl+."
    />
  ) : null;

const user = { role: 'user', id: 'm1', at: 1, text: 'fix the test' };
const answer = {
  role: 'agent',
  id: 'm2',
  at: 2,
  text: 'It is fixed.',
  reasoning: '',
  calls: [],
  phase: 'done',
};
const thread = sampleThread({ messages: [user, answer], approvals: [], queue: [], turn: { phase: 'idle' } });
const fork = {
  id: ThreadId.parse('t9'),
  projectId: thread.thread.projectId,
  title: 'Fork',
  updatedAt: 1,
  status: 'idle' as const,
  waiting: 0,
};

describe('forking from a message', () => {
  let host: FakeHost;
  let stop: () => void;
  let intents: { type: string }[];
  let undo: () => void;
  beforeEach(() => {
    intents = [];
    undo = onIntent((intent) => intents.push(intent));
    host = fakeHost(sampleApp(), [], { 'thread.fork': () => ok({ thread: fork, draft: '' }) });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    undo();
    stop();
    localStorage.clear();
  });
  /** Without the requests that the conversation makes automatically. */
  const asked = () =>
    host.calls.filter(({ command }) => command !== 'app.open' && command !== 'memories.used');
  const choose = async (article: string, item: string) => {
    const message = await screen.findByRole('article', { name: article });
    fireEvent.click(within(message).getByRole('button', { name: 'Message actions' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  };

  it('sends the same message in a new thread and shows that thread', async () => {
    render(<Gate thread={thread} />);
    await choose('You', 'Resend');
    await waitFor(() => expect(intents.map(({ type }) => type)).toEqual(['openThread', 'toast']));
    expect(asked()).toEqual([
      { command: 'thread.fork', input: { threadId: 't1', messageId: 'm1', text: 'fix the test' } },
    ]);
    expect(intents[0]).toEqual({ type: 'openThread', threadId: 't9' });
  });

  it('has the same menu for right click and the menu key, but not over selected text or a link', async () => {
    render(<Gate thread={thread} />);
    const labels = async (article: string, open: (message: HTMLElement) => void) => {
      const message = await screen.findByRole('article', { name: article });
      open(message);
      const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
      fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
      return items;
    };
    for (const article of ['You', 'The agent']) {
      const byButton = await labels(article, (message) =>
        fireEvent.click(within(message).getByRole('button', { name: 'Message actions' })),
      );
      expect(byButton.length).toBeGreaterThan(3);
      const byPointer = await labels(article, (message) => fireEvent.contextMenu(message, { button: 2 }));
      const byKey = await labels(article, (message) => fireEvent.contextMenu(message));
      expect([byPointer, byKey]).toEqual([byButton, byButton]);
    }
    const text = screen.getByText('It is fixed.');
    getSelection()?.selectAllChildren(text);
    // The system has a menu for selected text.
    expect(fireEvent.contextMenu(text, { button: 2 })).toBe(true);
    expect(screen.queryByRole('menu')).toBeNull();
    getSelection()?.removeAllRanges();
  });

  it('asks what to do with a secret in the text before sending it to a new thread', async () => {
    host.answers['thread.fork'] = (input) =>
      input.secrets !== undefined
        ? ok({ thread: fork, draft: '' })
        : fail('conflict', 'external', { text: 'It has what looks like a secret in it.' });
    host.answers['secrets.check'] = () => ok({ kinds: ['github-token'] });
    render(<Gate thread={thread} />);
    await choose('You', 'Edit and resend');
    const field = await screen.findByRole('textbox', { name: 'Edit and resend' });
    fireEvent.change(field, { target: { value: 'use ghp_x' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect((await screen.findByRole('alert')).textContent).toContain('GitHub token');
    expect(intents).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Send anyway' }));
    await waitFor(() => expect(intents.map(({ type }) => type)).toEqual(['openThread', 'toast']));
    expect(asked().at(-1)?.input).toEqual({
      threadId: 't1',
      messageId: 'm1',
      text: 'use ghp_x',
      secrets: 'send',
    });
  });

  it('offers to redact a secret when the same message is sent again', async () => {
    host.answers['thread.fork'] = () => fail('conflict', 'message_with_secret');
    host.answers['secrets.check'] = () => ok({ kinds: ['github-token'] });
    render(<Gate thread={thread} />);
    await choose('You', 'Resend');
    await waitFor(() => expect(intents).toHaveLength(1));
    expect(intents[0]).toMatchObject({ type: 'toast', action: { label: 'Redact and send' } });
  });

  it('sends new text after an edit in place, and says what is not undone', async () => {
    render(<Gate thread={thread} />);
    await choose('You', 'Edit and resend');
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit and resend' });
    expect(field.value).toBe('fix the test');
    expect(screen.getByText(/files and memories aren't undone/)).toBeTruthy();
    fireEvent.change(field, { target: { value: 'fix both tests' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() =>
      expect(asked()).toEqual([
        { command: 'thread.fork', input: { threadId: 't1', messageId: 'm1', text: 'fix both tests' } },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit and resend' })).toBeNull());
  });

  it('shows the attachments during the edit, and allows empty text with them', async () => {
    const attachment = {
      id: 'a'.repeat(64),
      kind: 'text',
      origin: 'paste',
      name: 'notes.txt',
      path: '/attachments/a',
      mimeType: 'text/plain',
      bytes: 10,
      lines: 3,
      length: 10,
    };
    const messages = [{ ...user, attachments: [attachment] }, answer];
    render(<Gate thread={sampleThread({ ...thread, messages })} />);
    await choose('You', 'Edit and resend');
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit and resend' });
    expect(screen.getByRole('list', { name: 'Attachments' }).textContent).toContain('notes.txt');
    fireEvent.change(field, { target: { value: '' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send in a new thread' }));
    await waitFor(() =>
      expect(asked()).toEqual([
        { command: 'thread.fork', input: { threadId: 't1', messageId: 'm1', text: '' } },
      ]),
    );
  });

  it('goes on with an edit after another thread was shown, without taking the focus', async () => {
    const first = render(<Gate thread={thread} />);
    await choose('You', 'Edit and resend');
    const area = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit and resend' });
    await waitFor(async () => expect(document.activeElement).toBe(await area()));
    fireEvent.change(await area(), { target: { value: 'fix all tests' } });
    first.unmount();
    const second = render(<Gate thread={thread} />);
    expect((await area()).value).toBe('fix all tests');
    expect(document.activeElement).not.toBe(await area());
    fireEvent.keyDown(await area(), { key: 'Escape' });
    second.unmount();
    render(<Gate thread={thread} />);
    await screen.findByRole('article', { name: 'You' });
    expect(screen.queryByRole('textbox', { name: 'Edit and resend' })).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('keeps the edited text if the fork fails, and offers it again after Escape', async () => {
    host.answers['thread.fork'] = () => fail('storage', 'external', { text: 'The disk is full.' });
    render(<Gate thread={thread} />);
    await choose('You', 'Edit and resend');
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit and resend' });
    fireEvent.change(field, { target: { value: 'precious' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send in a new thread' }));
    await waitFor(() => expect(intents).toEqual([{ type: 'toast', message: 'The disk is full.' }]));
    expect(field.value).toBe('precious');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(screen.queryByRole('textbox', { name: 'Edit and resend' })).toBeNull();
    const offer = intents.at(-1) as Extract<Intent, { type: 'toast' }>;
    expect(offer.message).toBe("Your edit wasn't sent");
    act(() => offer.undo?.());
    const again = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit and resend' });
    expect(again.value).toBe('precious');
  });

  it("puts the text into the new thread's composer if it is not sent yet", async () => {
    host.answers['thread.fork'] = () => ok({ thread: fork, draft: 'fix the test' });
    render(<Gate thread={thread} />);
    await choose('You', 'Fork from here');
    await waitFor(() => expect(readDraft(fork.id)).toBe('fix the test'));
  });

  it('continues after an answer', async () => {
    render(<Gate thread={thread} />);
    await choose('The agent', 'Fork after this answer');
    await waitFor(() =>
      expect(asked()).toEqual([{ command: 'thread.fork', input: { threadId: 't1', messageId: 'm2' } }]),
    );
  });

  it('continues after a step of calls without text, but not from inside a sub-agent', async () => {
    const call = {
      callId: 'c1',
      name: 'task',
      display: 'delegate',
      args: { description: 'look' },
      status: 'done',
      result: 'seen',
    };
    const inner = { ...call, callId: 'c2', name: 'ls', display: 'list', args: { path: '/' } };
    const step = { ...answer, id: 'm3', text: '', calls: [call] };
    const within = { ...answer, id: 'm4', text: '', calls: [inner], parentCallId: 'c1' };
    render(<Gate thread={sampleThread({ messages: [user, step, within], approvals: [], queue: [] })} />);
    fireEvent.click(await screen.findByRole('button', { name: /look/ }));
    fireEvent.click(await screen.findByRole('button', { name: /Listed/ }));
    const [fork, ...others] = screen.getAllByRole('button', { name: /after this step/ });
    expect(others).toEqual([]);
    if (fork) fireEvent.click(fork);
    await waitFor(() =>
      expect(asked()).toEqual([{ command: 'thread.fork', input: { threadId: 't1', messageId: 'm3' } }]),
    );
  });

  it('has a menu for a message of a sub-agent, which says what only messages of the thread can do', async () => {
    const call = {
      callId: 'c1',
      name: 'task',
      display: 'delegate',
      args: { description: 'look' },
      status: 'done',
    };
    const step = { ...answer, id: 'm3', text: '', calls: [call] };
    const inner = { ...answer, id: 'm4', text: 'Inner report.', parentCallId: 'c1' };
    render(<Gate thread={sampleThread({ messages: [user, step, inner], approvals: [], queue: [] })} />);
    fireEvent.click(await screen.findByRole('button', { name: /look/ }));
    fireEvent.contextMenu(screen.getByText('Inner report.'));
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
    const why = 'This belongs to a sub-agent, not to the thread.';
    expect(items).toEqual([
      'Copy as Markdown',
      `Restore files to here${why}`,
      `Fork after this answer${why}`,
    ]);
    fireEvent.click(screen.getByRole('menuitem', { name: /^Fork/ }));
    expect(asked()).toEqual([]);
  });

  it('offers nothing that needs the folder while it is missing, and says so', async () => {
    const { projects, ...app } = sampleApp();
    const [first, ...others] = projects;
    stop();
    host = fakeHost(sampleApp({ ...app, projects: [{ ...first, missing: true }, ...others] }));
    stop = start(host.port);
    render(<Gate thread={thread} />);
    fireEvent.contextMenu(await screen.findByRole('article', { name: 'You' }));
    const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent ?? '');
    const why = 'The folder is missing.';
    expect(items.filter((item) => item.endsWith(why))).toEqual([
      `Restore files to here${why}`,
      `Edit and resend${why}`,
      `Resend${why}`,
    ]);
  });

  it('shows in the fork where it diverges, with a link to the other thread', async () => {
    const origin = { threadId: sampleApp().threads[1]?.id ?? 't2', title: 'Old name', lastMessageId: 'm2' };
    const after = { role: 'user', id: 'm3', at: 3, text: 'and then' };
    const forked = sampleThread({
      messages: [user, answer, after],
      thread: { ...thread.thread, origin },
      approvals: [],
      queue: [],
    });
    render(<Gate thread={forked} />);
    const mark = await screen.findByRole('region', { name: /^Copied from/ });
    const words = (await screen.findByRole('log')).textContent ?? '';
    expect(words.indexOf('It is fixed.')).toBeLessThan(words.indexOf('Copied from'));
    expect(words.indexOf('Copied from')).toBeLessThan(words.indexOf('and then'));
    fireEvent.click(within(mark).getByRole('button'));
    expect(intents).toEqual([{ type: 'openThread', threadId: origin.threadId }]);
  });
});
