import { setTimeout as delay } from 'node:timers/promises';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createAgent, createMiddleware } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Failure, inTurn, type Script } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { errorIn, inEnglish } from '../../src-renderer/i18n/errors';
import { deferred } from '../base/deferred';
import { fail, ok } from '../contract/result';
import { factsOfModel } from './catalogue';
import { answeredBy } from './chat/answered-by';
import { toAppError } from './errors';
import { isIncomplete } from './incomplete';
import { type FallbackModel, type ModelCallListener, type ModelCallOptions, ModelCalls } from './model-call';
import type { ModelRef } from './registry';
import { SpendGuard } from './spend-guard';
import { memorySpendStore } from './testing/memory-spend-store';
import { modelAt, startProvider } from './testing/provider-servers';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const ls = tool(() => '/a.txt', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

const SONNET: ModelRef = { provider: 'anthropic', name: 'claude-sonnet-4-5' };
const nameOf = ({ provider, name }: ModelRef) => `${provider}:${name}`;
const priced = (ref: ModelRef) => ({ model: nameOf(ref), price: factsOfModel(ref).price });

async function serve(ref: ModelRef, script: Script): Promise<ProviderServer> {
  const server = await startProvider(ref.provider, script);
  servers.push(server);
  return server;
}

async function fallback(ref: ModelRef, script: Script) {
  const server = await serve(ref, script);
  const model: FallbackModel = { ...priced(ref), open: async () => ok(await modelAt(ref, server)) };
  return { server, model };
}

/** Marks as set by LangChain's own caching middleware. */
const marks = createMiddleware({
  name: 'marks',
  wrapModelCall: (request, handler) =>
    handler({ ...request, modelSettings: { cache_control: { type: 'ephemeral' } } }),
});

async function agentOn(server: ProviderServer, options: Partial<ModelCallOptions> & ModelCallListener) {
  const agent = createAgent({
    model: await modelAt(SONNET, server),
    tools: [ls],
    systemPrompt: 'Be brief.',
    middleware: [
      marks,
      new ModelCalls({ threadId: 'thread-1', first: priced(SONNET), ...options }).middleware(options),
    ],
  });
  return async (text: string, signal?: AbortSignal): Promise<BaseMessage[]> => {
    const { messages } = await agent.invoke(
      { messages: [new HumanMessage(text)] },
      signal === undefined ? {} : { signal },
    );
    return messages;
  };
}

const LOOKS = inTurn([
  { text: 'I look.', calls: [{ name: 'ls', args: { path: '/' } }] },
  { text: 'One file.' },
]);

describe('a fallback model', () => {
  it.each<[Failure, string]>([
    ['overloaded', 'overloaded'],
    ['server_error', 'overloaded'],
    ['unauthorized', 'bad_key'],
    [{ rateLimited: {} }, 'rate_limited'],
  ])('is asked after %j, reports it, and stays for the run', async (fault, kind) => {
    const server = await serve(SONNET, () => ({ fault }));
    const other = await fallback({ provider: 'openai', name: 'gpt-4.1' }, LOOKS);
    const told: unknown[] = [];
    const run = await agentOn(server, {
      fallbacks: [other.model],
      onFallback: ({ from, to, reason }) =>
        told.push([from, to, reason.kind, inEnglish(reason).split(' ')[0]]),
    });
    const messages = await run('what is there');
    expect(messages.at(-1)?.text).toBe('One file.');
    expect(told).toEqual([['anthropic:claude-sonnet-4-5', 'openai:gpt-4.1', kind, 'Anthropic']]);
    expect([server.requests.length, other.server.requests.length]).toEqual([1, 2]);
    const answers = messages.filter((message) => AIMessage.isInstance(message));
    expect(answers.map(answeredBy)).toEqual(['openai:gpt-4.1', 'openai:gpt-4.1']);
    expect(answers.some((answer) => isIncomplete(answer, 'ollama'))).toBe(false);
  });

  it.each<ModelRef>([
    { provider: 'openai', name: 'gpt-4.1' },
    { provider: 'openai', name: 'gpt-5' },
    { provider: 'google-genai', name: 'gemini-2.5-flash' },
    { provider: 'ollama', name: 'qwen3' },
  ])('gets no cache_control outside Anthropic: $provider:$name [H51]', async (ref) => {
    const server = await serve(SONNET, ({ lastToolResults }) =>
      lastToolResults.length === 0
        ? { text: 'I look.', calls: [{ name: 'ls', args: { path: '/' } }] }
        : { fault: 'overloaded' },
    );
    const other = await fallback(ref, LOOKS);
    const run = await agentOn(server, { fallbacks: [other.model] });
    expect((await run('what is there')).at(-1)?.text).toBe('One file.');
    expect(JSON.stringify(server.requests[0]?.body)).toContain('cache_control');
    expect(JSON.stringify(other.server.requests.map(({ body }) => body))).not.toContain('cache_control');
  });

  it('is asked in order, skipping those without a key; the last error counts', async () => {
    const server = await serve(SONNET, () => ({ fault: 'overloaded' }));
    const keyless: FallbackModel = {
      ...priced({ provider: 'google-genai', name: 'gemini-2.5-pro' }),
      open: async () => fail('no_key', 'external', { text: 'There is no key.' }),
    };
    const broken = await fallback({ provider: 'openai', name: 'gpt-4.1' }, () => ({ fault: 'unauthorized' }));
    const told: string[] = [];
    const run = await agentOn(server, {
      fallbacks: [keyless, broken.model],
      onFallback: ({ to }) => told.push(to),
    });
    const error = await run('hello').catch((thrown: unknown) => thrown);
    expect(told).toEqual(['openai:gpt-4.1']);
    expect(errorIn('en', toAppError(error, 'anthropic'))).toMatchObject({
      kind: 'bad_key',
      message: expect.stringMatching(/^OpenAI didn't accept/u),
    });
  });

  it.each<Failure>(['context_overflow', 'cut', 'error_event'])(
    'is not asked after %j, nor once text was streamed',
    async (fault) => {
      const server = await serve(SONNET, () => ({ text: 'It begins and goes on for a while.', fault }));
      const other = await fallback({ provider: 'openai', name: 'gpt-4.1' }, LOOKS);
      const run = await agentOn(server, { fallbacks: [other.model] });
      expect(await run('hello').catch(() => 'failed')).toBe('failed');
      expect(other.server.requests.length).toBe(0);
    },
  );

  it('is not asked after a stop', async () => {
    const server = await serve(SONNET, () => ({ fault: 'hang' }));
    const other = await fallback({ provider: 'openai', name: 'gpt-4.1' }, LOOKS);
    const run = await agentOn(server, { fallbacks: [other.model] });
    const stop = new AbortController();
    const running = run('hello', stop.signal).catch(() => 'stopped');
    while (server.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect([await running, other.server.requests.length]).toEqual(['stopped', 0]);
  });
});

describe('spending', () => {
  it('is counted for each request, and stops the next one before it is sent', async () => {
    const server = await serve(SONNET, LOOKS);
    const store = memorySpendStore();
    const limits: { thread: number | null; day: number | null } = { thread: null, day: null };
    const guard = new SpendGuard({ store, ceilings: () => limits });
    const spent: [string, number | null][] = [];
    const run = await agentOn(server, {
      guard,
      onSpent: ({ model, cost }) => {
        spent.push([model, cost]);
        // A ceiling that the first request reached.
        if (spent.length === 1) limits.thread = cost;
      },
    });
    const error = await run('what is there').catch((thrown: unknown) => thrown);
    expect(toAppError(error, 'anthropic')).toMatchObject({ kind: 'spending_limit' });
    expect([server.requests.length, spent.length, store.entries.length]).toEqual([1, 1, 1]);
    expect(store.ofThread('thread-1')).toBe(spent[0]?.[1]);
    expect(store.ofThread('thread-1')).toBeGreaterThan(0);

    limits.thread = 1_000_000;
    expect((await run('what is there')).at(-1)?.text).toBe('One file.');
  });

  it("costs nothing for a refused request, and the other model's price if that one answered", async () => {
    const server = await serve(SONNET, () => ({ fault: 'overloaded' }));
    const other = await fallback({ provider: 'openai', name: 'gpt-4.1' }, () => ({ text: 'Hello.' }));
    const store = memorySpendStore();
    const guard = new SpendGuard({ store, ceilings: () => ({ thread: 1_000_000, day: null }) });
    const run = await agentOn(server, { guard, fallbacks: [other.model] });
    await run('hello');
    expect(store.entries.map(({ model, usage }) => [model, usage?.cacheWrite])).toEqual([
      ['openai:gpt-4.1', 0],
    ]);
  });

  it('is checked before a summary, counted, and reports the sent request', async () => {
    const server = await serve(SONNET, () => ({ text: 'A summary.' }));
    const store = memorySpendStore();
    const limits = { thread: 1_000_000, day: null };
    const calls = new ModelCalls({
      threadId: 'thread-1',
      first: priced(SONNET),
      guard: new SpendGuard({ store, ceilings: () => limits }),
    });
    const sent: boolean[] = [];
    const chat = await modelAt(SONNET, server);
    const summarize = () =>
      calls.invoke(
        chat,
        [new HumanMessage('all of it')],
        { callbacks: [] },
        {
          onSent: ({ isSummary }) => sent.push(isSummary),
        },
      );
    expect((await summarize()).text).toBe('A summary.');
    expect([store.entries.length, sent]).toEqual([1, [true]]);
    limits.thread = 1;
    const error = await summarize().catch((thrown: unknown) => thrown);
    expect(toAppError(error, 'anthropic').kind).toBe('spending_limit');
    expect([store.entries.length, server.requests.length, sent]).toEqual([1, 1, [true]]);
  });

  it('includes a stopped request', async () => {
    const server = await serve(SONNET, () => ({ text: 'It begins', fault: 'hang' }));
    const store = memorySpendStore();
    const guard = new SpendGuard({ store, ceilings: () => ({ thread: 1_000_000, day: null }) });
    const run = await agentOn(server, { guard });
    const stop = new AbortController();
    const running = run('hello', stop.signal).catch(() => 'stopped');
    while (server.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect(await running).toBe('stopped');
    while (store.entries.length === 0) await new Promise(setImmediate);
    expect(store.entries.map(({ usage, cost }) => [usage, cost !== null && cost > 0])).toEqual([
      [null, true],
    ]);
  });

  it.each([
    ['leaves out a request that was refused and waits to be retried', 0],
    ['includes a retry that was stopped', 1],
  ])('%s', async (_, billed) => {
    const server = await serve(SONNET, () => ({ text: 'It begins', fault: 'hang' }));
    server.failNext('overloaded');
    const store = memorySpendStore();
    const guard = new SpendGuard({ store, ceilings: () => ({ thread: 1_000_000, day: null }) });
    const stop = new AbortController();
    const told: string[] = [];
    const waiting = deferred<null>();
    const chat = await modelAt(SONNET, server, { retries: 1, onRetry: () => waiting.resolve(null) });
    const running = new ModelCalls({ threadId: 'thread-1', first: priced(SONNET), guard })
      .invoke(
        chat,
        [new HumanMessage('hello')],
        { signal: stop.signal },
        { onSpent: ({ model }) => told.push(model) },
      )
      .catch(() => 'stopped');
    await waiting.promise;
    while (server.requests.length <= billed) await delay(20);
    stop.abort();
    expect(await running).toBe('stopped');
    expect([store.entries.length, told.length]).toEqual([billed, billed]);
  });

  it('includes a request with a cut answer', async () => {
    const server = await serve(SONNET, () => ({ text: 'It begins and goes on for a while.', fault: 'cut' }));
    const store = memorySpendStore();
    const guard = new SpendGuard({ store, ceilings: () => ({ thread: 1_000_000, day: null }) });
    const run = await agentOn(server, { guard });
    await run('hello').catch(() => 'failed');
    expect(store.entries.map(({ usage, cost }) => [usage, cost !== null && cost > 0])).toEqual([
      [null, true],
    ]);
  });
});
