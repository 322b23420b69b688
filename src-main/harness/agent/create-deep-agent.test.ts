import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { InMemoryStore } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CompositeBackend, StateBackend, StoreBackend } from '../backends';
import { expectedWarnings } from '../backends/testing/expected-warnings';
import {
  ConfigurationError,
  createDeepAgent,
  createFilesystemMiddleware,
  createSummarizationMiddleware,
} from '../index';
import { Answering, go, promptOf, results, scripted, search, task } from './testing/scripted-agent';

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
