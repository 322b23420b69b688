import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { createAgent, providerStrategy } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Script } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { createDeepAgent } from '../harness';
import { BUILT_IN_TOOLS } from '../harness/agent/built-in-tools';
import { createFilesystemMiddleware } from '../harness/agent/middleware/filesystem';
import { createPatchToolCallsMiddleware } from '../harness/agent/middleware/patch-tool-calls';
import { createSummarizationMiddleware } from '../harness/agent/middleware/summarization';
import { memoryBackend } from '../harness/agent/testing/memory-backend';
import type { AgentObserver } from '../host/turns/agent-observer';
import { createModelObserverMiddleware } from '../host/turns/middleware/observe-model';
import { isIncomplete } from './incomplete';
import { ModelCalls } from './model-call';
import { modelAt, startProvider, WIRES } from './testing/provider-servers';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const Report = z.object({
  title: z.string().describe('A few words.'),
  files: z.array(z.object({ path: z.string(), lines: z.number() })),
});
const REPORT = { title: 'Größen', files: [{ path: '/a.txt', lines: 3 }] };

const ls = tool(() => '/a.txt', {
  name: 'ls',
  description: 'Lists a folder.',
  schema: z.object({ path: z.string() }),
});

const OWN_TOOLS = new Set(['ls', 'read_file', 'compact_conversation']);

/** Uses a tool first, then answers through the tool for structured output, or in JSON if there is none. */
const script: Script = ({ tools, lastToolResults }) => {
  if (lastToolResults.length === 0 && tools.some(({ name }) => name === 'ls')) {
    return { calls: [{ name: 'ls', args: { path: '/' } }] };
  }
  const form = tools.find(({ name }) => !OWN_TOOLS.has(name));
  return form === undefined
    ? { text: JSON.stringify(REPORT) }
    : { calls: [{ name: form.name, args: REPORT }] };
};

describe.each(
  [...WIRES, { provider: 'anthropic', name: 'claude-sonnet-4-6' } as const].map(
    (ref) => [`${ref.provider}:${ref.name}`, ref] as const,
  ),
)('%s', (model, ref) => {
  it('answers in the requested format after its tools', async () => {
    const server = await startProvider(ref.provider, script);
    servers.push(server);
    const agent = createAgent({ model: await modelAt(ref, server), tools: [ls], responseFormat: Report });
    const { structuredResponse, messages } = await agent.invoke({
      messages: [{ role: 'user', content: 'report' }],
    });
    expect(structuredResponse).toEqual(REPORT);
    expect(
      messages.some((message) => AIMessage.isInstance(message) && message.tool_calls?.[0]?.name === 'ls'),
    ).toBe(true);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('receives the schema itself if it supports that', async () => {
    const server = await startProvider(ref.provider, () => ({ text: JSON.stringify(REPORT) }));
    servers.push(server);
    const agent = createAgent({
      model: await modelAt(ref, server),
      tools: [],
      responseFormat: providerStrategy(Report),
    });
    const { structuredResponse } = await agent.invoke({ messages: [{ role: 'user', content: 'report' }] });
    expect(structuredResponse).toEqual(REPORT);
    expect(JSON.stringify(server.requests[0]?.body)).toMatch(/"properties":\{"title".*"files"/u);
  });

  it("also works inside the harness's middleware, and reports its cost", async () => {
    const server = await startProvider(ref.provider, script);
    servers.push(server);
    const told: string[] = [];
    const nothing = () => {};
    const observer: AgentObserver = {
      modelStarted: () => void told.push('asked'),
      modelDelta: nothing,
      modelEnded: (_, message) =>
        void told.push(message.tool_calls?.[0]?.name === 'ls' ? 'looks' : 'answers'),
      modelFailed: () => void told.push('failed'),
      approvalRequested: nothing,
      toolStarted: nothing,
      toolEnded: nothing,
      todosChanged: nothing,
    };
    const backend = memoryBackend(new Map([['/a.txt', 'one']]), async () => ({
      output: '',
      exitCode: 0,
      truncated: false,
    }));
    const calls = new ModelCalls({ threadId: 't', first: { model, price: null } });
    const agent = createAgent({
      model: await modelAt(ref, server),
      responseFormat: Report,
      middleware: [
        createModelObserverMiddleware({
          agent: null,
          observer,
          isIncomplete: (message) => isIncomplete(message, ref.provider),
        }),
        createSummarizationMiddleware({ backend, tool: true }),
        createFilesystemMiddleware({ backend, tools: ['ls', 'read_file'] }),
        createPatchToolCallsMiddleware({}),
        calls.middleware({
          onSpent: ({ usage }) => void told.push((usage?.output ?? 0) > 0 ? 'counted' : 'not counted'),
        }),
      ],
    });
    const { structuredResponse } = await agent.invoke({ messages: [{ role: 'user', content: 'report' }] });
    expect(structuredResponse).toEqual(REPORT);
    expect(told).toEqual(['asked', 'counted', 'looks', 'asked', 'counted', 'answers']);
  });

  it('is the answer of createDeepAgent and the report of a sub-agent', async () => {
    const server = await startProvider(ref.provider, ({ tools, lastToolResults, lastUserText }) => {
      const own = new Set([...BUILT_IN_TOOLS.map(({ name }) => name)]);
      const form = tools.find(({ name }) => !own.has(name));
      const isAbove = tools.some(({ name }) => name === 'task');
      if (isAbove && lastToolResults.length === 0 && lastUserText === 'report')
        return { calls: [{ name: 'task', args: { description: 'count', subagent_type: 'counter' } }] };
      return form === undefined
        ? { text: JSON.stringify(REPORT) }
        : { calls: [{ name: form.name, args: REPORT }] };
    });
    servers.push(server);
    const counter = {
      name: 'counter',
      description: 'Counts.',
      systemPrompt: 'You count.',
      responseFormat: Report,
    };
    const agent = createDeepAgent({
      model: await modelAt(ref, server),
      subagents: [counter],
      responseFormat: Report,
    });
    const result = await agent.invoke({ messages: [{ role: 'user', content: 'report' }] });
    const { structuredResponse, messages } = result as {
      structuredResponse?: unknown;
      messages: BaseMessage[];
    };
    expect(structuredResponse).toEqual(REPORT);
    const report = messages.find((message) => ToolMessage.isInstance(message) && message.name === 'task');
    expect(JSON.parse(report?.text ?? '')).toEqual(REPORT);
    expect(server.requests.every(({ status }) => status === 200)).toBe(true);
  });
});
