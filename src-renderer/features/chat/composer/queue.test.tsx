import { QueuedMessage } from '@contract/conversation';
import { ProjectId, ThreadId, TurnId } from '@contract/ids';
import { fail, ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start, usePort } from '../../../link';
import { type FakeHost, fakeHost } from '../../../testing/fake-host';
import { sampleApp } from '../../../testing/samples';
import { Composer } from './composer';

const threadId = ThreadId.parse('t1');
const queued = (id: string, when: 'next_step' | 'after_turn') =>
  QueuedMessage.parse({ id, text: `say ${id}`, at: 1, when });
const first = [queued('q1', 'next_step'), queued('q2', 'next_step'), queued('q3', 'after_turn')];

const Held = ({ queue, phase = 'running' }: { queue: QueuedMessage[]; phase?: 'running' | 'idle' }) => {
  const [draft, setDraft] = useState('');
  if (usePort().phase !== 'ready') return null;
  return (
    <Composer
      threadId={threadId}
      projectId={ProjectId.parse('p1')}
      mount="/home/me/my-api"
      phase={phase}
      queue={queue}
      lastMessage="before"
      draft={draft}
      onDraft={setDraft}
      stopKeys="Ctrl+."
      mac={false}
      onSent={() => undefined}
    />
  );
};

describe('the queue', () => {
  let host: FakeHost;
  let stop: () => void;
  let view: ReturnType<typeof render>;
  beforeEach(async () => {
    host = fakeHost(sampleApp(), [], {
      'thread.send': () => ok({ turnId: TurnId.parse('u1'), queued: true }),
      'thread.changeQueued': () => ok({}),
      'thread.moveQueued': () => ok({}),
      'thread.sendQueued': () => ok({}),
      'thread.sendKept': () => ok({}),
      'thread.withdraw': () => ok({ text: 'say q3' }),
    });
    stop = start(host.port);
    view = render(<Held queue={first} />);
    await screen.findByRole('textbox', { name: 'Message to the agent' });
  });
  afterEach(() => {
    cleanup();
    stop();
    localStorage.clear();
  });
  const composer = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message to the agent' });
  const row = (id: string) => screen.getByRole('button', { name: new RegExp(`^say ${id}`) });
  const asked = () =>
    host.calls.filter(({ command }) => command !== 'app.open' && command !== 'composer.started');

  it('says when each message will be sent', () => {
    expect(first.map(({ id }) => row(id).textContent)).toEqual([
      'say q1next step',
      'say q2next step',
      'say q3after this turn',
    ]);
  });

  it('is reached from the empty composer with Arrow Up, browsed with the arrow keys, and left with Arrow Down', () => {
    fireEvent.keyDown(composer(), { key: 'ArrowUp' });
    expect(document.activeElement).toBe(row('q3'));
    fireEvent.keyDown(row('q3'), { key: 'ArrowUp' });
    expect(document.activeElement).toBe(row('q2'));
    fireEvent.keyDown(row('q2'), { key: 'ArrowDown' });
    fireEvent.keyDown(row('q3'), { key: 'ArrowDown' });
    expect([document.activeElement, composer().value]).toEqual([composer(), '']);
  });

  it('starts and saves an edit on Enter, and cancels it on Escape', async () => {
    fireEvent.keyDown(row('q1'), { key: 'Enter' });
    const words = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Queued message text' });
    expect([document.activeElement, words.value]).toEqual([words, 'say q1']);
    fireEvent.change(words, { target: { value: 'say it better' } });
    fireEvent.keyDown(words, { key: 'Enter' });
    await waitFor(() =>
      expect(asked()).toEqual([
        { command: 'thread.changeQueued', input: { threadId, messageId: 'q1', text: 'say it better' } },
      ]),
    );
    fireEvent.keyDown(row('q2'), { key: 'F2' });
    const again = screen.getByRole('textbox', { name: 'Queued message text' });
    fireEvent.change(again, { target: { value: 'never' } });
    fireEvent.keyDown(again, { key: 'Escape' });
    expect(row('q2')).toBeTruthy();
    expect(asked()).toHaveLength(1);
  });

  it('puts edited text into the composer if the message was sent during the edit', async () => {
    host.answers['thread.changeQueued'] = () =>
      fail('not_found', 'external', { text: 'This message has already been sent.' });
    fireEvent.keyDown(row('q1'), { key: 'Enter' });
    const words = screen.getByRole('textbox', { name: 'Queued message text' });
    fireEvent.change(words, { target: { value: 'say it better' } });
    fireEvent.keyDown(words, { key: 'Enter' });
    await waitFor(() => expect(composer().value).toBe('say it better'));
    expect(screen.getByRole('alert').textContent).toBe('This message has already been sent.');
  });

  it.each([
    ['goes', first.slice(1)],
    ['was the last', []],
  ])('puts edited text into the composer if its row %s', async (_how, left) => {
    host.answers['thread.changeQueued'] = () => fail('not_found', 'external', { text: 'It was sent.' });
    fireEvent.keyDown(row('q1'), { key: 'Enter' });
    fireEvent.change(screen.getByRole('textbox', { name: 'Queued message text' }), {
      target: { value: 'say it better' },
    });
    view.rerender(<Held queue={left} />);
    await waitFor(() => expect(composer().value).toBe('say it better'));
  });

  it('saves edited text when another thread is shown, and leaves text that is as it was', async () => {
    fireEvent.keyDown(row('q1'), { key: 'Enter' });
    fireEvent.change(screen.getByRole('textbox', { name: 'Queued message text' }), {
      target: { value: 'say it better' },
    });
    view.unmount();
    const input = { threadId, messageId: 'q1', text: 'say it better' };
    await waitFor(() => expect(asked()).toEqual([{ command: 'thread.changeQueued', input }]));
    view = render(<Held queue={first} />);
    fireEvent.keyDown(await screen.findByRole('button', { name: /^say q2/ }), { key: 'Enter' });
    view.unmount();
    await Promise.resolve();
    expect(asked()).toHaveLength(1);
  });

  it('asks what to do with a secret in the edited text, and keeps the text until then', async () => {
    host.answers['thread.changeQueued'] = (input) =>
      input.secrets !== undefined
        ? ok({})
        : fail('conflict', 'external', { text: 'It has what looks like a secret in it.' });
    host.answers['secrets.check'] = () => ok({ kinds: ['github-token'] });
    fireEvent.keyDown(row('q1'), { key: 'Enter' });
    const words = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Queued message text' });
    fireEvent.change(words(), { target: { value: 'use ghp_x' } });
    fireEvent.keyDown(words(), { key: 'Enter' });
    expect((await screen.findByRole('alert')).textContent).toContain('GitHub token');
    expect(words().value).toBe('use ghp_x');
    // Clicking the answer blurs the text, which decides nothing.
    fireEvent.blur(words());
    fireEvent.click(screen.getByRole('button', { name: 'Redact and send' }));
    await waitFor(() => expect(asked().at(-1)?.input).toHaveProperty('secrets'));
    expect(asked().map(({ command, input }) => [command, input])).toEqual([
      ['thread.changeQueued', { threadId, messageId: 'q1', text: 'use ghp_x' }],
      ['secrets.check', { threadId, text: 'use ghp_x' }],
      ['thread.changeQueued', { threadId, messageId: 'q1', text: 'use ghp_x', secrets: 'redact' }],
    ]);
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  it('moves with Alt and an arrow key, but never puts a later message before one for the next step', async () => {
    fireEvent.keyDown(row('q2'), { key: 'ArrowUp', altKey: true });
    fireEvent.keyDown(row('q2'), { key: 'ArrowDown', altKey: true });
    fireEvent.keyDown(row('q3'), { key: 'ArrowUp', altKey: true });
    await waitFor(() =>
      expect(asked()).toEqual([
        { command: 'thread.moveQueued', input: { threadId, messageId: 'q2', to: 0 } },
      ]),
    );
  });

  it('sends immediately on Ctrl+Enter and unqueues on Delete', async () => {
    fireEvent.keyDown(row('q3'), { key: 'Enter', ctrlKey: true });
    fireEvent.keyDown(row('q3'), { key: 'Delete' });
    await waitFor(() => expect(composer().value).toBe('say q3'));
    expect(asked().map(({ command, input }) => [command, input])).toEqual([
      ['thread.sendQueued', { threadId, messageId: 'q3' }],
      ['thread.withdraw', { threadId, messageId: 'q3' }],
    ]);
    expect(document.activeElement).toBe(composer());
  });

  it('can defer a message to the end of the turn from its menu', async () => {
    const [menu] = screen.getAllByRole('button', { name: 'More actions' });
    if (!menu) throw new Error('There is no menu.');
    fireEvent.keyDown(menu, { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Send after this turn' }));
    await waitFor(() =>
      expect(asked()).toEqual([
        { command: 'thread.changeQueued', input: { threadId, messageId: 'q1', when: 'after_turn' } },
      ]),
    );
  });

  it('queues for the next step on Enter, and for after the turn on Alt+Enter', async () => {
    fireEvent.change(composer(), { target: { value: 'now' } });
    fireEvent.keyDown(composer(), { key: 'Enter' });
    await waitFor(() => expect(composer().value).toBe(''));
    fireEvent.change(composer(), { target: { value: 'later' } });
    fireEvent.keyDown(composer(), { key: 'Enter', altKey: true });
    await waitFor(() => expect(composer().value).toBe(''));
    expect(asked().map(({ input }) => input)).toEqual([
      { threadId, text: 'now' },
      { threadId, text: 'later', when: 'after_turn' },
    ]);
  });

  it('sends what a stop kept, or puts it into the composer', async () => {
    expect(screen.queryByRole('button', { name: 'Send kept messages' })).toBeNull();
    view.rerender(<Held queue={first.map((one) => ({ ...one, kept: true }))} phase="idle" />);
    const strip = within(screen.getByRole('region', { name: '3 messages kept' }));
    fireEvent.click(strip.getByRole('button', { name: 'Send kept messages' }));
    host.answers['thread.withdraw'] = (input) => ok({ text: `say ${input.messageId}` });
    fireEvent.click(strip.getByRole('button', { name: 'Edit' }));
    await waitFor(() => expect(composer().value).toBe('say q1\nsay q2\nsay q3'));
    expect(asked().map(({ command }) => command)).toEqual([
      'thread.sendKept',
      'thread.withdraw',
      'thread.withdraw',
      'thread.withdraw',
    ]);
  });
});
