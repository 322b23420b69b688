import { AIMessageChunk } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorIn } from '../../../src-renderer/i18n/errors';
import { toAppError } from '../errors';
import { failureOf } from '../failures';
import { currentRequest, makingRequest } from './current-request';
import { asEventStream } from './event-stream';
import { guardedStream, type StreamRules } from './guarded-stream';

const chunk = (content: string, metadata: Record<string, unknown> = {}) =>
  new ChatGenerationChunk({
    text: content,
    message: new AIMessageChunk({ content, response_metadata: metadata }),
  });
const END = chunk('', { finish_reason: 'stop' });

const failing = (status: number, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`${status} no`), { status, headers: new Headers(headers) });

type Attempt = (ChatGenerationChunk | Error)[];

/** Runs the attempts in order, recording waits instead of waiting. */
async function run(attempts: Attempt[], rules: Partial<StreamRules> = {}, signal?: AbortSignal) {
  const waits: number[] = [];
  const retries: [number, number, string][] = [];
  let opened = 0;
  const stream = guardedStream(
    {
      provider: 'openai',
      model: 'gpt-x',
      facts: { contextWindow: null, maxOutput: null, abilities: null, price: null },
      retries: 2,
      silence: 1_000,
      sleep: async (milliseconds) => {
        signal?.throwIfAborted();
        waits.push(milliseconds);
      },
      onRetry: (attempt, wait, reason) => retries.push([attempt, wait, toAppError(reason, 'openai').kind]),
      ...rules,
    },
    signal,
    async function* () {
      for (const one of attempts[opened++] ?? []) {
        if (one instanceof Error) throw one;
        yield one;
      }
    },
  );
  let text = '';
  let from: unknown;
  const error: unknown = await (async () => {
    for await (const { message } of stream) {
      text += message.text;
      from ??= message.response_metadata.deepdesk_model;
    }
  })().catch((thrown: unknown) => thrown);
  return { text, from, error, waits, retries, opened };
}

describe('retrying', () => {
  it('waits longer after each attempt, reports it, and streams the answer as if it were the first', async () => {
    const ran = await run([[failing(529)], [failing(500)], [chunk('Hello'), END]]);
    expect([ran.text, ran.from, ran.error, ran.opened]).toEqual(['Hello', 'openai:gpt-x', undefined, 3]);
    expect(ran.retries.map(([attempt, , kind]) => [attempt, kind])).toEqual([
      [1, 'overloaded'],
      [2, 'overloaded'],
    ]);
    const [first = 0, second = 0] = ran.waits;
    expect([first >= 1_000 && first <= 1_250, second >= 2_000 && second <= 2_500]).toEqual([true, true]);
    expect(ran.retries.map(([, wait]) => wait)).toEqual(ran.waits);
  });

  it('waits as long as the server asks, in seconds or until a date', async () => {
    const date = new Date(Date.now() + 20_000).toUTCString();
    const { waits } = await run([
      [failing(429, { 'retry-after': '7' })],
      [failing(429, { 'retry-after': date })],
      [chunk('Hello'), END],
    ]);
    const [first = 0, second = 0] = waits;
    expect([first >= 7_000 && first < 7_500, second > 18_000 && second < 21_500]).toEqual([true, true]);
  });

  it('waits as for other errors if the server asks for no wait, or for one that is over', async () => {
    const { waits } = await run([
      [failing(429, { 'retry-after': '0' })],
      [failing(429, { 'retry-after': '-60' })],
      [chunk('Hello'), END],
    ]);
    const [first = 0, second = 0] = waits;
    expect([first >= 1_000 && first <= 1_250, second >= 2_000 && second <= 2_500]).toEqual([true, true]);
  });

  it('does not wait for minutes, but tells the person', async () => {
    const ran = await run([[failing(429, { 'retry-after': '3600' })]]);
    expect([ran.opened, toAppError(ran.error, 'openai').retryAfterSeconds]).toEqual([1, 3_600]);
  });

  it('gives up with the last error', async () => {
    const ran = await run([[failing(529)], [failing(529)], [failing(503)], [chunk('never')]]);
    expect([ran.opened, ran.text, errorIn('en', toAppError(ran.error, 'anthropic'))]).toMatchObject([
      3,
      '',
      { kind: 'overloaded', message: expect.stringMatching(/^OpenAI .*503/u) },
    ]);
    expect(failureOf(new Error('outer', { cause: ran.error }))).toEqual({
      provider: 'openai',
      model: 'openai:gpt-x',
      streamed: false,
    });
  });

  it.each([
    ['a bad key', failing(401)],
    ['a request that is wrong', failing(400)],
    ['an account without credit', Object.assign(failing(429), { code: 'insufficient_quota' })],
    ['a bug', new TypeError('x is not a function')],
  ])('does not happen after %s', async (_, error) => {
    const ran = await run([[error]]);
    expect([ran.error, ran.opened, ran.retries]).toEqual([error, 1, []]);
  });

  it('never repeats streamed text', async () => {
    const ran = await run([[chunk('Hel'), failing(529)], [chunk('Hello')]]);
    expect([ran.text, ran.opened, failureOf(ran.error)?.streamed]).toEqual(['Hel', 1, true]);
  });

  it('happens if an answer had started without any text', async () => {
    const ran = await run([[chunk(''), failing(529)], [chunk('')], [chunk(''), chunk('Hello'), END]]);
    expect([ran.text, ran.opened, ran.retries.map(([, , kind]) => kind)]).toEqual([
      'Hello',
      3,
      ['overloaded', 'stream_cut'],
    ]);
  });

  it('leaves a complete but empty answer alone', async () => {
    const ran = await run([[chunk(''), END]]);
    expect([ran.text, ran.error, ran.opened]).toEqual(['', undefined, 1]);
  });

  it('can be stopped while it waits', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped by the person');
    const ran = await run(
      [[failing(529)], [chunk('never')]],
      { onRetry: () => stop.abort(reason) },
      stop.signal,
    );
    expect([ran.error, ran.opened]).toEqual([reason, 1]);
  });
});

describe('silence', () => {
  it('times out a request, both before an answer and within one', async () => {
    const outcomes: unknown[] = [];
    for (const before of [[], [chunk('Hel')]]) {
      let ended = false;
      const stream = guardedStream(
        {
          provider: 'openai',
          model: 'x',
          facts: { contextWindow: null, maxOutput: null, abilities: null, price: null },
          retries: 0,
          silence: 20,
        },
        undefined,
        async function* (signal) {
          yield* before;
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          ended = true;
        },
      );
      const drained = await drain(stream);
      await new Promise(setImmediate);
      outcomes.push([toAppError(drained, 'openai').kind, ended]);
    }
    expect(outcomes).toEqual([
      ['network', true],
      ['stream_cut', true],
    ]);
  });
});

describe('a connection that the service only keeps alive', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The error of an answer that starts after so many seconds, in which the service sends something every 0.8 seconds. */
  async function errorAfter(seconds: number): Promise<unknown> {
    const stream = guardedStream(
      {
        provider: 'openai',
        model: 'x',
        facts: { contextWindow: null, maxOutput: null, abilities: null, price: null },
        retries: 0,
        silence: 1_000,
      },
      undefined,
      async function* () {
        const activity = currentRequest();
        const alive = setInterval(() => activity?.note(), 800);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
        clearInterval(alive);
        yield chunk('Hello');
        yield END;
      },
    );
    const drained = drain(stream);
    await vi.advanceTimersByTimeAsync(20_000);
    return drained;
  }

  it('has more time to answer', async () => {
    expect(await errorAfter(4.5)).toBe(undefined);
  });

  it('is given up at some time', async () => {
    expect(toAppError(await errorAfter(7), 'openai').kind).toBe('network');
  });
});

it('notes all that a service sends, also between the events of its answer', async () => {
  const note = vi.fn();
  const stream = makingRequest({ note }, () => asEventStream(new Response(': keep-alive\n\n'), {}));
  expect(await stream.text()).toBe('');
  expect(note).toHaveBeenCalledOnce();
});

/** The error of a stream; undefined if it completed. */
async function drain(stream: AsyncGenerator<ChatGenerationChunk>): Promise<unknown> {
  try {
    for await (const _ of stream);
    return undefined;
  } catch (error) {
    return error;
  }
}
