// More programs for the published package, run on it and on ours. same-as-published.test.ts has the first ones.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, InMemoryStore, MemorySaver } from '@langchain/langgraph';
import * as published from 'deepagents';
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelCallLimitMiddleware,
  modelFallbackMiddleware,
  piiMiddleware,
  toolRetryMiddleware,
} from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as ours from '../index';
import { ScriptedModel } from './testing/scripted-model';

type Library = typeof published;
const both: [string, Library][] = [
  ['the published package', published],
  ['ours', ours as unknown as Library],
];
const thread = { configurable: { thread_id: 't' } };
const go = { messages: [new HumanMessage('go')] };
const isResult = (message: BaseMessage): message is ToolMessage => ToolMessage.isInstance(message);
const resultsIn = (state: unknown) => (state as { messages: BaseMessage[] }).messages.filter(isResult);
const filesIn = (state: unknown) => (state as { files?: Record<string, { content: unknown }> }).files ?? {};

type Call = [name: string, args?: Record<string, unknown>];
/** Makes the calls of one list after another, then is done. */
const script = (...answers: Call[][]) =>
  new ScriptedModel((messages) => {
    const calls = answers[messages.filter((message) => AIMessage.isInstance(message)).length];
    if (calls === undefined) return { text: 'Done.' };
    return { calls: calls.map(([name, args = {}]) => ({ name, args })) };
  });
const task = (subagent_type: string): Call => ['task', { description: 'work', subagent_type }];
const named = (name: string, run: () => Promise<unknown> = async () => `${name} ran`) =>
  tool(run as () => Promise<string>, { name, description: name, schema: z.object({}) });
const file = (content: unknown, mimeType = 'text/plain') => ({
  content,
  mimeType,
  created_at: '2026-01-01T00:00:00.000Z',
  modified_at: '2026-01-01T00:00:00.000Z',
});
const SKILL = file('---\nname: sums\ndescription: adds numbers\n---\nAdd.\n', 'text/markdown');
const MEMORY = file('Speak softly.', 'text/markdown');
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.each(both)('a sub-agent of %s', (_name, library) => {
  it('counts its own calls, whatever its parent has counted', async () => {
    const limit = (runLimit: number) => modelCallLimitMiddleware({ runLimit, exitBehavior: 'end' } as never);
    const agent = library.createDeepAgent({
      model: script([['ls']], [['ls']], [task('helper')]),
      middleware: [limit(4)],
      subagents: [
        {
          name: 'helper',
          description: 'd',
          systemPrompt: 'p',
          model: script([['ls']], [['ls']]),
          middleware: [limit(3)],
        },
      ],
    });
    const state = await agent.invoke(go);
    expect(resultsIn(state).at(-1)?.text).toBe('Done.');
    expect((state as { messages: BaseMessage[] }).messages.at(-1)?.text).toBe('Done.');
  });

  it('knows from its configuration what it is', async () => {
    const seen: unknown[] = [];
    const look = tool(
      async (_input, { config }: { config?: { configurable?: object; metadata?: object } }) => {
        seen.push({ ...config?.metadata, ...config?.configurable });
        return 'seen';
      },
      { name: 'look', description: 'd', schema: z.object({}) },
    );
    await library
      .createDeepAgent({
        model: script([task('helper')]),
        tools: [look as never],
        name: 'lead',
        subagents: [{ name: 'helper', description: 'd', systemPrompt: 'p', model: script([['look']]) }],
      })
      .invoke(go, { configurable: { mine: 1 } });
    expect(seen).toMatchObject([{ ls_agent_type: 'subagent', lc_agent_name: 'helper', mine: 1 }]);
  });

  it('that is a fork has the instructions, skills and middleware of its parent', async () => {
    const asked: string[] = [];
    const watch = createMiddleware({
      name: 'watch',
      wrapModelCall: (request, handler) => {
        asked.push(request.messages.at(-1)?.text.includes('work') ? 'fork' : 'parent');
        return handler(request);
      },
    });
    const fork = script();
    await library
      .createDeepAgent({
        model: script([task('fork')]),
        systemPrompt: 'You help.',
        middleware: [watch],
        memory: ['/AGENTS.md'],
        skills: ['/skills/'],
        subagents: [{ name: 'fork', description: 'd', systemPrompt: 'Go on.', mode: 'fork', model: fork }],
      })
      .invoke({ ...go, files: { '/AGENTS.md': MEMORY, '/skills/sums/SKILL.md': SKILL } } as never);
    const prompt = fork.requests[0]?.[0]?.text;
    for (const part of ['You help.', 'Go on.', 'Speak softly.', 'adds numbers'])
      expect(prompt).toContain(part);
    expect(asked).toEqual(['parent', 'fork', 'parent']);
  });

  it('that is a fork is refused with skills of its own', () => {
    const fork = {
      name: 'fork',
      description: 'd',
      systemPrompt: 'p',
      mode: 'fork' as const,
      skills: ['/s/'],
    };
    expect(() => library.createDeepAgent({ model: script(), subagents: [fork] })).toThrow('skills');
  });
});

describe.each(both)('the options of %s', (_name, library) => {
  it('may be empty lists, which change nothing', async () => {
    const model = script();
    const empty = { skills: [], memory: [], permissions: [], subagents: [], tools: [], interruptOn: {} };
    const state = await library.createDeepAgent({ model, ...empty }).invoke(go);
    expect(model.requests[0]?.map((message) => message.getType())).toEqual(['human']);
    expect(Object.keys(state).sort()).toEqual(['files', 'messages']);
  });

  it.each([0, null])('that limit results and messages have no limit if they are %s', async (none) => {
    const model = script([['big'], ['read_file', { file_path: '/a.txt' }]]);
    const agent = createAgent({
      model,
      tools: [named('big', async () => 'word '.repeat(40_000)) as never],
      middleware: [
        library.createFilesystemMiddleware({
          toolTokenLimitBeforeEvict: none,
          humanMessageTokenLimitBeforeEvict: none,
        }),
      ],
    });
    const text = 'h'.repeat(300_000);
    const state = await agent.invoke({
      messages: [new HumanMessage(text)],
      files: { '/a.txt': file('line\n') },
    } as never);
    expect(Object.keys(filesIn(state))).toEqual(['/a.txt']);
    expect(resultsIn(state)[0]?.text).toHaveLength(200_000);
    expect(model.requests[0]?.[0]?.text).toHaveLength(text.length);
  });

  it("accept LangChain's own middleware", async () => {
    let tries = 0;
    const flaky = named('flaky', async () => {
      if (tries++ === 0) throw new Error('flaky');
      return 'mail bob@example.com';
    });
    const down = new ScriptedModel(() => {
      throw new Error('the provider is down');
    });
    const agent = library.createDeepAgent({
      model: down,
      tools: [flaky as never, named('send') as never],
      checkpointer: new MemorySaver(),
      middleware: [
        toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 }),
        modelFallbackMiddleware(script([['flaky']], [['send']])),
        piiMiddleware('email', { strategy: 'redact', applyToInput: true, applyToToolResults: true }),
        humanInTheLoopMiddleware({ interruptOn: { send: { allowedDecisions: ['approve'] } } } as never),
      ] as AgentMiddleware[],
    });
    const asked = await agent.invoke({ messages: [new HumanMessage('mail ann@example.com')] }, thread);
    expect((asked as { __interrupt__?: unknown[] }).__interrupt__).toHaveLength(1);
    const { messages } = await agent.invoke(
      new Command({ resume: { decisions: [{ type: 'approve' }] } }),
      thread,
    );
    expect(messages.map((message) => message.text)).toEqual([
      'mail [REDACTED_EMAIL]',
      '',
      'mail [REDACTED_EMAIL]',
      '',
      'send ran',
      'Done.',
    ]);
  });
});

describe.each(both)('file tools of %s', (_name, library) => {
  it('read an image that the state has as base64', async () => {
    const { messages } = await library
      .createDeepAgent({ model: script([['read_file', { file_path: '/a.png' }]]) })
      .invoke({ ...go, files: { '/a.png': file(PNG, 'image/png') } } as never);
    const content = messages.find(isResult)?.content as { type: string }[];
    expect(content.filter(({ type }) => type !== 'text')).toMatchObject([
      { type: 'image', mimeType: 'image/png', data: PNG },
    ]);
  });

  it('put what a backend says about a change into the message', async () => {
    const page = { content: 'one', mimeType: 'text/plain' };
    const backend = {
      ls: async () => ({ files: [] }),
      read: async () => page,
      readRaw: async () => ({ data: { ...page, created_at: '', modified_at: '' } }),
      write: async (path: string) => ({ path, metadata: { revision: 1 } }),
      edit: async (path: string) => ({ path, occurrences: 1, metadata: { revision: 2 } }),
      grep: async () => ({ matches: [] }),
      glob: async () => ({ files: [] }),
    };
    const edit = { file_path: '/a', old_string: 'one', new_string: 'two' };
    const model = script([['write_file', { file_path: '/b', content: 'x' }]], [['edit_file', edit]]);
    const state = await library.createDeepAgent({ model, backend: backend as never }).invoke(go);
    expect(resultsIn(state).map(({ metadata }) => metadata)).toMatchObject([
      { revision: 1 },
      { revision: 2 },
    ]);
  });

  it('take pages out of range, and an empty path, for the nearest one that exists', async () => {
    const lines = Array.from({ length: 300 }, (_, line) => `line ${line + 1}`).join('\n');
    const read = (offset: number, limit: number): Call => ['read_file', { file_path: '/a', offset, limit }];
    const model = script([read(-5, 2), read(298.5, 100_000), ['ls', { path: '' }]]);
    const state = await library
      .createDeepAgent({ model })
      .invoke({ ...go, files: { '/a': file(lines) } } as never);
    const [before, after, root] = resultsIn(state);
    expect(before?.text).toMatch(/line 1\n.*line 2/);
    expect(before?.text).not.toContain('line 3');
    expect(after?.text).toMatch(/line 299\n.*line 300/);
    expect(root?.text).toContain('/a');
    for (const result of [before, after, root]) expect(result?.status).toBe('success');
  });

  it('change files that the state got as lines, and delete those of an earlier turn', async () => {
    const agent = library.createDeepAgent({
      model: script([['edit_file', { file_path: '/old', old_string: 'one', new_string: 'ONE' }]]),
      checkpointer: new MemorySaver(),
    });
    const { content: _, mimeType: __, ...times } = file('');
    const files = { '/old': { content: ['one', 'two'], ...times }, '/gone': file('x') };
    await agent.invoke({ ...go, files } as never, thread);
    const state = await agent.invoke(
      { messages: [new HumanMessage('more')], files: { '/gone': null, '/new': file('y') } } as never,
      thread,
    );
    const text = (content: unknown) => (Array.isArray(content) ? content.join('\n') : content);
    expect(Object.entries(filesIn(state)).map(([path, { content }]) => [path, text(content)])).toEqual([
      ['/old', 'ONE\ntwo'],
      ['/new', 'y'],
    ]);
  });
});

/** The differences that the table in the README lists, beside those in same-as-published.test.ts. */
describe('as the README says,', () => {
  const [[, theirs], [, here]] = both as [(typeof both)[0], (typeof both)[0]];

  it('a person is asked after the hooks of custom middleware, which see the whole prompt', async () => {
    const seen = await Promise.all(
      [theirs, here].map(async (library) => {
        const log: string[] = [];
        const watch = createMiddleware({
          name: 'watch',
          wrapModelCall: (request, handler) => {
            log.push(
              request.systemMessage.text.includes('Speak softly.') ? 'instructions' : 'no instructions',
            );
            return handler(request);
          },
          afterModel: () => {
            log.push('hook');
          },
        });
        const agent = library.createDeepAgent({
          model: script([['send']]),
          tools: [named('send') as never],
          middleware: [watch],
          memory: ['/AGENTS.md'],
          interruptOn: { send: true },
          checkpointer: new MemorySaver(),
        });
        await agent.invoke({ ...go, files: { '/AGENTS.md': MEMORY } } as never, thread);
        return log;
      }),
    );
    expect(seen).toEqual([['no instructions'], ['instructions', 'hook']]);
  });

  it('a call that never ran has a result marked as an error', async () => {
    const lost = new AIMessage({ content: '', tool_calls: [{ id: 'lost', name: 'ls', args: {} }] });
    const statuses = await Promise.all(
      [theirs, here].map(async (library) => {
        const messages = [...go.messages, lost, new HumanMessage('more')];
        const state = await library.createDeepAgent({ model: script() }).invoke({ messages });
        return resultsIn(state).map(({ status }) => status);
      }),
    );
    expect(statuses).toEqual([[undefined], ['error']]);
  });

  it('a large result keeps its images', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: PNG };
    const big = named('big', async () => [{ type: 'text', text: 'x'.repeat(90_000) }, image]);
    const kept = await Promise.all(
      [theirs, here].map(async (library) => {
        const agent = library.createDeepAgent({ model: script([['big']]), tools: [big as never] });
        const [result] = resultsIn(await agent.invoke(go));
        return Array.isArray(result?.content) && result.content.some(({ type }) => type === 'image');
      }),
    );
    expect(kept).toEqual([false, true]);
  });

  it('routes may be below each other and do not need a slash, and results have whole paths', async () => {
    const found = await Promise.all(
      [theirs, here].map(async (library) => {
        const store = new InMemoryStore();
        const at = (name: string) => new library.StoreBackend({ store, namespace: [name] });
        const tree = new library.CompositeBackend(at('top'), {
          '/notes/': at('notes'),
          '/notes/old/': at('old'),
          '/plain': at('plain'),
        });
        const paths = ['/notes/a.txt', '/notes/old/b.txt', '/plain/c.txt'];
        const written = [];
        for (const path of paths) written.push((await tree.write(path, 'needle')).path);
        const { files } = await tree.ls('/notes/');
        const { matches } = await tree.grep('needle', '/');
        return {
          written,
          listed: files?.map(({ path }) => path),
          found: matches?.map(({ path }) => path).sort(),
        };
      }),
    );
    expect(found).toEqual([
      {
        written: ['/a.txt', '/b.txt', '//c.txt'],
        listed: ['/notes/a.txt'],
        found: expect.not.arrayContaining(['/plain/c.txt']),
      },
      {
        written: ['/notes/a.txt', '/notes/old/b.txt', '/plain/c.txt'],
        listed: ['/notes/a.txt', '/notes/old/'],
        found: ['/notes/a.txt', '/notes/old/b.txt', '/plain/c.txt'],
      },
    ]);
  });

  it('an edit writes a file of the older format in the current one, unless the older is asked for', async () => {
    const edited = await Promise.all(
      [theirs, here].map(async (library) => {
        const store = new InMemoryStore();
        const at = (fileFormat: 'v1' | 'v2') =>
          new library.StoreBackend({ store, namespace: ['n'], fileFormat });
        await at('v1').write('/a', 'one\ntwo');
        await at('v1').edit('/a', 'one', '1');
        const before = (await store.get(['n'], '/a'))?.value.content;
        await at('v2').edit('/a', 'two', '2');
        return [before, (await store.get(['n'], '/a'))?.value.content, (await at('v1').read('/a')).content];
      }),
    );
    expect(edited).toEqual([
      [['1', 'two'], ['1', '2'], '1\n2'],
      [['1', 'two'], '1\n2', '1\n2'],
    ]);
  });

  it('a command without an exit code is an error', async () => {
    const statuses = await Promise.all(
      [theirs, here].map(async (library) => {
        class Box extends library.BaseSandbox {
          readonly id = 'box';
          async execute() {
            return { output: 'ran', exitCode: null, truncated: false };
          }
          async uploadFiles() {
            return [];
          }
          async downloadFiles() {
            return [];
          }
        }
        const agent = library.createDeepAgent({
          model: script([['execute', { command: 'x' }]]),
          backend: new Box(),
        });
        return resultsIn(await agent.invoke(go)).map(({ status, text }) => [status, text]);
      }),
    );
    expect(statuses).toEqual([[['success', 'ran']], [['error', 'ran']]]);
  });
});

describe('an error about what a program passes', () => {
  it('says how to resume a thread that waits for decisions', async () => {
    const agent = ours.createDeepAgent({
      model: script([['send']]),
      tools: [named('send')],
      interruptOn: { send: true },
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(go, thread);
    for (const resume of [{}, { decisions: [{ type: 'ignore' }] }, 'yes'])
      await expect(agent.invoke(new Command({ resume }), thread)).rejects.toThrow(
        "Resume it with { decisions: [{ type: 'approve' }] }",
      );
  });

  it('says which entry of the state is not a file', async () => {
    const agent = ours.createDeepAgent({ model: script() });
    await expect(agent.invoke({ ...go, files: { '/a.txt': 'text' } } as never)).rejects.toThrow(
      'The file /a.txt in the state is a string',
    );
  });
});
