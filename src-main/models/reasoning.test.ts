import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inTurn } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { partsOf } from '../harness/agent/message-parts';
import { answeredBy } from './chat/answered-by';
import type { ModelRef } from './registry';
import { modelAt, startProvider } from './testing/provider-servers';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const ls = tool(() => 'ok', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

const THOUGHT = 'First I look — 然后 I answer.';
const STEPS = inTurn([
  {
    reasoning: THOUGHT,
    text: 'I look.',
    calls: [
      { name: 'ls', args: { path: '/a' } },
      { name: 'ls', args: { path: '/b' } },
    ],
  },
  { reasoning: 'Now I know.', text: 'Two files.' },
]);

/** Models that think; Claude models before 4.6 must be asked to. */
const THINKING: [ModelRef, boolean | undefined][] = [
  [{ provider: 'anthropic', name: 'claude-sonnet-4-6' }, undefined],
  [{ provider: 'anthropic', name: 'claude-haiku-4-5' }, true],
  [{ provider: 'openai', name: 'gpt-5' }, undefined],
  [{ provider: 'openai-compatible', name: 'deepseek-reasoner' }, undefined],
  [{ provider: 'google-genai', name: 'gemini-2.5-pro' }, undefined],
  [{ provider: 'google-genai', name: 'gemini-3-pro-preview' }, undefined],
  [{ provider: 'ollama', name: 'qwen3' }, undefined],
];

/** Milliseconds for requests to many servers on a busy machine. */
const SLOW = 30_000;

/** A thread's messages as stored between two requests. */
const stored = (messages: BaseMessage[]) =>
  mapStoredMessagesToChatMessages(mapChatMessagesToStoredMessages(messages));

const resultsOf = (answer: AIMessage) =>
  (answer.tool_calls ?? []).map(
    ({ id, name }) => new ToolMessage({ tool_call_id: id ?? '', name, content: `result of ${name}` }),
  );

describe.each(THINKING)('$provider:$name', (ref, reasoning) => {
  const open = async () => {
    const server = await startProvider(ref.provider, STEPS);
    servers.push(server);
    const model = await modelAt(ref, server, reasoning === undefined ? {} : { reasoning });
    return { server, model: model.bindTools?.([ls]) ?? model };
  };

  it('shows its reasoning, and accepts it back unchanged', async () => {
    const { server, model } = await open();
    const history: BaseMessage[] = [new SystemMessage('Be brief.'), new HumanMessage('what is there')];
    const answer = await model.invoke(history);
    if (!AIMessage.isInstance(answer)) throw new Error('no answer');
    expect(partsOf(answer)).toEqual({ text: 'I look.', reasoning: THOUGHT });
    expect(answeredBy(answer)).toBe(`${ref.provider}:${ref.name}`);
    // The server refuses modified reasoning.
    const next = await model.invoke(stored([...history, answer, ...resultsOf(answer)]));
    expect([next.text, server.requests.map(({ status }) => status)]).toEqual(['Two files.', [200, 200]]);
    const sent = JSON.stringify(server.requests[1]?.body);
    const proof = {
      anthropic: /"signature":"[^"]{20,}/u,
      openai: /"encrypted_content":"[^"]{20,}/u,
      'google-genai': /"thoughtSignature":"[^"]{20,}/u,
    };
    if (ref.provider in proof) expect(sent).toMatch(proof[ref.provider as keyof typeof proof]);
  });

  it(
    'accepts the answers of every other provider, without their reasoning',
    async () => {
      for (const [other, asked] of THINKING) {
        if (other.provider === ref.provider) continue;
        const elsewhere = await startProvider(other.provider, STEPS);
        servers.push(elsewhere);
        const theirs = await modelAt(other, elsewhere, asked === undefined ? {} : { reasoning: asked });
        const question = new HumanMessage('what is there');
        const answer = await (theirs.bindTools?.([ls]) ?? theirs).invoke([question]);
        if (!AIMessage.isInstance(answer)) throw new Error('no answer');
        const { server, model } = await open();
        const next = await model.invoke(stored([question, answer, ...resultsOf(answer)]));
        expect([other.name, next.text, server.requests[0]?.status]).toEqual([other.name, 'Two files.', 200]);
        const sent = JSON.stringify(server.requests[0]?.body);
        expect(sent).not.toContain('First I look');
        expect(sent).toContain('result of ls');
      }
    },
    SLOW,
  );
});

describe('OpenAI', () => {
  it('continues without summaries for an unverified organization', async () => {
    const server = await startProvider('openai', ({ model }) => ({
      reasoning: 'hm',
      text: `I am ${model}.`,
    }));
    servers.push(server);
    const model = await modelAt({ provider: 'openai', name: 'gpt-5' }, server);
    server.failNext('unverified');
    // Tools are bound again for each request, as in the agent loop.
    for (const _ of [1, 2]) {
      expect((await (model.bindTools?.([ls]) ?? model).invoke('hello')).text).toBe('I am gpt-5.');
    }
    const summaries = server.requests.map(({ body }) => JSON.stringify(body).includes('"summary":"auto"'));
    expect(summaries).toEqual([true, false, false]);
  });

  it('uses Chat Completions if a proxy supports nothing else', async () => {
    const server = await startProvider('openai', STEPS, { without: '/v1/responses' });
    servers.push(server);
    const model = await modelAt({ provider: 'openai', name: 'gpt-5' }, server);
    for (const _ of [1, 2]) {
      const answer = await (model.bindTools?.([ls]) ?? model).invoke('what is there');
      expect([answer.text, AIMessage.isInstance(answer) && answer.tool_calls?.length]).toEqual([
        'I look.',
        2,
      ]);
    }
    expect(server.requests.map(({ path, status }) => [path, status])).toEqual([
      ['/v1/responses', 404],
      ['/v1/chat/completions', 200],
      ['/v1/chat/completions', 200],
    ]);
  });

  it('receives the current calls, with their own reasoning if it still matches', async () => {
    const server = await startProvider('openai', STEPS);
    servers.push(server);
    const model = await modelAt({ provider: 'openai', name: 'gpt-5' }, server);
    const question = new HumanMessage('what is there');
    const answer = await (model.bindTools?.([ls]) ?? model).invoke([question]);
    if (!AIMessage.isInstance(answer)) throw new Error('no answer');
    const [first, second] = answer.tool_calls ?? [];
    if (first === undefined || second === undefined) throw new Error('no calls');
    const shortened = new AIMessage({
      content: answer.content,
      additional_kwargs: answer.additional_kwargs,
      response_metadata: answer.response_metadata,
      tool_calls: [{ ...first, args: { path: 'cut short' } }, second],
    });
    await model.invoke([question, shortened, ...resultsOf(shortened)]);
    const renamed = new AIMessage({
      content: answer.content,
      additional_kwargs: answer.additional_kwargs,
      response_metadata: answer.response_metadata,
      tool_calls: [{ ...first, id: 'call_of_ours' }, second],
    });
    await model.invoke([question, renamed, ...resultsOf(renamed)]);
    const [, cut = '', other = ''] = server.requests.map(({ body }) => JSON.stringify(body));
    expect([cut.includes('cut short'), cut.includes('encrypted_content":"')]).toEqual([true, true]);
    expect([other.includes('call_of_ours'), other.includes('encrypted_content":"')]).toEqual([true, false]);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
