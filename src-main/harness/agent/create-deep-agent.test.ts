import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, InMemoryStore, MemorySaver } from '@langchain/langgraph';
import { createAgent, createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CompositeBackend, StateBackend, StoreBackend } from '../backends';
import { expectedWarnings } from '../backends/testing/expected-warnings';
import {
  ConfigurationError,
  createDeepAgent,
  createFilesystemMiddleware,
  createSubAgentMiddleware,
  createSummarizationMiddleware,
  type SubAgent,
  type SubAgentMiddlewareOptions,
} from '../index';
import { ScriptedModel, type ScriptedStep } from './testing/scripted-model';

const search = tool(async ({ query }: { query: string }) => `results for ${query}`, {
  name: 'internet_search',
  description: 'Run a web search',
  schema: z.object({ query: z.string() }),
});

/** A model with a script for each agent, selected by the agent's first human message and run in order. */
const scripted = (steps: Record<string, ScriptedStep[]>) =>
  new ScriptedModel((messages) => {
    const work = messages.findLast((m) => HumanMessage.isInstance(m))?.text ?? '';
    const at = messages.findLastIndex((m) => HumanMessage.isInstance(m));
    return (
      steps[work]?.[messages.slice(at).filter((m) => AIMessage.isInstance(m)).length] ?? {
        text: `${work} done`,
      }
    );
  });

const go = (text = 'go') => ({ messages: [{ role: 'user' as const, content: text }] });
const promptOf = (messages: BaseMessage[]) => messages.find((m) => SystemMessage.isInstance(m))?.text;
const results = (messages: BaseMessage[]) =>
  messages.filter((m) => ToolMessage.isInstance(m)).map((m) => `${m.name}: ${m.text}`);
const thread = { configurable: { thread_id: 't' } };
const task = (description: string, type: string) => ({
  id: `task-${description}`,
  name: 'task',
  args: { description, subagent_type: type },
});

describe('createDeepAgent with code written for the published package', () => {
  it('needs only a model, and sends no prompt unless one is given', async () => {
    const model = scripted({});
    const agent = createDeepAgent({ model });
    const result = await agent.invoke(go('Research LangGraph and write a summary in summary.md'));
    expect(result.messages.at(-1)?.text).toMatch(/done$/);
    expect(promptOf(model.requests[0] ?? [])).toBeUndefined();
    expect(() => createDeepAgent()).not.toThrow();
  });

  it('offers custom tools next to the built-in ones, and keeps files in the state', async () => {
    const model = scripted({
      go: [
        { calls: [{ name: 'internet_search', args: { query: 'x' } }] },
        { calls: [{ name: 'write_file', args: { file_path: '/summary.md', content: 'Hi.' } }] },
      ],
    });
    const agent = createDeepAgent({ model, tools: [search], systemPrompt: 'You are a research assistant.' });
    const result = await agent.invoke(go());
    expect(results(result.messages)[0]).toBe('internet_search: results for x');
    expect((result as { files?: Record<string, { content: unknown }> }).files?.['/summary.md']?.content).toBe(
      'Hi.',
    );
    expect(promptOf(model.requests[0] ?? [])).toBe('You are a research assistant.');
  });

  it('joins the parts of a prompt, and keeps the blocks of messages', async () => {
    const model = scripted({});
    const blocks = new SystemMessage({ content: [{ type: 'text', text: 'Base.' }] });
    await createDeepAgent({ model, systemPrompt: { prefix: 'Before.', base: blocks, suffix: null } }).invoke(
      go(),
    );
    expect(promptOf(model.requests[0] ?? [])).toBe('Before.\n\nBase.');
    await createDeepAgent({ model, systemPrompt: { prefix: 'A', base: 'B', suffix: 'C' } }).invoke(go());
    expect(promptOf(model.requests[1] ?? [])).toBe('A\n\nB\n\nC');
  });

  it('refuses tools with the names of built-in ones, and keeps a custom tool if the built-in one is hidden [H26]', async () => {
    const own = tool(async () => 'mine', { name: 'delete', description: 'mine', schema: z.object({}) });
    const make = (...middleware: ReturnType<typeof createFilesystemMiddleware>[]) =>
      createDeepAgent({
        model: scripted({ go: [{ calls: [{ name: 'delete', args: {} }] }] }),
        tools: [own],
        middleware,
      });
    const error = (() => {
      try {
        make();
      } catch (thrown) {
        return thrown;
      }
      return undefined;
    })();
    expect(ConfigurationError.isInstance(error) && error.code).toBe('TOOL_NAME_COLLISION');
    const hidden = createFilesystemMiddleware({ backend: new StateBackend(), tools: ['read_file', 'ls'] });
    const result = await make(hidden).invoke(go());
    expect(results(result.messages)).toEqual(['delete: mine']);
  });

  it('puts custom middleware last, or in the place of a built-in one of the same name', async () => {
    const seen: string[] = [];
    const note = (name: string) =>
      createMiddleware({
        name,
        wrapModelCall: (request, handler) => {
          seen.push(name);
          return handler(request);
        },
      });
    const backend = new StateBackend();
    const summaries = createSummarizationMiddleware({ backend, trigger: { type: 'messages', value: 999 } });
    await createDeepAgent({
      model: scripted({}),
      middleware: [note('last'), { ...note('FilesystemMiddleware') }, summaries],
    }).invoke(go());
    expect(seen).toEqual(['FilesystemMiddleware', 'last']);
  });

  it('gives the general-purpose sub-agent replaced built-in middleware, but no other custom middleware', async () => {
    const write = { name: 'write_file', args: { file_path: '/a', content: 'x' } };
    const seen: string[] = [];
    const own = createMiddleware({
      name: 'own',
      wrapModelCall: (request, handler) => {
        seen.push(request.messages.find((m) => HumanMessage.isInstance(m))?.text ?? '');
        return handler(request);
      },
    });
    const run = async (...middleware: ReturnType<typeof createFilesystemMiddleware>[]) => {
      const model = scripted({
        go: [{ calls: [task('dig', 'general-purpose')] }],
        dig: [{ calls: [write] }],
      });
      const agent = createDeepAgent({ model, middleware: [own, ...middleware] });
      return Object.keys(((await agent.invoke(go())) as { files?: object }).files ?? {});
    };
    expect(await run()).toEqual(['/a']);
    const reading = createFilesystemMiddleware({ backend: new StateBackend(), tools: ['read_file'] });
    expect(await run(reading)).toEqual([]);
    expect(seen).not.toContain('dig');
  });

  it('puts middleware around all built-in ones, and around each run of a sub-agent', async () => {
    const seen: string[] = [];
    const note = (name: string, at: string) =>
      createMiddleware({
        name,
        wrapModelCall: (request, handler) => {
          seen.push(`${at} ${name}`);
          return handler(request);
        },
      });
    const model = scripted({
      go: [{ calls: [task('one', 'general-purpose'), task('two', 'general-purpose')] }],
    });
    const agents: string[] = [];
    await createDeepAgent({
      model,
      middleware: [note('own', 'main')],
      middlewareFor: (agent) => {
        const at = agent?.callId ?? 'main';
        agents.push(at);
        return {
          outer: [note('outer', at)],
          inner: [note('inner', at), note('MemoryMiddleware', at), note('FilesystemMiddleware', at)],
        };
      },
    }).invoke(go());
    expect(agents.toSorted()).toEqual(['main', 'task-one', 'task-two']);
    const order = ['outer', 'MemoryMiddleware', 'FilesystemMiddleware', 'inner'];
    expect(seen.filter((one) => one.startsWith('task-one'))).toEqual(order.map((one) => `task-one ${one}`));
    expect(seen.slice(0, 5)).toEqual([...order, 'own'].map((one) => `main ${one}`));
  });

  it('folds hooks into the model step on request, and refuses hooks that jump', async () => {
    const hooked = createMiddleware({ name: 'hooked', beforeModel: () => undefined });
    const stepsOf = async (foldHooks: boolean) => {
      const steps: string[] = [];
      const agent = createDeepAgent({ model: scripted({}), middleware: [hooked], foldHooks });
      for await (const update of await agent.stream(go(), { streamMode: 'updates' }))
        steps.push(...Object.keys(update as object));
      return steps;
    };
    expect(await stepsOf(true)).toEqual(['model_request']);
    expect(await stepsOf(false)).toContain('hooked.before_model');
    const jumping = createMiddleware({
      name: 'jumping',
      beforeModel: { canJumpTo: ['end'], hook: () => undefined },
    });
    const make = () => createDeepAgent({ model: scripted({}), middleware: [jumping], foldHooks: true });
    expect(make).toThrow('jumping jumps');
  });

  it('accepts a backend factory, routes, a store, permissions and custom state', async () => {
    expectedWarnings();
    const store = new InMemoryStore();
    const model = scripted({
      go: [
        {
          calls: [
            { name: 'write_file', args: { file_path: '/memories/a.md', content: 'kept' } },
            { name: 'read_file', args: { file_path: '/secrets/k' } },
          ],
        },
      ],
    });
    const agent = createDeepAgent({
      model,
      backend: () =>
        new CompositeBackend(new StateBackend(), {
          '/memories/': new StoreBackend({ namespace: ['me'] }),
        }),
      store,
      permissions: [{ operations: ['read'], paths: ['/secrets/**'], mode: 'deny' }],
      stateSchema: z.object({ author: z.string().default('unknown') }),
      contextSchema: z.object({ user: z.string() }),
    });
    const result = await agent.invoke(
      { ...go(), author: 'Me' },
      { context: { user: 'u' }, configurable: {} },
    );
    expect((result as { author?: string }).author).toBe('Me');
    expect(results(result.messages)[1]).toContain('permission denied for read on /secrets/k');
    expect((await store.get(['me'], '/a.md'))?.value.content).toBe('kept');
  });

  it('reads instructions and skills from files passed with the message', async () => {
    const model = scripted({});
    const file = (content: string[]) => ({ content, created_at: '', modified_at: '' });
    const agent = createDeepAgent({ model, skills: ['/skills/'], memory: ['/AGENTS.md', '/none.md'] });
    await agent.invoke({
      ...go(),
      files: {
        '/AGENTS.md': file(['Use tabs.']),
        '/skills/tidy/SKILL.md': file(['---', 'name: tidy', 'description: Tidies.', '---', '# Tidy']),
      },
    } as ReturnType<typeof go>);
    const prompt = promptOf(model.requests[0] ?? []) ?? '';
    expect(prompt).toContain('- tidy: Tidies.');
    expect(prompt.endsWith('/AGENTS.md\nUse tabs.\n</agent_memory>')).toBe(true);
  });

  it('streams sub-agent updates under their namespace', async () => {
    const model = scripted({ go: [{ calls: [task('dig', 'general-purpose')] }] });
    const spaces = new Set<string>();
    for await (const [namespace] of await createDeepAgent({ model }).stream(go(), {
      streamMode: 'updates',
      subgraphs: true,
    }))
      spaces.add((namespace as string[])[0]?.split(':')[0] ?? 'root');
    expect([...spaces].sort()).toEqual(['root', 'tools']);
  });

  it('answers in the requested format', async () => {
    const Answer = z.object({ city: z.string() });
    const agent = createDeepAgent({ model: new Answering({ city: 'Rome' }), responseFormat: Answer });
    const result = await agent.invoke(go());
    expect((result as { structuredResponse?: unknown }).structuredResponse).toEqual({ city: 'Rome' });
  });
});

describe('sub-agents of the published package', () => {
  const researcher: SubAgent = {
    name: 'research-agent',
    description: 'Used to research in depth.',
    systemPrompt: 'You are a great researcher.',
    tools: [search],
  };

  it('have their own prompt, tools and model, or are compiled agents; an unknown name gets an error result', async () => {
    const other = scripted({ deep: [{ calls: [{ name: 'internet_search', args: { query: 'q' } }] }] });
    const compiled = createAgent({ model: scripted({}), systemPrompt: 'Compiled.' });
    const model = scripted({
      go: [{ calls: [task('deep', 'research-agent'), task('plain', 'compiled'), task('x', 'nobody')] }],
    });
    const agent = createDeepAgent({
      model,
      subagents: [
        { ...researcher, model: other },
        { name: 'compiled', description: 'A graph.', runnable: compiled },
      ],
    });
    const { messages } = await agent.invoke(go());
    expect(results(messages)).toEqual([
      'task: deep done',
      'task: plain done',
      'task: Error: there is no sub-agent of type nobody; the types are general-purpose, research-agent, compiled.',
    ]);
    expect(promptOf(other.requests[0] ?? [])).toBe('You are a great researcher.');
    expect(results(other.requests[1] ?? [])).toEqual(['internet_search: results for q']);
  });

  it('report their structured response as JSON, whatever their last message says [H60]', async () => {
    const Answer = z.object({ findings: z.string() });
    const worker = new Answering({ findings: 'two' });
    const agent = createDeepAgent({
      model: scripted({ go: [{ calls: [task('look', 'analyzer')] }] }),
      subagents: [{ name: 'analyzer', description: 'Analyzes.', model: worker, responseFormat: Answer }],
    });
    expect(results((await agent.invoke(go())).messages)).toEqual(['task: {"findings":"two"}']);
  });

  it('continue the conversation in a fork, without the calls in progress [H47]', async () => {
    const worker = scripted({});
    const agent = createDeepAgent({
      model: scripted({ go: [{ calls: [task('one', 'fork'), task('two', 'fork')] }] }),
      systemPrompt: 'Parent.',
      subagents: [
        { name: 'fork', description: 'Forks.', mode: 'fork', systemPrompt: 'Fork.', model: worker },
      ],
    });
    await agent.invoke(go());
    // Its task comes after what tells it that it is the sub-agent.
    const seen = worker.requests.map((messages) =>
      messages.map((m) => `${m.type}: ${m.text.replace(/^\[You are now the sub-agent fork\..*\]\n\n/, '')}`),
    );
    expect(seen).toContainEqual(['system: Parent.\n\nFork.', 'human: go', 'human: one']);
    expect(seen).toContainEqual(['system: Parent.\n\nFork.', 'human: go', 'human: two']);
  });

  it('work in agents assembled by hand, through their own middleware', async () => {
    const model = scripted({ go: [{ calls: [task('deep', 'research-agent')] }] });
    const agent = createAgent({
      model,
      middleware: [
        createSubAgentMiddleware({
          defaultModel: scripted({}),
          defaultTools: [search],
          subagents: [researcher],
          generalPurposeAgent: false,
        }),
      ],
    });
    const { messages } = await agent.invoke(go());
    expect(results(messages)).toEqual(['task: deep done']);
  });
});

describe('interruptOn', () => {
  const calls = ['one', 'two', 'three'].map((query) => ({
    id: query,
    name: query === 'three' ? 'ls' : 'internet_search',
    args: query === 'three' ? { path: '/' } : { query },
  }));
  const setUp = () =>
    createDeepAgent({
      model: scripted({ go: [{ calls }] }),
      tools: [search],
      interruptOn: { internet_search: { allowedDecisions: ['approve', 'edit', 'reject'] }, ls: false },
      checkpointer: new MemorySaver(),
    });

  it('asks once in the published format; an approved call runs even if its sibling is rejected', async () => {
    const agent = setUp();
    const asked = (await agent.invoke(go(), thread)) as { __interrupt__?: { value: unknown }[] };
    expect(asked.__interrupt__?.map(({ value }) => value)).toEqual([
      {
        actionRequests: ['one', 'two'].map((query) => ({
          name: 'internet_search',
          args: { query },
          description: `Tool execution requires approval\n\nTool: internet_search\nArgs: {\n  "query": "${query}"\n}`,
        })),
        reviewConfigs: Array(2).fill({
          actionName: 'internet_search',
          allowedDecisions: ['approve', 'edit', 'reject'],
        }),
      },
    ]);
    const resume = {
      decisions: [
        { type: 'edit', editedAction: { name: 'internet_search', args: { query: 'better' } } },
        { type: 'reject' },
      ],
    };
    const { messages } = await agent.invoke(new Command({ resume }), thread);
    expect(results(messages)).toEqual([
      'internet_search: results for better',
      'internet_search: User rejected the tool call for `internet_search` with id two',
      'ls: No files found in /',
    ]);
  });

  it('runs nothing if decisions are missing or not allowed', async () => {
    const cases = [
      { decisions: [{ type: 'approve' }] },
      {},
      { decisions: Array(2).fill({ type: 'respond', message: 'x' }) },
    ];
    for (const resume of cases) {
      const agent = setUp();
      await agent.invoke(go(), thread);
      await expect(agent.invoke(new Command({ resume }), thread)).rejects.toThrow();
      const state = await agent.graph.getState(thread);
      expect(results((state.values as { messages: BaseMessage[] }).messages)).toEqual([]);
    }
  });
});

it('refuses a sub-agent on another server where only those of this process can run', () => {
  const remote = { name: 'far', description: 'Far away.', graphId: 'research' };
  const options = { defaultModel: scripted({}), subagents: [remote] } as unknown as SubAgentMiddlewareOptions;
  expect(() => createSubAgentMiddleware(options)).toThrow('The sub-agent far has a graphId');
});

describe('permissions that prompt', () => {
  const secret = { operations: ['read' as const], paths: ['/private/**'], mode: 'interrupt' as const };
  const fileOf = (content: string) => ({ content, created_at: '', modified_at: '', mimeType: 'text/plain' });
  const files = { '/private/a': fileOf('hidden'), '/open': fileOf('seen') };
  const reads = ['/private/./a', '/open'].map((path) => ({
    id: path,
    name: 'read_file',
    args: { file_path: path },
  }));

  it('work like interruptOn: only calls that a rule matches prompt, and they run once approved', async () => {
    const agent = createDeepAgent({
      model: scripted({ go: [{ calls: reads }] }),
      permissions: [secret],
      checkpointer: new MemorySaver(),
    });
    const asked = (await agent.invoke({ ...go(), files }, thread)) as {
      __interrupt__?: { value: unknown }[];
    };
    expect(asked.__interrupt__?.map(({ value }) => value)).toEqual([
      {
        actionRequests: [
          {
            name: 'read_file',
            args: { file_path: '/private/./a' },
            description: 'A rule requires your approval: /private/**',
          },
        ],
        reviewConfigs: [
          { actionName: 'read_file', allowedDecisions: ['approve', 'edit', 'reject', 'respond'] },
        ],
      },
    ]);
    const { messages } = await agent.invoke(
      new Command({ resume: { decisions: [{ type: 'approve' }] } }),
      thread,
    );
    expect(results(messages)).toEqual(['read_file:      1\thidden', 'read_file:      1\tseen']);
  });

  it('apply to sub-agents too', async () => {
    const agent = createDeepAgent({
      model: scripted({
        go: [{ calls: [task('deep', 'general-purpose')] }],
        deep: [{ calls: reads.slice(0, 1) }],
      }),
      permissions: [secret],
      checkpointer: new MemorySaver(),
    });
    const asked = (await agent.invoke({ ...go(), files }, thread)) as {
      __interrupt__?: { value: unknown }[];
    };
    expect(asked.__interrupt__).toHaveLength(1);
    const { messages } = await agent.invoke(
      new Command({ resume: { decisions: [{ type: 'reject', message: 'Not that.' }] } }),
      thread,
    );
    expect(results(messages)).toEqual(['task: deep done']);
  });
});

/** Returns its structured answer right away, with some text. */
class Answering extends ScriptedModel {
  private answerTool = '';

  constructor(answer: Record<string, unknown>) {
    super(() => ({ text: 'words', calls: [{ name: this.answerTool, args: answer }] }));
  }

  override bindTools(tools: { name?: string; function?: { name?: string } }[] = []): this {
    const last = tools.at(-1);
    this.answerTool = last?.name ?? last?.function?.name ?? '';
    return this;
  }
}
