import { MessageId, ThreadId } from '@contract/ids';
import { ok } from '@contract/result';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onIntent, start, takeJump, usePort } from '../../link';
import { type FakeHost, fakeHost } from '../../testing/fake-host';
import { sampleApp } from '../../testing/samples';
import { MessageResults } from './message-results';

const t7 = ThreadId.parse('t7');
const m3 = MessageId.parse('m3');

const Gate = ({ query }: { query: string }) =>
  usePort().phase === 'ready' ? <MessageResults query={query} /> : null;

describe('messages of all threads', () => {
  let host: FakeHost;
  let stop: () => void;
  beforeEach(() => {
    host = fakeHost(sampleApp(), [], {
      'search.messages': () =>
        ok({
          threads: [
            {
              threadId: t7,
              projectId: sampleApp().projects[0]?.id as never,
              title: 'Pears',
              updatedAt: 1,
              count: 4,
              hits: [
                {
                  messageId: m3,
                  role: 'user',
                  at: 1,
                  snippet: [
                    { text: 'ripe ', hit: false },
                    { text: 'pears', hit: true },
                  ],
                },
              ],
            },
          ],
          cut: false,
          pending: 0,
        }),
    });
    stop = start(host.port);
  });
  afterEach(() => {
    cleanup();
    stop();
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
});
