import { expect, it } from 'vitest';
import { Approval, type ThreadState } from '../contract/conversation';
import type { ThreadEvent } from '../contract/events';
import { because } from '../contract/shared/reasons';
import { printPlain, waitingText } from './print';

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

it('prints questions with numbered choices, and how to answer them', () => {
  const asked = (questions: object[]) =>
    waitingText(
      [
        Approval.parse({
          id: 'a1',
          threadId: 't1',
          callId: 'c1',
          tool: 'ask_user',
          display: 'ask',
          args: { questions },
          preview: { kind: 'questions', questions },
          reason: [because('agent_asks')],
          risk: 'low',
          allowed: ['respond', 'reject'],
          digest: '0123456789abcdef',
          at: 0,
          agent: 'explorer',
        }),
      ],
      't1',
      undefined,
    );
  const database = { question: 'Which\ndatabase?', choices: ['PostgreSQL', 'SQLite'] };
  expect(asked([database])).toBe(
    [
      '? explorer ask_user: The agent has a question for you.',
      '    Which database?',
      '      1. PostgreSQL',
      '      2. SQLite',
      "Waiting for a decision. Go on with: npm run agent -- --thread t1 --decide 0123456789ab=respond:'ANSWER'",
      '',
    ].join('\n'),
  );
  const both = asked([database, { question: 'Which pages?', choices: ['Home'], multiple: true }]);
  expect(both).toContain('    Which pages? (one or more)\n      1. Home\n');
  expect(both).toContain('    ANSWER: a JSON list with 2 answers, such as ["1","own words"]\n');
});
