// Options as programs for the published package pass them.
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import * as published from 'deepagents';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import { StateBackend } from '../../backends/state';
import { ScriptedModel } from '../testing/scripted-model';
import { createFilesystemMiddleware } from './filesystem';
import { createMemoryMiddleware } from './memory';
import { createSubAgentMiddleware } from './sub-agent-specs';
import { createSummarizationMiddleware } from './summarization';

const ours = {
  createFilesystemMiddleware,
  createMemoryMiddleware,
  createSubAgentMiddleware,
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
  it('needs no options for files, and accepts null for defaults', () => {
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

describe('an unsupported option', () => {
  it('is refused on creation', () => {
    const backend = new StateBackend();
    const model = new ScriptedModel(() => ({ text: '' }));
    const refused = [
      () => createSummarizationMiddleware({ backend, trimTokensToSummarize: 1 } as never),
      () => createSummarizationMiddleware({ backend, truncateArgsSettings: {} } as never),
      () => createFilesystemMiddleware({ grepMaxcount: 1 } as never),
      () => createMemoryMiddleware({ backend, sources: [], source: '/a' } as never),
      () => createSubAgentMiddleware({ defaultModel: model, subAgents: [] } as never),
    ];
    for (const make of refused) expect(make).toThrow(/does not have the option \w+\. It has: /);
    expect(() =>
      createSummarizationMiddleware({ backend, trimTokensToSummarize: undefined } as never),
    ).not.toThrow();
    const mode = 'forked' as never;
    const spec = { name: 'a', description: 'b', systemPrompt: 'c', mode };
    expect(() => createSubAgentMiddleware({ defaultModel: model, subagents: [spec] })).toThrow(
      'unknown mode forked',
    );
  });
});
