// Options as programs for the published package pass them.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import * as published from 'deepagents';
import { createAgent, toolStrategy } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigurationError } from '../../../base/configuration-error';
import { StateBackend } from '../../backends/state';
import { computeSummarizationDefaults } from '../context/summarization-defaults';
import { ScriptedModel } from '../testing/scripted-model';
import { createFilesystemMiddleware } from './filesystem';
import { createMemoryMiddleware } from './memory';
import { createSubAgentMiddleware } from './sub-agent-specs';
import { SUBAGENT_RESPONSE_FORMAT_CONFIG_KEY } from './subagents';
import { createSummarizationMiddleware } from './summarization';

const ours = {
  computeSummarizationDefaults,
  createFilesystemMiddleware,
  createMemoryMiddleware,
  createSubAgentMiddleware,
  createSummarizationMiddleware,
  SUBAGENT_RESPONSE_FORMAT_CONFIG_KEY,
} as unknown as typeof published;

const asked = { messages: [new HumanMessage('go')] };
const fileAt = (path: string, content: string) => ({
  files: { [path]: { content, mimeType: 'text/plain', created_at: '', modified_at: '' } },
});

const toolsOf = (middleware: { tools?: readonly unknown[] }) =>
  (middleware.tools ?? []).map((tool) => (tool as { name: string }).name).sort();

describe.each([
  ['the published package', published],
  ['ours', ours],
])('middleware of %s', (_name, library) => {
  it('does not need options for files, and accepts null for defaults', () => {
    for (const options of [undefined, {}, { tools: 'all' as const }, { tools: null }])
      expect(toolsOf(library.createFilesystemMiddleware(options))).toEqual(
        expect.arrayContaining(['ls', 'read_file', 'write_file', 'edit_file', 'glob', 'grep']),
      );
    expect(() => library.createFilesystemMiddleware({ customToolDescriptions: null })).not.toThrow();
  });

  it('finds every match if grep has no limit', async () => {
    const text = Array.from({ length: 1_500 }, (_, line) => `needle ${line}`).join('\n');
    const agent = createAgent({
      model: new ScriptedModel((_messages, request) =>
        request === 0
          ? { calls: [{ name: 'grep', args: { pattern: 'needle', output_mode: 'count' } }] }
          : { text: 'Done.' },
      ),
      middleware: [library.createFilesystemMiddleware({ grepMaxCount: null })],
    });
    const { messages } = await agent.invoke({ ...asked, ...fileAt('/a.txt', text) } as never);
    expect(messages.find((message) => ToolMessage.isInstance(message))?.text).toContain('1500');
  });

  it('adds the system prompt of the sub-agent middleware', async () => {
    const model = new ScriptedModel(() => ({ text: 'Done.' }));
    const agent = createAgent({
      model,
      systemPrompt: 'You lead.',
      middleware: [
        library.createSubAgentMiddleware({ defaultModel: model, systemPrompt: 'Hand out what you can.' }),
      ],
    });
    await agent.invoke({ messages: [new HumanMessage('go')] });
    const [system] = model.requests[0] ?? [];
    expect(system?.text).toContain('You lead.');
    expect(system?.text).toContain('Hand out what you can.');
  });
});

describe.each([
  ['the published package', published],
  ['ours', ours],
])('summaries of %s', (_name, library) => {
  /** A thread of that many exchanges, each with a call that writes a long file. */
  const thread = (exchanges: number) =>
    Array.from({ length: exchanges }, (_, n) => [
      new HumanMessage(`question ${n}`),
      new AIMessage({
        content: '',
        tool_calls: [
          { id: `w${n}`, name: 'write_file', args: { file_path: `/${n}`, content: 'x'.repeat(300) } },
        ],
      }),
      new ToolMessage({ content: 'written', tool_call_id: `w${n}` }),
      new AIMessage(`answer ${n}`),
    ]).flat();

  async function requestsWith(
    options: Partial<Parameters<typeof published.createSummarizationMiddleware>[0]>,
    messages: BaseMessage[],
  ): Promise<BaseMessage[][]> {
    const model = new ScriptedModel((request) =>
      request.some((message) => message.text.includes('Sum up')) ? { text: 'A summary.' } : { text: 'Done.' },
    );
    const summarization = library.createSummarizationMiddleware({
      backend: new StateBackend(),
      ...options,
    } as never);
    const agent = createAgent({
      model,
      middleware: [library.createFilesystemMiddleware(), summarization],
    });
    await agent.invoke({ messages: [...messages, new HumanMessage('go')] });
    return model.requests;
  }

  const argumentsIn = (messages: BaseMessage[] = []) =>
    messages.flatMap((message) =>
      AIMessage.isInstance(message)
        ? (message.tool_calls ?? []).map((call) => String(call.args.content))
        : [],
    );

  it('cut old arguments as truncateArgsSettings say', async () => {
    const trigger = { type: 'messages', value: 8 } as const;
    const keep = { type: 'messages', value: 5 } as const;
    const cut = { trigger, keep, maxLength: 100, truncationText: '[cut]' };
    const [shown] = await requestsWith({ truncateArgsSettings: cut }, thread(3));
    const whole = 'x'.repeat(300);
    expect(argumentsIn(shown)).toEqual([`${'x'.repeat(20)}[cut]`, `${'x'.repeat(20)}[cut]`, whole]);
    const [few] = await requestsWith({ truncateArgsSettings: cut }, thread(1));
    expect(argumentsIn(few)).toEqual([whole]);
    const [never] = await requestsWith({ truncateArgsSettings: { maxLength: 100 } }, thread(3));
    expect(argumentsIn(never)).toEqual([whole, whole, whole]);
  });

  it('are made of the newest messages alone, by a prompt that has the conversation in it', async () => {
    const messages = thread(12).filter((message) => !ToolMessage.isInstance(message) && message.text !== '');
    const requests = await requestsWith(
      {
        trigger: { type: 'messages', value: 6 },
        keep: { type: 'messages', value: 1 },
        trimTokensToSummarize: 30,
        summaryPrompt: 'Sum up: {conversation}',
      },
      messages,
    );
    const asked = requests.find((request) => request.some(({ text }) => text.startsWith('Sum up:')));
    expect(asked).toHaveLength(1);
    expect(asked?.[0]?.text).toContain('answer 11');
    expect(asked?.[0]?.text).not.toContain('question 0');
    expect(asked?.[0]?.text).not.toContain('{conversation}');
  });

  it('have the same defaults', () => {
    const known = Object.defineProperty(new ScriptedModel(() => ({})), 'profile', {
      value: { maxInputTokens: 1_000 },
    });
    for (const model of [known, new ScriptedModel(() => ({}))])
      expect(library.computeSummarizationDefaults(model)).toEqual(
        published.computeSummarizationDefaults(model),
      );
  });
});

describe.each([
  ['the published package', published],
  ['ours', ours],
])('a sub-agent of %s', (_name, library) => {
  const asksFor = (type: string) =>
    new ScriptedModel((messages) => {
      const work = messages.findLast((message) => HumanMessage.isInstance(message))?.text;
      if (work === 'where') return { calls: [{ name: format[0]?.name ?? '', args: { city: 'Paris' } }] };
      return messages.some((message) => ToolMessage.isInstance(message))
        ? { text: 'Done.' }
        : { calls: [{ name: 'task', args: { description: 'where', subagent_type: type } }] };
    });
  const format = toolStrategy(z.object({ city: z.string() }));
  const configurable = { [library.SUBAGENT_RESPONSE_FORMAT_CONFIG_KEY]: format };

  it('answers in the format that the configuration names', async () => {
    const model = asksFor('general-purpose');
    const agent = createAgent({
      model,
      middleware: [library.createSubAgentMiddleware({ defaultModel: model, defaultTools: [] })],
    });
    const { messages } = await agent.invoke(asked, { configurable });
    expect(messages.find((message) => ToolMessage.isInstance(message))?.text).toBe('{"city":"Paris"}');
  });

  it('that is a runnable cannot be given another format', async () => {
    const model = asksFor('ready');
    const runnable = createAgent({ model });
    const ready = { name: 'ready', description: 'd', runnable };
    const agent = createAgent({
      model,
      middleware: [library.createSubAgentMiddleware({ defaultModel: model, subagents: [ready] })],
    });
    const { messages } = await agent.invoke(asked, { configurable });
    const answer = messages.find((message) => ToolMessage.isInstance(message));
    expect(answer).toMatchObject({ status: 'error', text: expect.stringMatching(/runnable|compiled/) });
  });
});

/** Reports an Anthropic model; only those know cache marks. */
class AnthropicLike extends ScriptedModel {
  override _llmType(): string {
    return 'anthropic';
  }
}

describe('instructions', () => {
  it.each([
    [AnthropicLike, true, { cache_control: { type: 'ephemeral' } }],
    [AnthropicLike, false, {}],
    [ScriptedModel, true, {}],
  ])("are marked for Anthropic's cache only, on request", async (Model, addCacheControl, mark) => {
    const model = new Model(() => ({ text: 'Done.' }));
    const agent = createAgent({
      model,
      middleware: [
        createFilesystemMiddleware(),
        createMemoryMiddleware({ backend: new StateBackend(), sources: ['/AGENTS.md'], addCacheControl }),
      ],
    });
    await agent.invoke({ ...asked, ...fileAt('/AGENTS.md', 'Be brief.') } as never);
    const content = model.requests[0]?.[0]?.content;
    const last = Array.isArray(content) ? content.at(-1) : undefined;
    expect(last).toEqual({ type: 'text', text: expect.stringContaining('Be brief.'), ...mark });
  });
});

describe('an unsupported option or value', () => {
  it('is refused on creation', () => {
    const backend = new StateBackend();
    const model = new ScriptedModel(() => ({ text: '' }));
    const refused = [
      () => createSummarizationMiddleware({ backend, trimTokens: 1 } as never),
      () => createFilesystemMiddleware({ grepMaxcount: 1 } as never),
      () => createMemoryMiddleware({ backend, sources: [], source: '/a' } as never),
      () => createSubAgentMiddleware({ defaultModel: model, subAgents: [] } as never),
    ];
    for (const make of refused) expect(make).toThrow(/does not have the option \w+\. It has: /);
    expect(() => createSummarizationMiddleware({ backend, trimTokens: undefined } as never)).not.toThrow();
    const mode = 'forked' as never;
    const spec = { name: 'a', description: 'b', systemPrompt: 'c', mode };
    expect(() => createSubAgentMiddleware({ defaultModel: model, subagents: [spec] })).toThrow(
      'unknown mode forked',
    );
  });

  it.each([
    ['trigger', { tokens: 4_000 }],
    [
      'trigger',
      [
        { type: 'tokens', value: 10 },
        { type: 'token', value: 10 },
      ],
    ],
    ['trigger', { type: 'messages', value: -1 }],
    ['trigger', { type: 'fraction', value: 85 }],
    ['keep', { type: 'messages', value: Number.NaN }],
    ['truncateArgsSettings', { trigger: { messages: 20 } }],
  ])('has a size that is one: %s %j', (option, value) => {
    const make = () =>
      createSummarizationMiddleware({ backend: new StateBackend(), [option]: value } as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`${option} is {`);
  });
});
