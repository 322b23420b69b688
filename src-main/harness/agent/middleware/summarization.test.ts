import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver, REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import { createAgent, createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { StateBackend } from '../../backends/state';
import type { Compaction } from '../context/compaction';
import { tokensOfMessages } from '../context/tokens';
import { ScriptedModel, type ScriptedStep } from '../testing/scripted-model';
import { createFilesystemMiddleware } from './filesystem';
import { createSummarizationMiddleware, type SummarizationOptions } from './summarization';

const isSummarizing = (messages: BaseMessage[]) => messages[0]?.text.startsWith('You summarize') ?? false;

/** Prints this many words. */
const print = tool(async ({ words }: { words: number }) => 'word '.repeat(words), {
  name: 'print',
  description: 'prints',
  schema: z.object({ words: z.number() }),
});

interface State {
  messages: BaseMessage[];
  _compactions: Compaction[];
  files: Record<string, { content: string }>;
}

/** An agent with a small window. Its model answers from the script, and with `summary N` when asked to summarize. */
function agentOf(
  script: (messages: BaseMessage[], request: number) => ScriptedStep,
  options: Partial<SummarizationOptions> = {},
) {
  let summaries = 0;
  let requests = 0;
  const model = new ScriptedModel((messages) =>
    isSummarizing(messages) ? { text: `summary ${++summaries}` } : script(messages, requests++),
  );
  const backend = new StateBackend();
  const agent = createAgent({
    model,
    systemPrompt: 'You are an agent.',
    tools: [print],
    checkpointer: new MemorySaver(),
    middleware: [
      createSummarizationMiddleware({
        backend,
        model,
        trigger: { type: 'tokens', value: 2_000 },
        keep: { type: 'tokens', value: 600 },
        session: 'thread',
        ...options,
      }),
      createFilesystemMiddleware({ backend, tools: ['read_file', 'write_file'] }),
    ],
  });
  const config = { configurable: { thread_id: 'one' }, recursionLimit: 500 };
  return {
    model,
    sent: () => model.requests.filter((messages) => !isSummarizing(messages)),
    summarized: () => model.requests.filter(isSummarizing),
    say: async (text: string) => {
      const result = await agent.invoke({ messages: [new HumanMessage(text)] }, config);
      return result.messages.at(-1)?.text;
    },
    clear: () =>
      agent.graph.updateState(config, { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })] }),
    state: async () => (await agent.graph.getState(config)).values as State,
  };
}

const printing =
  (times: number, words = 400) =>
  (_: BaseMessage[], request: number) =>
    request < times ? { calls: [{ name: 'print', args: { words } }] } : { text: 'done' };

describe('summarization', () => {
  it('asks again for an empty summary, and then keeps the messages', async () => {
    const asked: number[] = [];
    const answers = ['', 'a summary', '', ''];
    const agent = agentOf(printing(8), {
      invoke: async () => {
        asked.push(1);
        return new AIMessage(answers[asked.length - 1] ?? '');
      },
    });
    await agent.say('first');
    const { _compactions: compactions, messages } = await agent.state();
    expect(asked.length).toBeGreaterThan(3);
    expect(compactions.map(({ summary }) => summary)).toEqual(['a summary']);
    const last = agent.sent().at(-1) ?? [];
    const printed = (sent: BaseMessage[]) => sent.filter((message) => ToolMessage.isInstance(message)).length;
    const kept = messages
      .slice(compactions[0]?.keptFrom)
      .filter((message) => ToolMessage.isInstance(message));
    expect(printed(last)).toBe(kept.length);
  });

  it('asks for none if the request stays word for word and nothing else would be replaced', async () => {
    const agent = agentOf(printing(2, 2), {
      trigger: { type: 'messages', value: 0 },
      keep: { type: 'messages', value: 2 },
    });
    await agent.say('word '.repeat(200));
    expect(agent.sent()).toHaveLength(3);
    expect(agent.summarized()).toHaveLength(0);
  });

  it('shows the model a summary and the last messages when the window fills up, and keeps all messages', async () => {
    const agent = agentOf(printing(6));
    expect(await agent.say('print a lot')).toBe('done');

    const { messages, _compactions: made } = await agent.state();
    expect(messages.filter(ToolMessage.isInstance)).toHaveLength(6);
    expect(made.length).toBeGreaterThan(0);
    const last = agent.sent().at(-1) ?? [];
    expect(last[1]?.text).toContain(`<summary>\nsummary ${made.length}\n</summary>`);
    expect(last[1]?.additional_kwargs).toEqual({ lc_source: 'summarization' });
    // The turn's request stays verbatim.
    expect(last[2]?.text).toBe('print a lot');
    for (const request of agent.sent()) expect(tokensOfMessages(request)).toBeLessThan(2_400);
  });

  it('saves compacted messages in files that are never rewritten and that the summary names', async () => {
    const agent = agentOf(printing(12));
    await agent.say('print a lot');
    const { files, _compactions: made } = await agent.state();
    expect(made.length).toBeGreaterThan(1);
    expect(Object.keys(files)).toEqual(
      made.map((_, index) => `/conversation_history/thread/000${index + 1}.md`),
    );
    const results = Object.values(files).reduce(
      (sum, file) => sum + file.content.split('### Result of print').length - 1,
      0,
    );
    expect(results).toBe(made.reduce((sum, one) => sum + one.messages, 0) >> 1);
    expect(agent.sent().at(-1)?.[1]?.text).toContain(made.at(-1)?.archive);
  });

  it('carries the last summary into the next one, and cuts where the last one ended [H41]', async () => {
    const agent = agentOf(printing(16));
    await agent.say('print a lot');
    const { _compactions: made, messages } = await agent.state();
    expect(made.length).toBeGreaterThan(2);
    const ends = made.map((one) => one.keptFrom);
    expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    expect(made.map((one) => one.messages)).toEqual(ends.map((end, at) => end - (ends[at - 1] ?? 0)));
    const [, second] = agent.summarized();
    expect(second?.at(-1)?.text).toContain('<summary_so_far>\nsummary 1\n</summary_so_far>');
    expect(messages).toHaveLength(16 * 2 + 2);
  });

  it('moves a cut in the middle of parallel results to before their call [H42]', async () => {
    const agent = agentOf((_, request) =>
      request < 4
        ? {
            calls: [1, 2, 3].map((n) => ({
              id: `call-${request}-${n}`,
              name: 'print',
              args: { words: 250 },
            })),
          }
        : { text: 'done' },
    );
    await agent.say('print a lot');
    for (const request of agent.sent()) {
      const called = new Set(
        request.flatMap((message) =>
          (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []).map((c) => c.id),
        ),
      );
      for (const message of request)
        if (ToolMessage.isInstance(message)) expect(called).toContain(message.tool_call_id);
    }
    expect((await agent.state())._compactions.length).toBeGreaterThan(0);
  });

  it('cuts long arguments of old writes before summarizing anything, and keeps ids and usage', async () => {
    const agent = agentOf((_, request) =>
      request === 0
        ? { calls: [{ name: 'write_file', args: { file_path: '/a.txt', content: 'long '.repeat(600) } }] }
        : printing(3)(_, request),
    );
    await agent.say('write');
    expect((await agent.state())._compactions).toEqual([]);
    const last = agent.sent().at(-1) ?? [];
    const write = last.find((message) => AIMessage.isInstance(message)) as AIMessage;
    expect(write.tool_calls?.[0]?.args).toEqual({
      file_path: '/a.txt',
      content: `${'long '.repeat(4)}...(argument truncated)`,
    });
    const { messages } = await agent.state();
    expect(write.id).toBe(messages.find((message) => AIMessage.isInstance(message))?.id);
  });

  it('uses the model of the request, and leaves out its reasoning [H43]', async () => {
    const asked: string[] = [];
    const other = new ScriptedModel((messages, request) => {
      if (!isSummarizing(messages)) return printing(6)(messages, request);
      asked.push(messages.at(-1)?.text ?? '');
      return { text: 'by the other model' };
    });
    const unused = new ScriptedModel(() => ({ text: 'never asked' }));
    const backend = new StateBackend();
    const agent = createAgent({
      model: unused,
      tools: [print],
      checkpointer: new MemorySaver(),
      middleware: [
        createMiddleware({
          name: 'other model',
          wrapModelCall: (request, handler) => handler({ ...request, model: other }),
        }),
        createSummarizationMiddleware({
          backend,
          model: unused,
          trigger: { type: 'tokens', value: 2_000 },
          keep: { type: 'tokens', value: 600 },
        }),
        createFilesystemMiddleware({ backend, tools: ['read_file'] }),
      ],
    });
    const thought = new AIMessage({
      content: [
        { type: 'thinking', thinking: 'a secret thought', signature: 's' },
        { type: 'text', text: 'said aloud' },
      ],
    });
    const config = { configurable: { thread_id: 'one' }, recursionLimit: 500 };
    await agent.invoke(
      { messages: [new HumanMessage('first'), thought, new HumanMessage('print a lot')] },
      config,
    );
    const { _compactions: made } = (await agent.graph.getState(config)).values as State;
    expect(made[0]?.summary).toBe('by the other model');
    expect(unused.requests).toEqual([]);
    expect([asked[0]?.includes('said aloud'), asked[0]?.includes('secret')]).toEqual([true, false]);
  });

  it('works without a path if the archive cannot be written [H44]', async () => {
    const broken = new StateBackend();
    broken.write = async () => ({ error: 'the disk is full', kind: 'no_space' as never });
    const agent = agentOf(printing(6), { backend: broken });
    await agent.say('print a lot');
    expect((await agent.state())._compactions[0]?.archive).toBeNull();
    expect(agent.sent().at(-1)?.[1]?.text).toMatch(/^Here is a summary of the conversation to date:/);
  });

  it('compacts and retries if the provider finds a request too long', async () => {
    const overflow = Object.assign(new Error('prompt is too long'), { name: 'ContextOverflowError' });
    let refused = 0;
    const agent = agentOf(
      (messages) => {
        if (tokensOfMessages(messages) > 900) {
          refused++;
          throw overflow;
        }
        return printing(3)(messages, agent.sent().length - refused - 1);
      },
      {
        trigger: { type: 'tokens', value: 100_000 },
        isContextOverflow: (error) => isOrCauses(error, overflow),
      },
    );
    expect(await agent.say('print a lot')).toBe('done');
    expect(refused).toBeGreaterThan(0);
    expect((await agent.state())._compactions[0]?.cause).toBe('overflow');
  });

  it('keeps less than usual if the provider finds even that too long', async () => {
    const overflow = Object.assign(new Error('prompt is too long'), { name: 'ContextOverflowError' });
    const small = { calls: [{ name: 'print', args: { words: 40 } }] };
    const agent = agentOf(
      (messages, request) => {
        if (tokensOfMessages(messages) > 450) throw overflow;
        return request < 12 ? small : { text: 'done' };
      },
      { trigger: { type: 'tokens', value: 100_000 } },
    );
    expect(await agent.say('print a little, often')).toBe('done');
    expect((await agent.state())._compactions[0]?.cause).toBe('overflow');
  });

  it('retries once if a request is too long but nothing can be left out', async () => {
    const overflow = Object.assign(new Error('prompt is too long'), { name: 'ContextOverflowError' });
    const refusing = (times: number) => {
      let refused = 0;
      return agentOf(() => {
        if (refused++ < times) throw overflow;
        return { text: 'done' };
      });
    };
    expect(await refusing(1).say('hello')).toBe('done');
    const agent = refusing(Number.POSITIVE_INFINITY);
    await expect(agent.say('hello')).rejects.toThrow('does not fit the model');
    expect(agent.sent()).toHaveLength(2);
  });

  it('rethrows unrelated errors [H45]', async () => {
    const agent = agentOf(() => {
      throw new Error('no such model');
    });
    await expect(agent.say('hello')).rejects.toThrow('no such model');
    expect(agent.sent()).toHaveLength(1);
  });

  it('cuts results if a single one does not fit the window', async () => {
    const agent = agentOf(printing(1, 10_000), {
      maxInputTokens: () => 8_000,
      trigger: { type: 'fraction', value: 0.85 },
    });
    expect(await agent.say('print a lot')).toBe('done');
    const last = agent.sent().at(-1) ?? [];
    expect(tokensOfMessages(last)).toBeLessThan(7_600);
    expect(last.at(-1)?.text).toContain('...(result truncated)');
  });

  it('keeps pinned messages verbatim, and shows everything again when a compaction is undone', async () => {
    const undone = new Set<string>();
    let pinned = new Set<string>();
    const agent = agentOf((_, request) => printing(8)(_, request % 9), {
      pinned: () => pinned,
      isUndone: (id) => undone.has(id),
    });
    await agent.say('use tabs, never spaces');
    const { messages } = await agent.state();
    pinned = new Set([messages[0]?.id ?? '']);
    await agent.say('print again');
    expect(
      agent
        .sent()
        .at(-1)
        ?.map((message) => message.text),
    ).toContain('use tabs, never spaces');

    const { _compactions: made } = await agent.state();
    undone.add(made.at(-1)?.id ?? '');
    await agent.say('and again');
    const after = (await agent.state())._compactions;
    expect(after.length).toBeGreaterThan(made.length);
    // The next one starts where the last valid one ended.
    expect(after[made.length]?.messages).toBe(
      (after[made.length]?.keptFrom ?? 0) - (made.at(-2)?.keptFrom ?? 0),
    );
  });

  it('shows what came after all messages were removed, without their summary', async () => {
    const agent = agentOf((_, request) => printing(8)(_, request % 9));
    await agent.say('print a lot');
    expect((await agent.state())._compactions).not.toEqual([]);
    await agent.clear();
    await agent.say('start anew');
    const sent = agent.sent().slice(9);
    expect(sent[0]?.map(({ text }) => text)).toEqual(['You are an agent.', 'start anew']);
    expect(sent[1]?.map(({ type }) => type)).toEqual(['system', 'human', 'ai', 'tool']);
  });

  it('lets the model compact once half of the space is used, and says if there is no need', async () => {
    const compact = { calls: [{ name: 'compact_conversation', args: {} }] };
    const agent = agentOf(
      (_, request) =>
        [compact, ...Array(3).fill({ calls: [{ name: 'print', args: { words: 250 } }] }), compact][
          request
        ] ?? { text: 'done' },
      {
        tool: true,
      },
    );
    await agent.say('tidy up');
    const { messages, _compactions: made } = await agent.state();
    const answers = messages.filter(
      (message) => ToolMessage.isInstance(message) && message.name === 'compact_conversation',
    );
    expect(answers.map((message) => message.text)).toEqual([
      'Nothing to compact yet — conversation is within the token budget.',
      `Conversation compacted. Summarized ${made[0]?.messages} messages into a concise summary.`,
    ]);
    expect(made.map((one) => one.cause)).toEqual(['agent']);
  });

  it("works piece by piece if the text does not fit the summarizing model's window", async () => {
    const agent = agentOf(printing(30, 300), {
      maxInputTokens: () => 3_000,
      trigger: { type: 'tokens', value: 8_000 },
    });
    await agent.say('print a lot').catch(() => undefined);
    for (const request of agent.summarized()) expect(tokensOfMessages(request)).toBeLessThan(3_000);
    expect(agent.summarized().length).toBeGreaterThan(1);
  });
});

function isOrCauses(error: unknown, wanted: Error): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at === wanted) return true;
  return false;
}
