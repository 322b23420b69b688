import { MessageId, ThreadId } from '@contract/ids';
import { fail, ok, type Result } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { onIntent, start, takeJump, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { sampleApp } from '../../testing/samples';
import { MessageResults } from './message-results';

const t7 = ThreadId.parse('t7');
const m3 = MessageId.parse('m3');

const found = {
  threadId: t7,
  projectId: sampleApp().projects[0]?.id as never,
  title: 'Pears',
  updatedAt: 1,
  count: 4,
  hits: [
    {
      messageId: m3,
      role: 'user' as const,
      at: 1,
      snippet: [
        { text: 'ripe ', hit: false },
        { text: 'pears', hit: true },
      ],
    },
  ],
};

const Gate = ({ query }: { query: string }) =>
  usePort().phase === 'ready' ? <MessageResults query={query} /> : null;

describe('messages of all threads', () => {
  let host: FakeHost;
  let stop: () => void;
  /** Messages that are not indexed yet; what they say is not found. */
  let pending: number;
  let failure: Result<never> | undefined;
  beforeEach(() => {
    pending = 0;
    failure = undefined;
    host = fakeHost(sampleApp(), [], {
      'search.messages': () => failure ?? ok({ threads: pending > 0 ? [] : [found], cut: false, pending }),
    });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
  });

  it('are said to be missing only for the text that was searched for', async () => {
    pending = 1;
    const view = render(<Gate query="plums" />);
    await screen.findByText(/plums/);
    view.rerender(<Gate query="figs" />);
    expect(screen.queryByText(/figs/)).toBeNull();
    await screen.findByText(/figs/);
  });

  it('are searched from two characters on, and open at the message', async () => {
    const view = render(<Gate query="p" />);
    await waitFor(() => expect(host.calls.map(({ command }) => command)).toEqual(['app.open']));
    view.rerender(<Gate query="pears " />);
    const result = await screen.findByRole('button', { name: /ripe pears/ });
    expect(host.calls.at(-1)).toEqual({ command: 'search.messages', input: { query: 'pears' } });
    expect(screen.getByText('3 more messages')).toBeTruthy();
    const intents: unknown[] = [];
    const undo = onIntent((intent) => intents.push(intent));
    fireEvent.click(result);
    undo();
    expect(intents).toEqual([{ type: 'openThread', threadId: t7 }]);
    expect([takeJump(t7), takeJump(t7)]).toEqual([m3, undefined]);
  });

  it('show the match, however long the text before it is', async () => {
    const [hit] = found.hits;
    const snippet = [
      { text: '…es`. > I listed 7 entries in `sample-project` (`', hit: false },
      { text: 'pears', hit: true },
    ];
    host.answers['search.messages'] = () =>
      ok({ threads: [{ ...found, hits: hit ? [{ ...hit, snippet }] : [] }], cut: false, pending: 0 });
    render(<Gate query="pears" />);
    const result = await screen.findByRole('button', { name: /pears/ });
    expect(result.textContent).toBe('You: …in `sample-project` (`pears');
  });

  it('say why the search failed', async () => {
    failure = fail('storage', 'external', { text: 'The disk is full.' });
    render(<Gate query="pears" />);
    expect((await screen.findByRole('alert')).textContent).toBe('The disk is full.');
  });

  it('appear when they are indexed while the search is open', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    pending = 2;
    render(<Gate query="pears" />);
    expect(await screen.findByText("2 messages aren't indexed yet")).toBeTruthy();
    expect(screen.queryByRole('button', { name: /ripe pears/ })).toBeNull();
    pending = 0;
    expect(await screen.findByRole('button', { name: /ripe pears/ }, { timeout: 10_000 })).toBeTruthy();
    const asked = host.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(host.calls.length).toBe(asked);
  });
});
