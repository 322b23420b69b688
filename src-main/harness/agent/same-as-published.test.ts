// Runs the same program on the published package and on ours.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import * as published from 'deepagents';
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import * as ours from '../index';
import { setDocumentWorker } from './media/documents';
import { ScriptedModel } from './testing/scripted-model';

type Library = typeof published;
const both: [string, Library][] = [
  ['the published package', published],
  ['ours', ours as unknown as Library],
];
const go = { messages: [new HumanMessage('go')] };
const isResult = (message: BaseMessage) => ToolMessage.isInstance(message);
/** Makes one call, then is done. */
const calling = (name: string, args: Record<string, unknown>) =>
  new ScriptedModel((messages) =>
    messages.some(isResult) ? { text: 'Done.' } : { calls: [{ id: 'call', name, args }] },
  );
/** Hands a task out, and does it with one call. */
const delegating = (type: string, call?: { name: string; args: Record<string, unknown> }) =>
  new ScriptedModel((messages) => {
    const isWork = messages.findLast((message) => HumanMessage.isInstance(message))?.text === 'work';
    if (messages.some(isResult)) return { text: 'Done.' };
    if (isWork) return call === undefined ? { text: 'Worked.' } : { calls: [call] };
    return { calls: [{ name: 'task', args: { description: 'work', subagent_type: type } }] };
  });
const named = (name: string) => tool(async () => 'mine', { name, description: name, schema: z.object({}) });

const base64 = (text: string) => Buffer.from(text, 'base64');
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
/** Files that go to the model, and the blocks that they are there. */
const MEDIA: Record<string, { bytes: Buffer; block: { type: string; mimeType: string } }> = {
  'a.png': {
    bytes: base64(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ),
    block: { type: 'image', mimeType: 'image/png' },
  },
  'a.gif': {
    bytes: base64('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='),
    block: { type: 'image', mimeType: 'image/gif' },
  },
  'a.pdf': {
    bytes: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    block: { type: 'file', mimeType: 'application/pdf' },
  },
  'a.wav': {
    bytes: base64('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='),
    block: { type: 'audio', mimeType: 'audio/wav' },
  },
  'a.mp4': {
    bytes: Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1'),
    block: { type: 'video', mimeType: 'video/mp4' },
  },
  'a.pptx': { bytes: Buffer.from('PK\x03\x04\xff\xfe', 'latin1'), block: { type: 'file', mimeType: PPTX } },
};

describe.each(both)('an agent of %s', (_name, library) => {
  it('serves several threads at once, each with its own files', async () => {
    const agent = library.createDeepAgent({
      model: new ScriptedModel((messages) =>
        messages.some(isResult)
          ? { text: 'Done.' }
          : { calls: [{ name: 'write_file', args: { file_path: '/a.txt', content: messages[0]?.text } }] },
      ),
      checkpointer: new MemorySaver(),
    });
    for (const user of ['ann', 'ben', 'ann'])
      for (const text of [`of ${user}`, `again of ${user}`]) {
        const thread = { configurable: { thread_id: `${user} ${text}` } };
        const messages = [new HumanMessage(text)];
        const { files } = (await agent.invoke({ messages }, thread)) as { files: Record<string, object> };
        expect(files['/a.txt']).toMatchObject({ content: text });
      }
  });

  it('restricts the general-purpose sub-agent to the file tools of a given middleware', async () => {
    const call = { name: 'write_file', args: { file_path: '/a', content: 'x' } };
    const restricted = library.createFilesystemMiddleware({ tools: ['read_file', 'ls'] });
    const agent = library.createDeepAgent({
      model: delegating('general-purpose', call),
      middleware: [restricted],
    });
    const { files } = (await agent.invoke(go)) as { files?: object };
    expect(Object.keys(files ?? {})).toEqual([]);
    const open = library.createDeepAgent({ model: delegating('general-purpose', call) });
    const written = (await open.invoke(go)) as { files?: object };
    expect(Object.keys(written.files ?? {})).toEqual(['/a']);
  });

  it('saves large files and documents of a result like text', async () => {
    const big = tool(
      async () =>
        [
          { type: 'file', mimeType: 'text/plain', data: 'x'.repeat(300_000) },
          { type: 'document', text: 'y'.repeat(300_000) },
          { type: 'resource', resource: { uri: 'a:b', text: 'z'.repeat(300_000) } },
        ] as never,
      { name: 'big', description: 'big', schema: z.object({}) },
    );
    const agent = library.createDeepAgent({ model: calling('big', {}), tools: [big] });
    const { messages, files } = (await agent.invoke(go)) as {
      messages: BaseMessage[];
      files: Record<string, { content: string | string[] }>;
    };
    expect(JSON.stringify(messages.find(isResult)?.content).length).toBeLessThan(20_000);
    const [saved] = Object.values(files);
    const text = Array.isArray(saved?.content) ? saved.content.join('\n') : saved?.content;
    for (const letter of ['x', 'y', 'z']) expect(text).toContain(letter.repeat(300_000));
  });

  it.each(Object.entries(MEDIA))('gives the model a file itself: %s', async (name, { bytes, block }) => {
    // Without it, documents are not read. Other tests may have set it.
    setDocumentWorker(null);
    const folder = mkdtempSync(join(tmpdir(), 'same-media-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, name), bytes);
    const backend = new library.FilesystemBackend({ rootDir: folder, virtualMode: true });
    const model = calling('read_file', { file_path: `/${name}` });
    const { messages } = await library.createDeepAgent({ model, backend }).invoke(go);
    const sent = model.requests.at(-1)?.find(isResult);
    for (const message of [messages.find(isResult), sent]) {
      const content = message?.content as { type: string }[];
      // Ours has a line about the file before it.
      expect(content.filter(({ type }) => type !== 'text')).toMatchObject([
        { ...block, data: bytes.toString('base64') },
      ]);
      expect(message).toMatchObject({ status: 'success', name: 'read_file' });
    }
  });

  it('gives the model the blocks of a result as the tool returned them', async () => {
    const blocks = [
      { type: 'text', text: 'hello' },
      ...Object.values(MEDIA).map(({ bytes, block }) => ({ ...block, data: bytes.toString('base64') })),
      { type: 'image', source_type: 'url', url: 'https://example.com/a.png' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'small' } },
    ];
    const returns = tool(async () => blocks as never, {
      name: 'returns',
      description: 'returns blocks',
      schema: z.object({}),
    });
    const model = calling('returns', {});
    const { messages } = await library.createDeepAgent({ model, tools: [returns] }).invoke(go);
    expect(messages.find(isResult)?.content).toEqual(blocks);
    expect(model.requests.at(-1)?.find(isResult)?.content).toEqual(blocks);
  });

  it('gives a call a result that other middleware left without one within a turn', async () => {
    const lost = new AIMessage({ content: '', tool_calls: [{ id: 'lost', name: 'ls', args: {} }] });
    const leaves = createMiddleware({
      name: 'leaves',
      afterModel: {
        canJumpTo: ['model'],
        hook: ({ messages }) =>
          messages.length > 3
            ? undefined
            : { messages: [lost, new HumanMessage('more')], jumpTo: 'model' as const },
      },
    });
    const model = new ScriptedModel(() => ({ text: 'Hm.' }));
    await library.createDeepAgent({ model, middleware: [leaves] }).invoke(go);
    const [, second = []] = model.requests;
    expect(second.map((message) => message.getType())).toEqual(['human', 'ai', 'ai', 'tool', 'human']);
    expect(second[3]).toMatchObject({ tool_call_id: 'lost' });
  });

  it("puts a sub-agent's name into the metadata of its stream", async () => {
    const agent = library.createDeepAgent({
      model: delegating('helper'),
      name: 'lead',
      subagents: [{ name: 'helper', description: 'd', systemPrompt: 'p' }],
    });
    const names = new Set<string>();
    const stream = await agent.stream(go, { streamMode: 'messages', subgraphs: true });
    for await (const [namespace, [, metadata]] of stream as AsyncIterable<
      [string[], [unknown, { lc_agent_name?: string }]]
    >)
      names.add(`${namespace.length} ${metadata.lc_agent_name}`);
    expect([...names]).toEqual(['1 lead', '2 helper']);
  });

  it('refuses two sub-agents with the same name', () => {
    const one = { name: 'helper', description: 'd', systemPrompt: 'p' };
    expect(() => library.createDeepAgent({ model: calling('ls', {}), subagents: [one, one] })).toThrow(
      "Duplicate subagent name 'helper'",
    );
  });

  it('refuses tools with the name of a file tool, whatever the backend can do', () => {
    const model = calling('ls', {});
    for (const name of ['execute', 'delete', 'task', 'read_file'])
      expect(() => library.createDeepAgent({ model, tools: [named(name)] }), name).toThrow(
        library.ConfigurationError,
      );
  });

  it('calls the model through the object of a class, with its private fields and tools, also in a sub-agent', async () => {
    class Counting {
      readonly name = 'Counting';
      readonly tools = [named('mine')];
      #requests = 0;
      get requests() {
        return this.#requests;
      }
      wrapModelCall(request: unknown, handler: (request: unknown) => unknown) {
        this.#requests++;
        return handler(request);
      }
    }
    const [own, below] = [new Counting(), new Counting()];
    const agent = library.createDeepAgent({
      model: delegating('helper', { name: 'mine', args: {} }),
      middleware: [own as unknown as AgentMiddleware],
      subagents: [
        {
          name: 'helper',
          description: 'd',
          systemPrompt: 'p',
          middleware: [below as unknown as AgentMiddleware],
        },
      ],
    });
    await agent.invoke(go);
    expect([own.requests, below.requests]).toEqual([2, 2]);
  });

  it('keeps the hooks and tools of middleware that is a class', async () => {
    const seen: string[] = [];
    // LangChain calls hooks without `this`.
    class Mine {
      readonly name = 'Mine';
      readonly tools = [named('mine')];
      beforeModel() {
        seen.push('beforeModel');
      }
      wrapToolCall(request: { toolCall: { name: string } }, handler: (request: unknown) => unknown) {
        seen.push(`call of ${request.toolCall.name}`);
        return handler(request);
      }
    }
    const middleware: AgentMiddleware = new Mine() as never;
    for (const agent of [
      library.createDeepAgent({ model: calling('mine', {}), middleware: [middleware] }),
      library.createDeepAgent({
        model: delegating('helper', { name: 'mine', args: {} }),
        subagents: [{ name: 'helper', description: 'd', systemPrompt: 'p', middleware: [middleware] }],
      }),
    ]) {
      seen.length = 0;
      await agent.invoke(go);
      expect(seen).toEqual(['beforeModel', 'call of mine', 'beforeModel']);
    }
  });
});

const SKILL = '---\nname: a\ndescription: does a\n---\nDo it.\n';
const listed = async (path: string) => ({
  files: path.replace(/\/$/, '') === '/skills' ? [{ path: '/skills/a/', is_dir: true }] : [],
});
const bare = {
  ls: listed,
  read: async () => ({ content: SKILL }),
  write: async () => ({}),
  edit: async () => ({}),
  grep: async () => ({ matches: [] }),
  glob: async () => ({ files: [] }),
};
const BACKENDS = {
  'without readRaw and downloadFiles': bare,
  'without readRaw': {
    ...bare,
    downloadFiles: async (paths: string[]) =>
      paths.map((path) => ({ path, content: new TextEncoder().encode(SKILL), error: null })),
  },
  'that throws from ls': {
    ...bare,
    ls: async () => {
      throw new Error('no such place');
    },
  },
};

describe.each(both)('skills of %s', (_name, library) => {
  it.each(Object.entries(BACKENDS))('work with a backend %s', async (what, backend) => {
    const model = new ScriptedModel(() => ({ text: 'Done.' }));
    const skills = library.createSkillsMiddleware({ backend: backend as never, sources: ['/skills/'] });
    const state = await createAgent({ model, systemPrompt: 'p', middleware: [skills] }).invoke(go);
    const names = ((state as { skillsMetadata?: { name: string }[] }).skillsMetadata ?? []).map(
      ({ name }) => name,
    );
    expect(names).toEqual(what.includes('throws') ? [] : ['a']);
    expect(model.requests[0]?.[0]?.text.includes('does a') || names.length === 0).toBe(true);
  });
});

describe.each([
  ['the published package made, ours', published, ours as unknown as Library],
  ['ours made, the published package', ours as unknown as Library, published],
] as [string, Library, Library][])('a summary that %s', (_name, first, second) => {
  it('continues from', async () => {
    const checkpointer = new MemorySaver();
    const model = new ScriptedModel((messages) => ({
      text: /ummar/.test(messages[0]?.text ?? '') && messages.length < 3 ? 'SO FAR' : 'Hm.',
    }));
    const agentOf = (library: Library) =>
      library.createDeepAgent({
        model,
        checkpointer,
        middleware: [
          library.createSummarizationMiddleware({
            model,
            backend: new library.StateBackend(),
            trigger: { type: 'messages', value: 6 },
            keep: { type: 'messages', value: 2 },
          }) as AgentMiddleware,
        ],
      });
    const thread = { configurable: { thread_id: 'one' } };
    const messages = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? new HumanMessage(`question ${index}`) : new AIMessage(`answer ${index}`),
    );
    await agentOf(first).invoke({ messages }, thread);
    const before = model.requests.length;
    await agentOf(second).invoke(go, thread);
    const [sent = [], ...more] = model.requests.slice(before);
    expect(more).toEqual([]);
    expect(sent.map((message) => message.text)).toEqual([
      expect.stringContaining('SO FAR'),
      'question 8',
      'answer 9',
      'Hm.',
      'go',
    ]);
  });
});

/** What each library answers to the same calls: the differences that the table in the README lists. */
describe('the answers of the tools', () => {
  const CALLS = [
    ['write_file', { file_path: '/a.txt', content: 'one\ntwo' }],
    ['read_file', { file_path: '/a.txt' }],
    ['grep', { pattern: 'two' }],
    ['edit_file', { file_path: '/a.txt', old_string: 'three', new_string: 'four' }],
    ['ls', { path: '/none' }],
    ['execute', { command: 'true' }],
  ] as const;

  async function answers(library: Library): Promise<string[]> {
    const model = new ScriptedModel((_messages, request) => {
      const [name, args] = CALLS[request] ?? [];
      return name === undefined ? { text: 'Done.' } : { calls: [{ name, args }] };
    });
    const { messages } = (await library.createDeepAgent({ model }).invoke(go)) as { messages: BaseMessage[] };
    return messages
      .filter((message) => ToolMessage.isInstance(message))
      .map(({ text, status }) => `${status === 'error' ? 'error' : 'success'}: ${text.split('. ')[0]}`);
  }

  it('differ as the README says', async () => {
    expect(await answers(published)).toEqual([
      "success: Successfully wrote to '/a.txt'",
      'success: @@ lines 1-2 of 2 @@\none\ntwo',
      'success: /a.txt:\n  2: two',
      "success: Error: String not found in file: 'three'",
      'success: No files found in /none',
      'success: Error: Execution not available',
    ]);
    expect(await answers(ours as unknown as Library)).toEqual([
      "success: Successfully wrote to '/a.txt'",
      'success:      1\tone\n     2\ttwo',
      'success: /a.txt',
      "error: Error: String not found in file: 'three'",
      "error: Error: Directory '/none' not found",
      expect.stringContaining('error: Error: execute is not a valid tool'),
    ]);
  });

  it('let the model try again if a sub-agent does not exist, where the published package fails', async () => {
    const model = () => delegating('nobody');
    await expect(published.createDeepAgent({ model: model() }).invoke(go)).rejects.toThrow('nobody');
    const { messages } = await ours.createDeepAgent({ model: model() }).invoke(go);
    expect(messages.find(isResult)).toMatchObject({ status: 'error' });
  });
});
