import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Json, objectOf } from '../../e2e/providers/json';
import { inTurn, type Step } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { allowManyListeners } from '../harness/agent/many-listeners';
import { markForCache } from './chat/prompt-cache';
import { modelAt, startProvider, WIRES } from './testing/provider-servers';
import { requestTokens, usageOf } from './usage';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const SONNET = { provider: 'anthropic', name: 'claude-sonnet-4-5' } as const;
const words = (count: number, word = 'lorem ') => word.repeat(count);

const read = tool(() => words(200, 'a line of the file\n'), {
  name: 'read_file',
  description: words(60, 'Reads a file. '),
  schema: z.object({ file_path: z.string() }),
});

const marksIn = (body: Json | undefined): number =>
  (JSON.stringify(body) ?? '').split('"cache_control"').length - 1;

const manyCalls = createMiddleware({
  name: 'many-calls',
  wrapToolCall: (request, handler) => {
    allowManyListeners(request.runtime.signal);
    return handler(request);
  },
});

/** A run of several steps, each with some parallel calls; returns the usage of each request. */
async function runSteps(steps: number, callsEach: number, middleware: AgentMiddleware[] = []) {
  const call = (step: number, place: number) => ({
    id: `toolu_${step}_${place}`,
    name: 'read_file',
    args: { file_path: `/${step}/${place}.txt` },
  });
  const stepAt = (step: number): Step => ({
    text: `Step ${step}.`,
    calls: Array.from({ length: callsEach }, (_, place) => call(step, place)),
  });
  const server = await startProvider(
    'anthropic',
    inTurn([
      stepAt(0),
      ...Array.from({ length: steps - 1 }, (_, index) => stepAt(index + 1)),
      { text: 'Done.' },
    ]),
  );
  servers.push(server);
  const agent = createAgent({
    model: await modelAt(SONNET, server),
    tools: [read],
    systemPrompt: new SystemMessage({
      content: [
        { type: 'text', text: words(900) },
        { type: 'text', text: 'Memories: none yet.' },
      ],
    }),
    middleware: [manyCalls, ...middleware],
  });
  const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
  const usages = messages
    .filter((message) => AIMessage.isInstance(message))
    .map((message) => usageOf(message));
  return { server, usages };
}

/** The effect of LangChain's own caching middleware on a request. */
const published = createMiddleware({
  name: 'PromptCachingMiddleware',
  wrapModelCall: (request, handler) =>
    handler({
      ...request,
      modelSettings: { ...request.modelSettings, cache_control: { type: 'ephemeral', ttl: '5m' } },
    }),
});

describe('a run on Anthropic', () => {
  it.each([1, 12])(
    'reads earlier content from the cache, with %i calls per step',
    async (callsEach) => {
      const { server, usages } = await runSteps(4, callsEach);
      expect(usages).toHaveLength(5);
      for (const [index, usage] of usages.entries()) {
        const before = usages[index - 1];
        if (usage === null) throw new Error('no usage');
        if (before === undefined || before === null) {
          expect([usage.cacheRead, usage.input]).toEqual([0, 0]);
          continue;
        }
        expect(usage.cacheRead).toBe(requestTokens(before));
        expect(usage.input).toBe(0);
      }
      for (const request of server.requests) expect(marksIn(request.body)).toBeLessThanOrEqual(4);
      const [first] = server.requests;
      const { system, tools } = objectOf(first?.body);
      expect([marksIn(system), marksIn(tools)]).toEqual([2, 1]);
    },
    30_000,
  );

  it('uses at most four marks beside the published middleware', async () => {
    const { server, usages } = await runSteps(2, 1, [published]);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(usages.slice(1).every((usage) => (usage?.cacheRead ?? 0) > 1_000)).toBe(true);
  });

  it('reports which call failed', async () => {
    const server = await startProvider('anthropic', () => ({ text: 'ok' }));
    servers.push(server);
    const model = await modelAt(SONNET, server);
    const call = { id: 'toolu_1', name: 'read_file', args: {} };
    await model.invoke([
      new HumanMessage('go'),
      new AIMessage({ content: '', tool_calls: [call] }),
      new ToolMessage({ tool_call_id: 'toolu_1', content: 'no such file', status: 'error' }),
    ]);
    const messages = objectOf(server.requests[0]?.body).messages;
    expect(JSON.stringify(messages)).toContain('"is_error":true');
  });
});

describe('marks', () => {
  const text = (content: string) => ({ type: 'text', text: content });
  const count = (messages: BaseMessage[]) => marksIn(JSON.parse(JSON.stringify(messages)));

  it('are never on empty content, and change no message of the conversation', () => {
    const conversation = [
      new SystemMessage(''),
      new HumanMessage('  '),
      new AIMessage('x'),
      new HumanMessage('y'),
    ];
    const before = JSON.stringify(conversation);
    const { messages, tools } = markForCache(conversation, { hasTools: true });
    expect([count(messages), tools]).toEqual([1, true]);
    expect(JSON.stringify(conversation)).toBe(before);
  });

  it('count if other code sets them', () => {
    const own = { ...text('mine'), cache_control: { type: 'ephemeral' } };
    const conversation = [
      new SystemMessage({ content: [own, own, own] }),
      new HumanMessage('a'),
      new AIMessage('b'),
      new HumanMessage('c'),
    ];
    const { messages, tools } = markForCache(conversation, { hasTools: true });
    expect([count(messages), tools]).toEqual([4, false]);
  });
});

describe('other providers', () => {
  const others = WIRES.filter(({ provider }) => provider !== 'anthropic');

  it.each(others.map((ref) => [`${ref.provider}:${ref.name}`, ref] as const))(
    'send no cache_control to %s, whoever set it [H51]',
    async (_, ref) => {
      const server = await startProvider(ref.provider, () => ({ text: 'ok' }));
      servers.push(server);
      const model = await modelAt(ref, server);
      const marked = (content: string) => ({
        type: 'text',
        text: content,
        cache_control: { type: 'ephemeral' },
      });
      const call = { id: 'toolu_1', name: 'read_file', args: { file_path: '/a' } };
      const answer = await model.invoke([
        new SystemMessage({ content: [marked('system')] }),
        new HumanMessage({ content: [marked('hello')] }),
        new AIMessage({
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'text', text: 'I read it.' },
            { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { file_path: '/a' } },
          ],
          tool_calls: [call],
          response_metadata: { model_provider: 'anthropic' },
        }),
        new ToolMessage({ tool_call_id: 'toolu_1', name: 'read_file', content: [marked('the file')] }),
      ]);
      expect(answer.text).toBe('ok');
      const sent = JSON.stringify(server.requests[0]?.body);
      expect(sent).not.toMatch(/cache_control|thinking":"hm|signature/u);
      expect(sent).toMatch(/I read it\..*read_file.*the file/u);
    },
  );

  it.each([
    ['openai', 'gpt-4.1'],
    ['openai', 'gpt-5'],
    ['google-genai', 'gemini-2.5-flash'],
  ] as const)('report their own cached tokens: %s:%s', async (provider, name) => {
    const server = await startProvider(provider, () => ({ text: 'ok' }));
    servers.push(server);
    const model = await modelAt({ provider, name }, server);
    const system = new SystemMessage(words(2_000));
    const usages: (number | undefined)[] = [];
    for (const question of ['one', 'two']) {
      usages.push(usageOf(await model.invoke([system, new HumanMessage(question)]))?.cacheRead);
    }
    const [first, second = 0] = usages;
    expect([first, second > 2_500]).toEqual([0, true]);
  });
});
