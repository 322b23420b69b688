// Programs about summaries, skills and state, run on the published package and on ours.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, InMemoryStore, MemorySaver, ReducedValue, StateSchema } from '@langchain/langgraph';
import * as published from 'deepagents';
import { type AgentMiddleware, createMiddleware, toolStrategy } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  both,
  calling,
  file,
  given,
  go,
  helper,
  isSummarizing,
  named,
  resultsIn,
  type State,
  steps,
  task,
  thread,
  withFiles,
} from './testing/published';
import { ScriptedModel } from './testing/scripted-model';

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

  it('may name a script for an interpreter, below their folders', async () => {
    const scripts = ['./index.ts', 'lib/a.mjs', '../out.ts', '/abs.ts', 'types.d.ts', 'readme.md', 7];
    const files = scripts.map((script, at) => [
      `/skills/s${at}/SKILL.md`,
      file(`---\nname: s${at}\ndescription: d\nmodule: ${script}\n---\nDo it.\n`, 'text/markdown'),
    ]);
    const model = steps();
    const state = await library
      .createDeepAgent({ model, skills: ['/skills/'] })
      .invoke(withFiles(Object.fromEntries(files)));
    const { skillsMetadata } = state as unknown as { skillsMetadata: { module?: string }[] };
    expect(skillsMetadata.flatMap(({ module }) => module ?? [])).toEqual(['index.ts', 'lib/a.mjs']);
    expect(model.requests[0]?.[0]?.text.match(/"@\/skills\/s\d"/g)).toEqual([
      '"@/skills/s0"',
      '"@/skills/s1"',
    ]);
  });

  it('are listed again immediately when a hook sets them to null', async () => {
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

  it('of a thread that the published package started continues, with its skills and instructions', async () => {
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
