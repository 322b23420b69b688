// Programs about state, skills, interrupts and streams, run on the published package and on ours.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type ToolRuntime, tool } from '@langchain/core/tools';
import {
  Command,
  InMemoryStore,
  interrupt,
  MemorySaver,
  ReducedValue,
  StateSchema,
} from '@langchain/langgraph';
import Database from 'better-sqlite3';
import * as published from 'deepagents';
import { type AgentMiddleware, createAgent, createMiddleware, toolStrategy } from 'langchain';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { SqliteSaver } from '../entries/sqlite';
import * as ours from '../index';
import { ScriptedModel, type ScriptedStep } from './testing/scripted-model';

type Library = typeof published;
const both: [string, Library][] = [
  ['the published package', published],
  ['ours', ours as unknown as Library],
];
const thread = { configurable: { thread_id: 't' } };
/** Types of the two packages differ in their parameters; these programs pass more than they infer. */
const given = (input: object) => input as never;
const go = given({ messages: [new HumanMessage('go')] });
const withFiles = (files: object, text = 'go') => given({ messages: [new HumanMessage(text)], files });
type State = Record<string, unknown> & { messages: BaseMessage[]; __interrupt__?: { id: string }[] };
const resultsIn = (state: unknown) =>
  (state as State).messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);

type Call = [name: string, args?: Record<string, unknown>];
const calling = (...calls: Call[]): ScriptedStep => ({
  calls: calls.map(([name, args = {}]) => ({ name, args })),
});
const task = (subagent_type: string): Call => ['task', { description: 'work', subagent_type }];
const isSummarizing = (messages: BaseMessage[]) => messages.some(({ text }) => text.startsWith('Summarize:'));
/** Answers with one step after another, then is done. Asked for a summary, it gives one. */
function steps(...list: ScriptedStep[]) {
  let next = 0;
  return new ScriptedModel((messages) =>
    isSummarizing(messages) ? { text: 'IN SHORT' } : (list[next++] ?? { text: 'Done.' }),
  );
}
const named = (name: string, run: (input: never, runtime: ToolRuntime) => Promise<unknown>) =>
  tool(run as () => Promise<string>, {
    name,
    description: name,
    schema: z.object({ to: z.string().optional() }),
  }) as never;
const helper = (model: ScriptedModel, more: object = {}) => ({
  name: 'helper',
  description: 'd',
  systemPrompt: 'p',
  model,
  ...more,
});
const file = (content: unknown, mimeType = 'text/plain') => ({
  content,
  mimeType,
  created_at: '2026-01-01T00:00:00.000Z',
  modified_at: '2026-01-01T00:00:00.000Z',
});
const skill = (name: string, description: string) =>
  file(`---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`, 'text/markdown');

describe.each(both)('summaries of %s', (_name, library) => {
  it.each(['tokens', 'fraction', 'messages'] as const)(
    'are made whenever they can be at 0 %s',
    async (type) => {
      const model = steps();
      Object.defineProperty(model, 'profile', { value: { maxInputTokens: 100_000 } });
      const summaries = library.createSummarizationMiddleware({
        backend: new library.StateBackend(),
        trigger: { type, value: 0 },
        keep: { type: 'messages', value: 2 },
        summaryPrompt: 'Summarize: {conversation}',
      });
      const agent = library.createDeepAgent({
        model,
        checkpointer: new MemorySaver(),
        middleware: [summaries] as AgentMiddleware[],
      });
      for (const turn of ['a', 'b', 'c'])
        await agent.invoke(given({ messages: [new HumanMessage(`${turn} ${'word '.repeat(100)}`)] }), thread);
      const asked = model.requests.filter((messages) => !isSummarizing(messages));
      expect(asked.map((messages) => messages.length)).toEqual([1, 3, 3]);
      for (const messages of asked.slice(1)) expect(messages[0]?.text).toContain('IN SHORT');
    },
  );
});

describe.each(both)('skills of %s', (_name, library) => {
  it('are listed by source, and one that replaces another takes its place', async () => {
    const model = steps();
    const sources = ['/base/', '/user/', '/one/solo/'];
    const state = await library.createDeepAgent({ model, skills: sources }).invoke(
      withFiles({
        '/base/b/SKILL.md': skill('b', 'base-b'),
        '/base/a/SKILL.md': skill('a', 'base-a'),
        '/base/c/SKILL.md': skill('c', 'base-c'),
        '/user/a/SKILL.md': skill('a', 'user-a'),
        '/user/z/SKILL.md': skill('z', 'user-z'),
        '/one/solo/SKILL.md': skill('solo', 'one-solo'),
      }),
    );
    const order = ['user-a', 'base-b', 'base-c', 'user-z', 'one-solo'];
    const { skillsMetadata } = state as unknown as { skillsMetadata: { description: string }[] };
    expect(skillsMetadata.map(({ description }) => description)).toEqual(order);
    expect(model.requests[0]?.[0]?.text.match(/(base|user|one)-\w+/g)).toEqual(order);
  });

  it('are listed again at once when a hook sets them to null', async () => {
    const content = '---\nname: fresh\ndescription: fresh-one\n---\nDo it.\n';
    const model = steps(calling(['write_file', { file_path: '/skills/fresh/SKILL.md', content }]));
    const again = createMiddleware({
      name: 'again',
      stateSchema: z.object({ skillsMetadata: z.any().optional() }),
      afterModel: () => ({ skillsMetadata: null }),
    });
    await library
      .createDeepAgent({ model, skills: ['/skills/'], middleware: [again] })
      .invoke(withFiles({ '/skills/old/SKILL.md': skill('old', 'old-one') }));
    const listed = model.requests.map(([prompt]) => prompt?.text.match(/(old|fresh)-one/g)?.sort());
    expect(listed).toEqual([['old-one'], ['fresh-one', 'old-one']]);
  });

  it('may be null, like the files of instructions', async () => {
    const options = { model: steps(), skills: null, memory: null, interruptOn: null };
    const { messages } = (await library.createDeepAgent(given(options)).invoke(go)) as unknown as State;
    expect(messages).toHaveLength(2);
  });
});

describe.each(both)('state of %s', (_name, library) => {
  it('has reducers and defaults, and what a sub-agent adds', async () => {
    const log = new ReducedValue(z.array(z.string()).default([]), {
      inputSchema: z.array(z.string()).optional(),
      reducer: (before, more) => [...before, ...(more ?? []).filter((one) => !before.includes(one))],
    });
    const logging = createMiddleware({ name: 'logging', stateSchema: new StateSchema({ log }) });
    const add = named('add', async ({ to }: { to: string }, { toolCallId }) => {
      const messages = [new ToolMessage({ content: 'added', tool_call_id: toolCallId })];
      return new Command({ update: { log: [to], messages } });
    });
    const state = await library
      .createDeepAgent({
        model: steps(calling(['add', { to: 'parent' }]), calling(task('helper'))),
        tools: [add],
        middleware: [logging] as AgentMiddleware[],
        stateSchema: z.object({ author: z.string().default('Me') }),
        subagents: [helper(steps(calling(['add', { to: 'child' }])), { middleware: [logging] })] as never,
      })
      .invoke(go);
    expect(state).toMatchObject({ log: ['parent', 'child'], author: 'Me' });
  });

  it('gives tools and middleware the context, also in sub-agents, and refuses a wrong one', async () => {
    const seen: unknown[] = [];
    const look = named('look', async (_input, runtime) => {
      seen.push(runtime.context);
      return 'seen';
    });
    const agent = library.createDeepAgent({
      model: steps(calling(task('helper'))),
      tools: [look],
      contextSchema: z.object({ user: z.string() }),
      subagents: [helper(steps(calling(['look'])))],
    });
    await agent.invoke(go, given({ context: { user: 'ann' } }));
    expect(seen).toEqual([{ user: 'ann' }]);
    await expect(agent.invoke(go, given({ context: { user: 3 } }))).rejects.toThrow();
  });

  it('has the answer in the format, and that of a sub-agent as its report', async () => {
    const format = toolStrategy({
      title: 'answer',
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    } as never);
    const state = await library
      .createDeepAgent({
        model: steps(calling(task('helper')), calling(['answer', { n: 5 }])),
        responseFormat: format as never,
        subagents: [helper(steps(calling(['answer', { n: 2 }])), { responseFormat: format })],
      })
      .invoke(go);
    expect(resultsIn(state)[0]).toBe('{"n":2}');
    expect(state).toMatchObject({ structuredResponse: { n: 5 } });
  });

  it('has the files of an agent within an agent, and of any runnable', async () => {
    const inner = library.createDeepAgent({
      model: steps(
        calling(task('general-purpose')),
        calling(['write_file', { file_path: '/inner', content: 'x' }]),
      ),
    });
    const plain = {
      invoke: async ({ messages, files }: { messages: BaseMessage[]; files: object }) => ({
        messages: [...messages, new AIMessage('Plain.')],
        files: { ...files, '/plain': file('x') },
      }),
    };
    const state = await library
      .createDeepAgent({
        model: steps(calling(task('inner')), calling(task('plain'))),
        subagents: given([
          { name: 'inner', description: 'd', runnable: inner },
          { name: 'plain', description: 'd', runnable: plain },
        ]),
      })
      .invoke(go);
    expect(resultsIn(state)).toEqual(['Done.', 'Plain.']);
    expect(Object.keys((state as unknown as { files: object }).files)).toEqual(['/inner', '/plain']);
  });

  it('takes messages in every form', async () => {
    const forms = ['hi', [['user', 'hi']], [{ role: 'user', content: 'hi' }], new HumanMessage('hi')];
    for (const messages of forms) {
      const state = await library.createDeepAgent({ model: steps() }).invoke(given({ messages }));
      expect((state as unknown as State).messages.map(({ text }) => text)).toEqual(['hi', 'Done.']);
    }
  });

  it('of a thread that the published package began goes on, with its skills and instructions', async () => {
    const checkpointer = new MemorySaver();
    const base = { checkpointer, skills: ['/skills/'], memory: ['/AGENTS.md'] };
    const writes = calling(['write_file', { file_path: '/f', content: 'F' }]);
    await published
      .createDeepAgent({ ...base, model: steps(writes) })
      .invoke(
        withFiles({ '/skills/old/SKILL.md': skill('old', 'old-one'), '/AGENTS.md': file('Softly.') }),
        thread,
      );
    const model = steps(calling(['read_file', { file_path: '/f' }]));
    await library.createDeepAgent({ ...base, model }).invoke(given({ messages: 'more' }), thread);
    const [prompt, ...messages] = model.requests[0] ?? [];
    expect(prompt?.text).toContain('old-one');
    expect(prompt?.text).toContain('Softly.');
    expect(messages.map((message) => message.getType())).toEqual(['human', 'ai', 'tool', 'ai', 'human']);
  });

  it('in a store is separate for each user, as the namespace says', async () => {
    const store = new InMemoryStore();
    const notes = new library.StoreBackend({
      namespace: ({ config }: { config?: { configurable?: { user?: string } } }) => [
        'notes',
        config?.configurable?.user ?? '',
      ],
    } as never);
    const agent = library.createDeepAgent({
      model: new ScriptedModel((messages) =>
        messages.some((message) => ToolMessage.isInstance(message))
          ? { text: 'Done.' }
          : calling(['write_file', { file_path: '/notes/a', content: messages[0]?.text ?? '' }]),
      ),
      backend: new library.CompositeBackend(new library.StateBackend(), { '/notes/': notes }) as never,
      store,
    });
    for (const user of ['ann', 'ben'])
      await agent.invoke(given({ messages: `of ${user}` }), given({ configurable: { user } }));
    const saved = await store.search([]);
    expect(saved.map(({ namespace, key, value }) => [...namespace, key, value.content])).toEqual([
      ['notes', 'ann', '/a', 'of ann'],
      ['notes', 'ben', '/a', 'of ben'],
    ]);
  });
});

describe.each(both)('interrupts of %s', (_name, library) => {
  const send = named('send', async ({ to }: { to: string }) => `sent to ${to}`);

  it('in a sub-agent are resumed with an edit by another process, from SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'same-sqlite-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const open = (...script: ScriptedStep[]) => {
      const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
      const database = new Database(join(folder, 'a.sqlite'), nativeBinding ? { nativeBinding } : {});
      const worker = new ScriptedModel((messages) =>
        messages.some((message) => ToolMessage.isInstance(message))
          ? { text: `It was ${messages.at(-1)?.text}.` }
          : calling(['send', { to: 'a' }]),
      );
      const agent = library.createDeepAgent({
        model: steps(...script),
        tools: [send],
        checkpointer: new SqliteSaver(database),
        interruptOn: { send: true },
        subagents: [helper(worker)],
      });
      return { agent, close: () => database.close() };
    };
    const before = open(calling(['write_file', { file_path: '/f', content: 'F' }]), calling(task('helper')));
    const asked = (await before.agent.invoke(go, thread)) as unknown as State;
    expect(asked.__interrupt__).toHaveLength(1);
    before.close();
    const after = open();
    const editedAction = { name: 'send', args: { to: 'b' } };
    const resume = { decisions: [{ type: 'edit', editedAction }] };
    const state = await after.agent.invoke(new Command({ resume }) as never, thread);
    after.close();
    expect(resultsIn(state).at(-1)).toBe('It was sent to b.');
    expect(Object.keys((state as unknown as { files: object }).files)).toEqual(['/f']);
  });

  it('of a sub-agent follow its own settings', async () => {
    for (const [own, count] of [
      [{ send: false }, 0],
      [{}, 0],
      [undefined, 1],
    ] as const) {
      const worker = helper(steps(calling(['send', { to: 'a' }])), own && { interruptOn: own });
      const agent = library.createDeepAgent({
        model: steps(calling(task('helper'))),
        tools: [send],
        checkpointer: new MemorySaver(),
        interruptOn: { send: true },
        subagents: [worker],
      });
      const { __interrupt__: asked = [] } = (await agent.invoke(go, thread)) as unknown as State;
      expect(asked, JSON.stringify(own)).toHaveLength(count);
    }
  });

  it('of tools in several sub-agents are answered by their ids', async () => {
    const ask = named('ask', async () => `got ${interrupt('which?')}`);
    const worker = () =>
      new ScriptedModel((messages) => {
        const result = messages.find((message) => ToolMessage.isInstance(message));
        return result ? { text: result.text } : calling(['ask']);
      });
    const agent = library.createDeepAgent({
      model: steps(calling(task('helper'), task('other'))),
      tools: [ask],
      checkpointer: new MemorySaver(),
      subagents: [helper(worker()), { ...helper(worker()), name: 'other' }],
    });
    const { __interrupt__: asked = [] } = (await agent.invoke(go, thread)) as unknown as State;
    const resume = Object.fromEntries(asked.map(({ id }, index) => [id, index + 1]));
    expect(resultsIn(await agent.invoke(new Command({ resume }) as never, thread))).toEqual([
      'got 1',
      'got 2',
    ]);
  });
});

describe.each(both)('hooks and streams of %s', (_name, library) => {
  it('let a hook end the run, and a tool call be answered or changed', async () => {
    const guard = createMiddleware({
      name: 'guard',
      beforeModel: {
        canJumpTo: ['end'],
        hook: ({ messages }) =>
          messages.length > 2 ? { jumpTo: 'end', messages: [new AIMessage('Enough.')] } : undefined,
      },
      wrapToolCall: (request, handler) => {
        const { id, name, args } = request.toolCall;
        return name === 'ls'
          ? new ToolMessage({ content: 'cached', tool_call_id: id ?? '' })
          : handler({ ...request, toolCall: { ...request.toolCall, args: { ...args, content: 'changed' } } });
      },
    });
    const model = steps(calling(['ls'], ['write_file', { file_path: '/a', content: 'x' }]));
    const state = await library.createDeepAgent({ model, middleware: [guard] }).invoke(go);
    expect(resultsIn(state)).toEqual(['cached', "Successfully wrote to '/a'"]);
    expect((state as unknown as State).messages.at(-1)?.text).toBe('Enough.');
    expect(state).toMatchObject({ files: { '/a': { content: 'changed' } } });
  });

  const streaming = () => {
    const worker = named('worker', async (_input, runtime) => {
      runtime.writer?.('half done');
      return 'worked';
    });
    return library.createDeepAgent({
      model: steps(calling(task('helper'))),
      subagents: [helper(steps(calling(['worker'])), { tools: [worker] })],
    });
  };

  it('stream updates and what tools report, with the place of a sub-agent', async () => {
    const options = given({ streamMode: ['updates', 'custom'], subgraphs: true });
    const seen: string[] = [];
    for await (const chunk of await streaming().stream(go, options)) {
      const [place, mode, data] = chunk as unknown as [string[], string, unknown];
      const what = mode === 'custom' ? String(data) : Object.keys(data as object).join();
      if (!what.includes('before_agent')) seen.push(`${place.map((at) => at.split(':')[0]).join()} ${what}`);
    }
    expect(seen).toEqual([
      ' model_request',
      'tools model_request',
      'tools half done',
      'tools tools',
      'tools model_request',
      ' tools',
      ' model_request',
    ]);
  });

  it('stream sub-agents and calls as events of version 3', async () => {
    const agent = streaming() as unknown as {
      streamEvents(
        input: never,
        options: object,
      ): Promise<{
        subagents: AsyncIterable<{ name: string; output: Promise<State> }>;
        toolCalls: AsyncIterable<{ name: string; status: Promise<string> }>;
        output: Promise<State>;
      }>;
    };
    const run = await agent.streamEvents(go, { version: 'v3' });
    const seen: string[] = [];
    await Promise.all([
      (async () => {
        for await (const { name, output } of run.subagents)
          seen.push(`${name}: ${(await output).messages.at(-1)?.text}`);
      })(),
      (async () => {
        for await (const { name, status } of run.toolCalls) seen.push(`${name}: ${await status}`);
      })(),
    ]);
    expect(seen.sort()).toEqual(['helper: Done.', 'task: finished']);
    expect((await run.output).messages.at(-1)?.text).toBe('Done.');
  });

  it('work as a part of another agent, as a tool', async () => {
    const inner = library.createDeepAgent({ model: steps(calling(['ls'])) });
    const outer = createAgent({
      model: steps(calling(['ask'])),
      tools: [
        named('ask', async () => {
          const { messages } = (await inner.invoke(go)) as unknown as State;
          return `inner said ${messages.at(-1)?.text}`;
        }),
      ],
    });
    expect(resultsIn(await outer.invoke(go))).toEqual(['inner said Done.']);
  });
});
