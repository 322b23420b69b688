import { expect, it } from 'vitest';
import type { ThreadState } from '../contract/conversation';
import type { ThreadEvent } from '../contract/events';
import { printPlain } from './print';

const message = (phase: 'streaming' | 'done', text: string) => ({ role: 'agent', id: 'm', phase, text });

/** Returns what is printed to standard output for these events of one message. */
function printed(...events: object[]): string {
  let text = '';
  const state = { messages: [message('streaming', '')] } as unknown as ThreadState;
  const out = (piece: string) => {
    text += piece;
  };
  const print = printPlain({ out, err: () => undefined }, () => state);
  for (const event of events) print(event as ThreadEvent);
  return text;
}

it('prints a whole answer that did not stream', () => {
  expect(printed({ type: 'message.added', message: message('done', 'One two.') })).toBe('One two.\n');
});

it('prints a streamed answer once', () => {
  const text = printed(
    { type: 'message.added', message: message('streaming', 'One') },
    { type: 'message.delta', messageId: 'm', text: ' two.' },
    { type: 'message.ended', message: message('done', 'One two.') },
  );
  expect(text).toBe('One two.\n');
});

it('prints text that arrives only with the end of a streamed answer', () => {
  const text = printed(
    { type: 'message.added', message: message('streaming', 'One') },
    { type: 'message.delta', messageId: 'm', text: ' two' },
    { type: 'message.ended', message: message('done', 'One two three.') },
  );
  expect(text).toBe('One two three.\n');
});
