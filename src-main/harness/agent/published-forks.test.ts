// Programs with forks and other sub-agents, run on the published package and on ours.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type ToolRuntime, tool } from '@langchain/core/tools';
import * as published from 'deepagents';
import { type AgentMiddleware, createAgent, createMiddleware, todoListMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as ours from '../index';
import { ScriptedModel, type ScriptedStep } from './testing/scripted-model';

type Library = typeof published;
const both: [string, Library][] = [
  ['the published package', published],
  ['ours', ours as unknown as Library],
];
const go = { messages: [new HumanMessage('go')] };
const resultsIn = (state: unknown) =>
  (state as { messages: BaseMessage[] }).messages.filter((message) => ToolMessage.isInstance(message));
const isSummarizing = (messages: BaseMessage[]) => messages.some(({ text }) => text.startsWith('Summarize:'));
const called = (name: string, args: Record<string, unknown> = {}): ScriptedStep => ({
  calls: [{ name, args }],
});
const task = (subagent_type: string) => called('task', { description: 'work', subagent_type });
/** Answers with one step after another, then is done. Asked for a summary, it gives one. */
function steps(...list: ScriptedStep[]) {
  let next = 0;
  return new ScriptedModel((messages) =>
    isSummarizing(messages) ? { text: 'IN SHORT' } : (list[next++] ?? { text: 'Done.' }),
  );
}
const fork = (model: ScriptedModel, more: object = {}) => ({
  name: 'fork',
  description: 'goes on',
  systemPrompt: 'Go on.',
  mode: 'fork' as const,
  model,
  ...more,
});

describe.each(both)('a fork of %s', (_name, library) => {
  const summarizing = () =>
    library.createSummarizationMiddleware({
      backend: new library.StateBackend(),
      trigger: { type: 'messages', value: 8 },
      keep: { type: 'messages', value: 2 },
      summaryPrompt: 'Summarize: {conversation}',
    });
  const long = Array.from({ length: 8 }, (_, turn) => [
    new HumanMessage(`question ${turn} ${'word '.repeat(200)}`),
    new AIMessage(`answer ${turn} ${'word '.repeat(200)}`),
  ]).flat();

  it('starts from the summary that its parent has, and makes no second one', async () => {
    const worker = steps();
    const model = steps(task('fork'));
    await library
      .createDeepAgent({
        model,
        middleware: [summarizing()],
        subagents: [fork(worker, { middleware: [summarizing()] })],
      })
      .invoke({ messages: [...long, ...go.messages] });
    const [seen = []] = worker.requests;
    expect(worker.requests.filter(isSummarizing)).toHaveLength(0);
    expect(seen.map(({ text }) => text).join('\n')).toContain('IN SHORT');
    expect(seen.map(({ text }) => text).join('\n')).not.toContain('question 2');
    expect(seen.at(-1)?.text).toContain('work');
  });

  it('that is an agent of its own starts from the summary, too', async () => {
    const worker = steps();
    const runnable = createAgent({ model: worker });
    await library
      .createDeepAgent({
        model: steps(task('fork')),
        middleware: [summarizing()],
        subagents: [{ name: 'fork', description: 'goes on', mode: 'fork', runnable }] as never,
      })
      .invoke({ messages: [...long, ...go.messages] } as never);
    const [seen = []] = worker.requests;
    expect(seen.map(({ text }) => text).join('\n')).toContain('IN SHORT');
    expect(seen.length).toBeLessThan(6);
  });

  it('of an agent made by hand starts from the summary, too', async () => {
    const worker = steps();
    const agent = createAgent({
      model: steps(task('fork')),
      middleware: [
        summarizing(),
        library.createSubAgentMiddleware({
          defaultModel: worker,
          subagents: [fork(worker)],
          generalPurposeAgent: false,
        }),
      ] as AgentMiddleware[],
    });
    await agent.invoke({ messages: [...long, ...go.messages] } as never);
    const [seen = []] = worker.requests;
    expect(seen.map(({ text }) => text).join('\n')).toContain('IN SHORT');
    expect(seen.length).toBeLessThan(6);
  });

  it('has the to-do list and the other state of its parent, which keeps its own list', async () => {
    const states: Record<string, unknown>[] = [];
    const look = tool(
      async (_input: object, runtime: ToolRuntime) => {
        states.push({ ...(runtime.state as object) });
        return 'seen';
      },
      { name: 'look', description: 'd', schema: z.object({}) },
    );
    const mine = createMiddleware({ name: 'mine', stateSchema: z.object({ mine: z.string().optional() }) });
    const plan = (content: string) => called('write_todos', { todos: [{ content, status: 'pending' }] });
    const state = await library
      .createDeepAgent({
        model: steps(plan('first'), task('fork')),
        tools: [look as never],
        middleware: [mine, todoListMiddleware()] as never,
        memory: ['/AGENTS.md'],
        subagents: [fork(steps(called('look'), plan('second'), called('look')))],
      })
      .invoke({ ...go, mine: 'x', files: { '/AGENTS.md': FILE } } as never);
    const list = (content: string) => [{ content, status: 'pending' }];
    expect(states.map(({ todos }) => todos)).toEqual([list('first'), list('second')]);
    for (const seen of states)
      expect(seen).toMatchObject({ mine: 'x', memoryContents: { '/AGENTS.md': 'Softly.' } });
    expect(state).toMatchObject({ todos: list('first') });
  });

  it('is told what it is and that it cannot hand its task on, which is refused', async () => {
    const worker = steps(task('fork'), task('general-purpose'));
    const tools: unknown[] = [];
    const look = createMiddleware({
      name: 'look',
      wrapModelCall: (request, handler) => {
        tools.push(request.tools.find(({ name }) => name === 'task')?.description);
        return handler(request);
      },
    });
    await library
      .createDeepAgent({
        model: steps(task('fork')),
        middleware: [look],
        subagents: [fork(worker), { ...fork(worker), name: 'alone', mode: 'isolated' as const }],
      })
      .invoke(go);
    expect(worker.requests[0]?.at(-1)?.text).toMatch(/sub-?agent[\s\S]*\n\n(.*\n\n)?work$/i);
    const refusals = worker.requests.at(-1)?.filter((message) => ToolMessage.isInstance(message)) ?? [];
    expect(refusals).toHaveLength(2);
    for (const { text } of refusals) expect(text).toMatch(/sub-?agent.*yourself/i);
    // The same tools as its parent, so that the provider's cache holds.
    expect(new Set(tools).size).toBe(1);
    const lines = String(tools[0]).split('\n');
    expect(lines.find((line) => line.includes('- fork: goes on'))).toMatch(/conversation/);
    expect(lines.find((line) => line.includes('- alone: goes on'))).toMatch(/goes on$/);
  });
});

const FILE = {
  content: 'Softly.',
  mimeType: 'text/markdown',
  created_at: '2026-01-01T00:00:00.000Z',
  modified_at: '2026-01-01T00:00:00.000Z',
};

describe.each(both)('the names of sub-agents of %s', (_name, library) => {
  const agentOf = (model: ScriptedModel, ...names: string[]) =>
    library.createDeepAgent({
      model,
      subagents: names.map((name) => ({ name, description: `does ${name}`, systemPrompt: `I am ${name}.` })),
    });

  it('may include general-purpose, which then is the only one of that name', async () => {
    const prompts: (string | undefined)[] = [];
    const model = new ScriptedModel((messages) => {
      prompts.push(messages.find(({ type }) => type === 'system')?.text);
      return messages.some((message) => ToolMessage.isInstance(message)) || prompts.length === 2
        ? { text: 'Done.' }
        : task('general-purpose');
    });
    const state = await agentOf(model, 'other', 'general-purpose').invoke(go);
    expect(prompts).toEqual([undefined, 'I am general-purpose.', undefined]);
    expect(resultsIn(state).map(({ text }) => text)).toEqual(['Done.']);
  });

  it.each([
    ['two of one name', ['same', 'same']],
    ['two general-purpose ones', ['general-purpose', 'general-purpose']],
  ])('must differ: %s', (_which, names) => {
    expect(() => agentOf(steps(), ...names)).toThrow(`Duplicate subagent name '${names[0]}'`);
  });

  it('must not repeat the default one in middleware made by hand', () => {
    const subagents = [{ name: 'general-purpose', description: 'd', systemPrompt: 'p' }];
    const make = (generalPurposeAgent: boolean) => () =>
      library.createSubAgentMiddleware({ defaultModel: steps(), subagents, generalPurposeAgent });
    expect(make(false)).not.toThrow();
  });
});
