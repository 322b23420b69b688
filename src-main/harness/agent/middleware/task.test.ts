import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent, toolStrategy } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { optional } from '../../../contract/shared/optional';
import { StateBackend } from '../../backends';
import { createDeepAgent } from '../create-deep-agent';
import { STOPPED_BY_PERSON } from '../stopped';
import { ScriptedModel, type ScriptedStep } from '../testing/scripted-model';
import { createFilesystemMiddleware } from './filesystem';
import { createTaskMiddleware, type Delegate } from './subagents';

const backend = new StateBackend();

/** Runs an agent that delegates tasks in parallel, and returns one result for each. */
async function resultsOf(delegate: Delegate, tasks: string[], before: BaseMessage[] = []) {
  const calls = tasks.map((description) => ({
    id: description,
    name: 'task',
    args: { description, subagent_type: delegate.name },
  }));
  const model = new ScriptedModel(
    (messages): ScriptedStep =>
      ToolMessage.isInstance(messages.at(-1)) ? { text: 'Done.' } : { text: 'I hand out.', calls },
  );
  const agent = createAgent({
    model,
    middleware: [createTaskMiddleware({ delegates: [delegate] }), createFilesystemMiddleware({ backend })],
  });
  const { messages } = await agent.invoke({ messages: [...before, new HumanMessage('go')] });
  return messages.filter(ToolMessage.isInstance).map((message) => message.text);
}

describe('a task', () => {
  it('starts a forked sub-agent without the calls in progress [H47]', async () => {
    const seen: string[][] = [];
    const delegate: Delegate = {
      name: 'fork',
      description: 'Goes on.',
      mode: 'fork',
      make: () => ({
        invoke: async ({ messages }) => {
          seen.push(messages.map((message) => `${message.type} ${message.text.split('\n\n').at(-1)}`));
          for (const message of messages)
            if (AIMessage.isInstance(message)) expect(message.tool_calls).toEqual([]);
          return { messages: [new AIMessage('Reported.')] };
        },
      }),
    };
    const before = [new HumanMessage('hello'), new AIMessage('Hello.')];
    expect(await resultsOf(delegate, ['one', 'two'], before)).toEqual(['Reported.', 'Reported.']);
    const shared = ['human hello', 'ai Hello.', 'human go'];
    expect(seen.toSorted()).toEqual([
      [...shared, 'human one'],
      [...shared, 'human two'],
    ]);
  });

  it.each([
    ['without', undefined],
    ['with', new MemorySaver()],
  ])('can be stopped %s a checkpointer, and its files stay', async (_, checkpointer) => {
    const stop = new AbortController();
    const worker = new ScriptedModel((_messages, request) => {
      if (request === 0) return { calls: [{ name: 'write_file', args: { file_path: '/a', content: '1' } }] };
      stop.abort();
      return { text: 'Too late.' };
    });
    const model = new ScriptedModel((_messages, request) =>
      request === 0
        ? { calls: [{ name: 'task', args: { description: 'Write.', subagent_type: 'writer' } }] }
        : { text: 'Done.' },
    );
    const agent = createDeepAgent({
      model,
      subagents: [{ name: 'writer', description: 'Writes.', systemPrompt: 'You write.', model: worker }],
      stopOf: () => stop.signal,
      ...optional({ checkpointer }),
    });
    const { messages, files } = await agent.invoke(
      { messages: [new HumanMessage('go')] },
      { configurable: { thread_id: 't' } },
    );
    expect(messages.filter(ToolMessage.isInstance).map(({ status, text }) => [status, text])).toEqual([
      ['error', STOPPED_BY_PERSON],
    ]);
    expect(Object.keys(files ?? {})).toEqual(['/a']);
  });

  it('returns the structured response as JSON, not the last message [H60]', async () => {
    const model = new ScriptedModel(() => ({
      text: 'Last words.',
      calls: [{ name: 'finding', args: { color: 'blue', certain: true } }],
    }));
    const schema = z.object({ color: z.string(), certain: z.boolean() }).meta({ title: 'finding' });
    const worker = createAgent({ model, responseFormat: toolStrategy(schema) });
    const delegate: Delegate = {
      name: 'finder',
      description: 'Finds.',
      make: () => ({ invoke: ({ messages }, config) => worker.invoke({ messages }, config) }),
    };
    expect(await resultsOf(delegate, ['find'])).toEqual(['{"color":"blue","certain":true}']);
  });
});

describe("a user's tool", () => {
  it('called delete is offered even if our tool of that name is hidden [H26]', async () => {
    const offered: string[] = [];
    const model = new (class extends ScriptedModel {
      override bindTools(...[tools]: Parameters<NonNullable<ScriptedModel['bindTools']>>): this {
        offered.push(...(tools as { name: string }[]).map(({ name }) => name));
        return this;
      }
    })(
      (messages): ScriptedStep =>
        ToolMessage.isInstance(messages.at(-1))
          ? { text: 'Done.' }
          : { calls: [{ name: 'delete', args: { row: 3 } }] },
    );
    const own = tool(async ({ row }: { row: number }) => `Row ${row} is gone.`, {
      name: 'delete',
      description: 'Deletes a row.',
      schema: z.object({ row: z.number() }),
    });
    const agent = createAgent({
      model,
      tools: [own],
      middleware: [createFilesystemMiddleware({ backend, tools: ['ls', 'read_file'] })],
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('go')] });
    expect(messages.find(ToolMessage.isInstance)?.text).toBe('Row 3 is gone.');
    expect([...new Set(offered)].toSorted()).toEqual(['delete', 'ls', 'read_file']);
  });
});
