import type { ServerResponse } from 'node:http';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Failure, Step } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { serve } from '../base/network/testing/servers';
import { isContextOverflow, toAppError } from './errors';
import { isIncomplete, isRefusal } from './incomplete';
import type { ModelRef } from './registry';
import { modelAt, startProvider, WIRES } from './testing/provider-servers';
import { OPENAI_CHAT } from './testing/recorded';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Streams to a handler, as the harness does. */
class Streaming extends BaseCallbackHandler {
  readonly name = 'streaming';
  readonly lc_prefer_streaming = true;
  /** How many parts of an answer's text have arrived. */
  tokens = 0;

  override handleLLMNewToken(token: string): void {
    if (token !== '') this.tokens += 1;
  }
}

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

const STEP: Step = { text: 'Here it comes.', calls: [{ name: 'ls', args: { path: '/some/where' } }] };

/** What the person sees for an answer. */
async function told(
  model: BaseChatModel,
  ref: ModelRef,
  messages: BaseMessage[],
  handler = new Streaming(),
): Promise<string> {
  const bound = model.bindTools?.([ls]) ?? model;
  try {
    const answer = await bound.invoke(messages, { callbacks: [handler] });
    if (!AIMessage.isInstance(answer)) return 'no answer';
    if (isRefusal(answer)) return 'refused';
    if (isIncomplete(answer, ref.provider)) return 'incomplete';
    if ((answer.invalid_tool_calls ?? []).length > 0) return 'bad call';
    const calls = (answer.tool_calls ?? []).map((call) => call.name).join();
    return answer.text === '' && calls === '' ? 'empty' : `${answer.text} ${calls}`;
  } catch (error) {
    const said = toAppError(error, ref.provider);
    expect(isContextOverflow(error)).toBe(said.kind === 'context_overflow');
    expect(inEnglish(said)).toMatch(/^[A-Z].*(?:kept|safe|lost).*\.$/u);
    return said.kind;
  }
}

const WHOLE = 'Here it comes. ls';
/** These two send calls as JSON objects, which the service itself has to parse. */
const readsCalls = ({ provider }: ModelRef) => provider === 'google-genai' || provider === 'ollama';

/** The result of each fault; a function if the formats differ. */
const FAULTS: [Failure, string | ((ref: ModelRef) => string)][] = [
  ['unauthorized', 'bad_key'],
  [{ rateLimited: {} }, 'rate_limited'],
  [{ rateLimited: { retryAfter: 90 } }, 'rate_limited'],
  ['overloaded', 'overloaded'],
  ['server_error', 'overloaded'],
  ['context_overflow', 'context_overflow'],
  ['cut', 'stream_cut'],
  ['cut_clean', (ref) => (ref.provider === 'ollama' ? 'stream_cut' : 'incomplete')],
  ['error_event', 'overloaded'],
  ['bad_tool_json', (ref) => (readsCalls(ref) ? 'provider' : 'bad call')],
  ['empty', 'empty'],
  // A local model declines in plain text.
  ['refusal', (ref) => (ref.provider === 'ollama' ? 'I cannot help with that. ' : 'refused')],
];

describe.each(WIRES.map((ref) => [`${ref.provider}:${ref.name}`, ref] as const))('%s', (_, ref) => {
  it.each(FAULTS)('reports %j, and the next call works', async (fault, expected) => {
    const server = await startProvider(ref.provider, () => STEP);
    servers.push(server);
    const model = await modelAt(ref, server);
    server.failNext(fault);
    const seen = await told(model, ref, [new HumanMessage('hello')]);
    expect(seen).toBe(typeof expected === 'string' ? expected : expected(ref));
    expect(await told(model, ref, [new HumanMessage('hello'), new HumanMessage('again')])).toBe(WHOLE);
  });

  it('reports how long to wait', async () => {
    const server = await startProvider(ref.provider, () => STEP);
    servers.push(server);
    const model = await modelAt(ref, server);
    server.failNext({ rateLimited: { retryAfter: 90 } });
    const error = await model.invoke('hello').catch((thrown: unknown) => thrown);
    expect(toAppError(error, ref.provider)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: 90 });
  });

  it('may call missing tools and repeat an id', async () => {
    const calls = [
      { id: 'call_same', name: 'no_such_tool', args: {} },
      { id: 'call_same', name: 'ls', args: { path: '/' } },
    ];
    const server = await startProvider(ref.provider, () => ({ calls }));
    servers.push(server);
    expect(await told(await modelAt(ref, server), ref, [new HumanMessage('hello')])).toContain(
      'no_such_tool',
    );
  });

  it('stops immediately when stopped, and ends its request', async () => {
    const server = await startProvider(ref.provider, () => ({ fault: 'hang' }));
    servers.push(server);
    const model = await modelAt(ref, server);
    const stop = new AbortController();
    const asking = model
      .invoke('hello', { signal: stop.signal })
      .catch((error: unknown) => toAppError(error, ref.provider).kind);
    while (server.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect(await asking).toBe('cancelled');
    await server.requests[0]?.ended;
    expect(server.requests[0]?.state).toBe('aborted');
  });
});

/** The timeouts of these models, in milliseconds. They pass only when the test says so. */
const SILENCE = 300_000;

/** The result of each wire format if the service falls silent after `text`. */
async function ofSilence(text: string): Promise<unknown[]> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const timeouts = { firstByte: SILENCE, silence: SILENCE };
  const runs = await Promise.all(
    WIRES.map(async (ref) => {
      const server = await startProvider(ref.provider, () => ({ text, fault: 'hang' }));
      servers.push(server);
      const handler = new Streaming();
      const model = await modelAt(ref, server, { timeouts });
      return { ref, server, handler, outcome: told(model, ref, [new HumanMessage('hello')], handler) };
    }),
  );
  let isWaiting = true;
  const outcomes = Promise.all(runs.map(({ outcome }) => outcome)).finally(() => (isWaiting = false));
  await vi.waitFor(() => {
    for (const { server, handler } of runs)
      expect(text === '' ? server.requests.length : handler.tokens).toBeGreaterThan(0);
  });
  // More than once, because the last parts of an answer can arrive in between.
  while (isWaiting) await vi.advanceTimersByTimeAsync(SILENCE);
  const all = await outcomes;
  const requests = runs.flatMap(({ server }) => server.requests);
  await Promise.all(requests.map((request) => request.ended));
  return runs.map(({ ref, server }, index) => [ref, all[index], server.requests.map(({ state }) => state)]);
}

describe('silence', () => {
  it('of a local server may be long before an answer, since it may have to load its model', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answerNow: (response: ServerResponse) => void = () => undefined;
    const asked = new Promise<ServerResponse>((resolve) => (answerNow = resolve));
    const url = await serve((request, response) => {
      request.resume().on('end', () => answerNow(response));
    });
    const timeouts = { firstByte: 1_000, silence: 10_000 };
    const model = await modelAt({ provider: 'openai-compatible', name: 'x' }, { url }, { timeouts });
    const answer = model.invoke('Hi');
    const response = await asked;
    await vi.advanceTimersByTimeAsync(9_000);
    response.setHeader('content-type', 'text/event-stream').end(OPENAI_CHAT);
    expect((await answer).text).toBe('Hello');
  });

  it.each([
    ['before an answer', '', 'network'],
    ['within an answer', 'It begins', 'stream_cut'],
  ])('does not wait forever, %s', async (_, text, expected) => {
    expect(await ofSilence(text)).toEqual(WIRES.map((ref) => [ref, expected, ['aborted']]));
  });
});
