import { describe, expect, it, vi } from 'vitest';
import type { Failure, Script } from '../../../e2e/providers/script';
import { errorIn, inEnglish } from '../../../src-renderer/i18n/errors';
import { holdTimers } from '../../base/testing/held-timers';
import type { AgentMessage, Notice, ThreadState } from '../../contract/conversation';
import { optional } from '../../contract/shared/optional';
import type { ModelRef } from '../../models/registry';
import { startProvider, WIRES } from '../../models/testing/provider-servers';
import { cleanups, isIdle, setUp } from '../testing/window';

const CALL = { name: 'ls', args: { path: '/' } };

/** Milliseconds until silence counts as a timeout. No other timer has this delay, so the test can fire only these. */
const PATIENCE = 299_993;

/** The person's message decides the answer; an answer after results ends the turn. */
const script: Script = ({ lastUserText, lastToolResults }) => {
  if (lastToolResults.length > 0) return { text: 'Done.' };
  if (lastUserText === 'odd calls')
    return {
      calls: [
        { ...CALL, id: 'call_same', name: 'no_such_tool' },
        { ...CALL, id: 'call_same' },
      ],
    };
  if (lastUserText === 'write much') return { text: 'Half an ans', stop: 'length' };
  if (lastUserText === 'silence') return { fault: { once: 'hang' }, text: '', calls: [CALL] };
  if (lastUserText === 'falls silent') return { fault: { once: 'hang' }, text: 'It begins', calls: [CALL] };
  return { text: 'I look.', calls: [CALL] };
};

/** What the person is told. */
type Told = Pick<Notice['error'], 'kind'> & { words: RegExp; actions?: Notice['actions']; seconds?: number };

const OVERLOADED = { kind: 'overloaded', words: /overloaded or failing/ } as const;
const CUT = { kind: 'stream_cut', words: /broke during the answer/ } as const;
const LIMITED = { kind: 'rate_limited', words: /isn't taking more requests right now/ } as const;
const readsCalls = ({ provider }: ModelRef) => provider === 'google-genai' || provider === 'ollama';

/** Each fault with its notice; null: the thread recovers automatically and shows none. */
const FAULTS: [string, Failure | [Failure, Failure], (ref: ModelRef) => Told | null][] = [
  [
    '401',
    'unauthorized',
    () => ({ kind: 'bad_key', words: /didn't accept the key/, actions: ['key', 'retry'] }),
  ],
  ['429', { rateLimited: {} }, () => LIMITED],
  ['429 with Retry-After', { rateLimited: { retryAfter: 90 } }, () => ({ ...LIMITED, seconds: 90 })],
  ['500', 'server_error', () => OVERLOADED],
  ['529', 'overloaded', () => OVERLOADED],
  [
    'a context that is too long',
    // With nothing to drop, the request is sent once more.
    ['context_overflow', 'context_overflow'],
    () => ({ kind: 'context_overflow', words: /no longer fits into the model's context window/ }),
  ],
  ['a context that is too long for one of several machines', 'context_overflow', () => null],
  ['a stream that is cut', 'cut', () => CUT],
  ['a stream that ends without its end', 'cut_clean', () => CUT],
  ['an error in the stream', 'error_event', () => OVERLOADED],
  [
    'calls that are no JSON',
    'bad_tool_json',
    (ref) => (readsCalls(ref) ? { kind: 'provider', words: /wrote a tool call that can't be read/ } : null),
  ],
  ['an empty answer', 'empty', () => ({ kind: 'provider', words: /returned an empty answer/ })],
  [
    'a refusal',
    'refusal',
    // A local model declines in plain text.
    ({ provider }) => (provider === 'ollama' ? null : { kind: 'refused', words: /declined|refused/ }),
  ],
];

const rested = ({ turn, messages }: ThreadState) =>
  (turn.phase === 'idle' || turn.phase === 'failed') && messages.length > 0;
const noticesOf = (state: ThreadState) => state.messages.filter((message) => message.role === 'notice');
const answersOf = (state: ThreadState) =>
  state.messages.filter((message): message is AgentMessage => message.role === 'agent');

const nameOf = (ref: ModelRef) => `${ref.provider}:${ref.name}`;

/** A thread with its own server. */
async function thread(ref: ModelRef, timeouts: { firstByte?: number; silence?: number } = {}) {
  const server = await startProvider(ref.provider, script);
  cleanups.push(() => server.close());
  const t = await setUp({ requests: { retries: 0, timeouts } });
  const { window, threadId, reports } = t;
  await window.must('models.setBaseUrl', { provider: ref.provider, baseUrl: server.url });
  await window.must('models.setKey', { provider: ref.provider, key: 'test-key' });
  await window.must('thread.setModel', { threadId, model: nameOf(ref) });
  return {
    server,
    window,
    reports,
    say: async (text: string) => {
      await t.say(text);
      return window.until(rested);
    },
    retry: async () => {
      await window.must('thread.retry', { threadId });
      return window.until(rested);
    },
  };
}

describe.each(WIRES.map((ref) => [nameOf(ref), ref] as const))('on %s', (_, ref) => {
  it.each(FAULTS)('%s is reported, and the thread continues', async (_, fault, toldOf) => {
    const { server, window, reports, say, retry } = await thread(ref);
    for (const one of [fault].flat()) server.failNext(one);
    const failed = await say('look around');
    const told = toldOf(ref);
    if (told === null) {
      expect([failed.turn.phase, noticesOf(failed)]).toEqual(['idle', []]);
    } else {
      const { kind, words, actions = ['retry'], seconds } = told;
      expect(
        noticesOf(failed).map(({ actions, error }) => ({ actions, error: errorIn('en', error) })),
      ).toEqual([
        expect.objectContaining({
          actions,
          error: expect.objectContaining({
            kind,
            message: expect.stringMatching(words),
            ...optional({ retryAfterSeconds: seconds }),
          }),
        }),
      ]);
      // The notice ends with what to do, and reports nothing as lost.
      expect(noticesOf(failed).map(({ error }) => inEnglish(error))[0]).toMatch(
        /^[A-Z].*(?:kept|lost).*\.$/u,
      );
      expect(failed.turn.phase).toBe('failed');
      // No call of an incomplete answer ran.
      expect(window.calls).toEqual([]);
      const after = await retry();
      expect([isIdle(after), noticesOf(after), window.lastAnswer]).toEqual([true, [], 'Done.']);
    }
    const answers = answersOf(await say('and again')).length;
    expect([window.lastAnswer, window.calls.at(-1)?.status, answers > 2]).toEqual(['Done.', 'done', true]);
    expect(reports).toEqual([]);
  });

  it('an answer that ended at the token limit is reported as one whose end is missing', async () => {
    const { window, say } = await thread(ref);
    const notices = noticesOf(await say('write much'));
    expect(notices.map(({ actions, error }) => [actions, inEnglish(error)])).toEqual([
      [
        [],
        "The answer reached the model's maximum length, so its end is missing. Ask the agent to continue.",
      ],
    ]);
    expect(window.lastAnswer).toBe('Half an ans');
  });

  it('an unknown tool and a repeated id get answers, each on its own line', async () => {
    const { window, say } = await thread(ref);
    expect(noticesOf(await say('odd calls'))).toEqual([]);
    expect(window.calls.map(({ name, status }) => [name, status])).toEqual([
      ['no_such_tool', 'failed'],
      ['ls', 'done'],
    ]);
    expect(new Set(window.calls.map(({ callId }) => callId)).size).toBe(2);
    expect(window.lastAnswer).toBe('Done.');
  });
});

describe.each([
  ['silence', { kind: 'network', words: /Couldn't reach/ }],
  ['falls silent', CUT],
] as const)('a timeout (%s)', (text, told) => {
  it.each(WIRES.map((ref) => [nameOf(ref), ref] as const))(
    'is reported, and the thread continues, on %s',
    { timeout: 40_000 },
    async (_name, ref) => {
      const limits = holdTimers(PATIENCE);
      const { server, window, say, retry } = await thread(ref, { firstByte: PATIENCE, silence: PATIENCE });
      const saying = say(text);
      // A server's list of models is asked for first.
      await vi.waitFor(() => expect(server.requests.some(({ method }) => method === 'POST')).toBe(true));
      if (text === 'falls silent') {
        // The package for Gemini passes text on only with the next chunk request, which has a separate limit.
        if (ref.provider === 'google-genai')
          await vi.waitFor(() => expect(limits.started).toBeGreaterThanOrEqual(2));
        else await window.until((state) => answersOf(state).at(-1)?.text.startsWith('It') === true);
      }
      limits.fire();
      const failed = await saying;
      const notices = noticesOf(failed).map(({ error }) => [error.kind, told.words.test(inEnglish(error))]);
      expect(notices).toEqual([[told.kind, true]]);
      expect(isIdle(await retry())).toBe(true);
      expect([window.lastAnswer, window.calls.map(({ status }) => status)]).toEqual(['Done.', ['done']]);
    },
  );
});
