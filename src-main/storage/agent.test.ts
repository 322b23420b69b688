import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { Command, interrupt } from '@langchain/langgraph';
import {
  type BaseCheckpointSaver,
  emptyCheckpoint,
  MemorySaver,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import { createAgent, tool } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { optional } from '../contract/shared/optional';
import { SqliteSaver } from '../harness/storage/sqlite/checkpointer/checkpointer';
import { temporaryDatabase } from './testing/fixtures';

type Call = { id: string; name: string; args: Record<string, unknown> };

/** A model with scripted answers, chosen by the number of answers in the conversation. */
class Scripted extends BaseChatModel {
  constructor(private readonly script: (turn: number) => Call[]) {
    super({});
  }
  override _llmType() {
    return 'scripted';
  }
  override bindTools() {
    return this;
  }
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const turn = messages.filter((one) => one.type === 'ai').length;
    const message = new AIMessage({
      id: `ai-${turn}`,
      content: `turn ${turn}`,
      tool_calls: this.script(turn),
    });
    return { generations: [{ text: `turn ${turn}`, message }] };
  }
}

const write = tool(({ path, text }) => `Wrote ${text.length} to ${path}`, {
  name: 'write',
  schema: z.object({ path: z.string(), text: z.string() }),
});
const ask = tool(({ question }) => `The person said ${String(interrupt({ question }))}`, {
  name: 'ask',
  schema: z.object({ question: z.string() }),
});

const config = { configurable: { thread_id: 't' }, recursionLimit: 2_000 };
const agent = (checkpointer: BaseCheckpointSaver, script: (turn: number) => Call[]) =>
  createAgent({ model: new Scripted(script), tools: [write, ask], checkpointer });

/** Removes the ids that the graph generates. */
const told = (messages: BaseMessage[]) =>
  messages.map((one) => [one.type, one.content, one instanceof AIMessage ? one.tool_calls : null]);

describe('createAgent on SqliteSaver', { timeout: 60_000 }, () => {
  const script = (turn: number): Call[] =>
    [
      [
        { id: 'w1', name: 'write', args: { path: '/a', text: 'a'.repeat(3_000) } },
        { id: 'q1', name: 'ask', args: { question: 'one?' } },
        { id: 'q2', name: 'ask', args: { question: 'two?' } },
      ],
      [{ id: 'w2', name: 'write', args: { path: '/b', text: 'b' } }],
    ][turn] ?? [];

  it('pauses at two questions, continues after each answer and ends as on MemorySaver, each time from the file alone', async () => {
    const play = async (saver: () => BaseCheckpointSaver) => {
      const seen: unknown[] = [];
      const look = async () => {
        const state = await agent(saver(), script).graph.getState(config);
        const waiting = state.tasks.flatMap((task) => task.interrupts.map((one) => one.value));
        seen.push([told(state.values.messages), state.next, waiting]);
        return state.tasks.flatMap((task) => task.interrupts);
      };
      await agent(saver(), script).invoke(
        { messages: [new HumanMessage({ id: 'h', content: 'go' })] },
        config,
      );
      const [first, second] = await look();
      await agent(saver(), script).invoke(new Command({ resume: { [first?.id ?? '']: 'yes' } }), config);
      await look();
      await agent(saver(), script).invoke(new Command({ resume: { [second?.id ?? '']: 'no' } }), config);
      await look();
      await agent(saver(), script).invoke(
        { messages: [new HumanMessage({ id: 'h2', content: 'more' })] },
        config,
      );
      await look();
      return seen;
    };
    const memory = new MemorySaver();
    const db = temporaryDatabase();
    const inMemory = await play(() => memory);
    expect(inMemory[0]).toEqual([
      expect.anything(),
      ['tools', 'tools'],
      [{ question: 'one?' }, { question: 'two?' }],
    ]);
    expect(await play(() => new SqliteSaver(db))).toEqual(inMemory);
  });

  it('stores only what a step added, although each tool call carries the whole state', async () => {
    const db = temporaryDatabase();
    const saver = new SqliteSaver(db);
    const steps = 100;
    const text = (turn: number) =>
      Array.from({ length: 1_000 }, (_, index) =>
        Math.sin(turn * 7_919 + index)
          .toString(36)
          .slice(-10),
      ).join('');
    const script = (turn: number): Call[] =>
      turn < steps ? [{ id: `w${turn}`, name: 'write', args: { path: `/${turn}`, text: text(turn) } }] : [];
    await agent(saver, script).invoke({ messages: [new HumanMessage('go')] }, config);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const bytes = Number(db.pragma('page_count', { simple: true })) * 4_096;
    expect(bytes / (steps * 10_000)).toBeLessThan(1.9);
  });

  it('stores only what the start of a turn added, although the input carries the whole state', async () => {
    const db = temporaryDatabase();
    const saver = new SqliteSaver(db);
    const turns = 60;
    let files: Record<string, { content: string }> = {};
    let parent: string | undefined;
    const sizes: number[] = [];
    for (let turn = 1; turn <= turns; turn++) {
      files = { ...files, [`/notes/${turn}.md`]: { content: `${turn} ${'x'.repeat(700)}` } };
      const id = uuid6(turn);
      await saver.put(
        {
          configurable: { thread_id: 't', ...optional({ checkpoint_id: parent }) },
        },
        {
          ...emptyCheckpoint(),
          id,
          channel_values: { __start__: { messages: [new HumanMessage(`turn ${turn}`)], files } },
          channel_versions: { __start__: turn },
        },
        { source: 'input', step: turn, parents: {} },
        { __start__: turn },
      );
      parent = id;
      const { bytes } = db
        .prepare<[], { bytes: number }>('SELECT sum(length(text)) AS bytes FROM pieces')
        .get() ?? {
        bytes: 0,
      };
      sizes.push(bytes);
    }
    const [middle = 0, last = 0] = [sizes[turns / 2 - 1], sizes[turns - 1]];
    expect((last - middle) / middle).toBeLessThan(1.6);
    const tuple = await saver.getTuple({ configurable: { thread_id: 't' } });
    expect(tuple?.checkpoint.channel_values.__start__).toMatchObject({ files });
  });
});
