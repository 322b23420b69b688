import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Failure, Step } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { isContextOverflow, toAppError } from './errors';
import { isIncomplete, isRefusal } from './incomplete';
import type { ModelRef } from './registry';
import { modelAt, startProvider, WIRES } from './testing/provider-servers';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Streams to a handler, as the harness does. */
class Streaming extends BaseCallbackHandler {
  readonly name = 'streaming';
  readonly lc_prefer_streaming = true;
}

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

const STEP: Step = { text: 'Here it comes.', calls: [{ name: 'ls', args: { path: '/some/where' } }] };

/** What the person sees for an answer. */
async function told(model: BaseChatModel, ref: ModelRef, messages: BaseMessage[]): Promise<string> {
  const bound = model.bindTools?.([ls]) ?? model;
  try {
    const answer = await bound.invoke(messages, { callbacks: [new Streaming()] });
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
  // The package drops the Responses API's error event; the missing end reveals it.
  ['error_event', ({ name }) => (name === 'gpt-5' ? 'incomplete' : 'overloaded')],
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

/** Each wire format's result for a server that sends this text and then nothing more. */
const ofSilence = (text: string, silence: number) =>
  Promise.all(
    WIRES.map(async (ref) => {
      const silent = await startProvider(ref.provider, () => ({ text, fault: 'hang' }));
      servers.push(silent);
      const waiting = await modelAt(ref, silent, { timeouts: { firstByte: silence, silence } });
      const outcome = await told(waiting, ref, [new HumanMessage('hello')]);
      await Promise.all(silent.requests.map((request) => request.ended));
      return [ref, outcome, silent.requests.map((request) => request.state)];
    }),
  );

// All wire formats wait in parallel.
describe('silence', () => {
  it.each([
    ['before an answer', '', 100, 'network'],
    // Leaves the machine time to start the answer.
    ['within an answer', 'It begins', 2_500, 'stream_cut'],
  ])('does not wait forever, %s', { timeout: 30_000 }, async (_, text, silence, expected) => {
    expect(await ofSilence(text, silence)).toEqual(WIRES.map((ref) => [ref, expected, ['aborted']]));
  });
});
