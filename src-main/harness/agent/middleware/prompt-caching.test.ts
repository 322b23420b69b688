// Runs the same program on the published package and on ours.
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import * as published from 'deepagents';
import { initChatModel } from 'langchain';
import { describe, expect, it } from 'vitest';
import * as ours from '../../index';
import { ScriptedModel } from '../testing/scripted-model';

type Library = typeof published;

interface Sent {
  /** Stands for a mark at the end of the conversation. */
  cache_control?: object;
  system?: string | { text: string; cache_control?: object }[];
  messages: { content: string | { type: string; cache_control?: object }[] }[];
}

const anthropic = (sent: Sent[]) => new ChatAnthropic({ model: 'claude-sonnet-4-6', ...offline(sent) });
/** What LangChain makes of the name of a model. */
const named = (sent: Sent[]) => initChatModel('anthropic:claude-sonnet-4-6', offline(sent));

/** Anthropic's model without a network. It writes a file, then is done. */
function offline(sent: Sent[]): { apiKey: string; clientOptions: object } {
  const answer = (content: object[], stop: string) =>
    new Response(
      JSON.stringify({
        id: `msg_${sent.length}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-6',
        content,
        stop_reason: stop,
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
      { headers: { 'content-type': 'application/json' } },
    );
  return {
    apiKey: 'test',
    clientOptions: {
      fetch: async (_url: unknown, init?: { body?: unknown }) => {
        sent.push(JSON.parse(String(init?.body)) as Sent);
        const input = { file_path: '/a.txt', content: 'x' };
        return sent.length === 1
          ? answer([{ type: 'tool_use', id: 'call', name: 'write_file', input }], 'tool_use')
          : answer([{ type: 'text', text: 'Done.' }], 'end_turn');
      },
    },
  };
}

const marksOf = (value: unknown): number =>
  [...JSON.stringify(value ?? null).matchAll(/"cache_control":\{/g)].length;
const fileAt = (path: string, content: string) => ({
  [path]: { content, mimeType: 'text/plain', created_at: '', modified_at: '' },
});
const go = { messages: [new HumanMessage('go')], files: fileAt('/AGENTS.md', 'Be brief.') };

describe.each([
  ['the published package', published],
  ['ours', ours as unknown as Library],
])('requests to Anthropic, of %s', (_name, library) => {
  it.each([
    [{}, anthropic],
    [{ memory: ['/AGENTS.md'] }, anthropic],
    [{}, named],
  ])(
    'are marked at the end of the prompt and of the conversation, with %j and %o',
    async (options, modelFor) => {
      const sent: Sent[] = [];
      const agent = library.createDeepAgent({
        model: await modelFor(sent),
        systemPrompt: 'You write.',
        ...options,
      });
      await agent.invoke(go as never);
      expect(sent).toHaveLength(2);
      for (const request of sent) {
        const { system, cache_control } = request;
        expect(marksOf(Array.isArray(system) ? system.at(-1) : undefined)).toBe(1);
        expect(cache_control).toMatchObject({ type: 'ephemeral' });
        expect(marksOf(request)).toBeLessThanOrEqual(4);
      }
    },
  );
});

describe.each([
  ['the published package', published],
  ['ours', ours as unknown as Library],
])('requests to Bedrock, of %s', (_name, library) => {
  it.each(['bedrock', 'aws', 'ollama'])('are marked if the provider of the name is %s', async (provider) => {
    const settings: unknown[] = [];
    class Named extends ScriptedModel {
      readonly _defaultConfig = { model: 'us.anthropic.claude-sonnet-4-6', modelProvider: provider };
      override getName() {
        return 'ConfigurableModel';
      }
      override bindTools(_tools: readonly unknown[], given?: object): this {
        settings.push(given);
        return this;
      }
    }
    const model = new Named(() => ({ text: 'Done.' }));
    await library.createDeepAgent({ model }).invoke(go as never);
    expect(marksOf(settings)).toBe(provider === 'ollama' ? 0 : 1);
  });
});

describe('requests', () => {
  it('never have more marks than Anthropic accepts', async () => {
    const sent: Sent[] = [];
    const marked = ['a', 'b', 'c'].map((text) => ({
      type: 'text' as const,
      text,
      cache_control: { type: 'ephemeral' },
    }));
    const systemPrompt = new SystemMessage({ content: [...marked, { type: 'text', text: 'd' }] });
    await ours.createDeepAgent({ model: anthropic(sent), systemPrompt }).invoke(go as never);
    expect(sent.map(marksOf)).toEqual([4, 4]);
  });

  it('are not marked on request, and of sub-agents are', async () => {
    const plain: Sent[] = [];
    const model = anthropic(plain);
    await ours.createDeepAgent({ model, promptCaching: false }).invoke(go as never);
    expect(plain.map(marksOf)).toEqual([0, 0]);

    const lead = new ScriptedModel((_messages, request) =>
      request === 0
        ? { calls: [{ name: 'task', args: { description: 'write', subagent_type: 'writer' } }] }
        : { text: 'Done.' },
    );
    const sent: Sent[] = [];
    const writer = { name: 'writer', description: 'd', systemPrompt: 'You write.', model: anthropic(sent) };
    await ours.createDeepAgent({ model: lead, subagents: [writer] }).invoke(go as never);
    expect(sent.map(marksOf)).toEqual([2, 2]);
  });

  it('to other models stay as they are', async () => {
    const model = new ScriptedModel(() => ({ text: 'Done.' }));
    await ours.createDeepAgent({ model, systemPrompt: 'You write.' }).invoke(go as never);
    expect(marksOf(model.requests)).toBe(0);
  });
});
