import {
  type ClientCapabilities,
  type ClientContext,
  client,
  type McpServer,
  methods,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type StructuredTool, tool } from '@langchain/core/tools';
import { interrupt, MemorySaver } from '@langchain/langgraph';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { optional } from '../../contract/shared/optional';
import { createDeepAgent } from '../agent/create-deep-agent';
import { pngOf, wavOf } from '../agent/media/testing/files';
import { createTodoListMiddleware } from '../agent/middleware/todo-list';
import { ScriptedModel, type ScriptedStep } from '../agent/testing/scripted-model';
import { type DeepAgentHostOptions, deepAgentHost } from './deep-agent';
import type { SessionPlace } from './host';
import { mcpConnections } from './mcp-connections';
import { createAcpAgent } from './server';
import { checkedStream, connectedStreams } from './testing/protocol-check';

const info = { name: 'test', title: 'Test', version: '1.0.0' };

/**
 * Runs an editor in the same process. Its agent answers with `steps` in order, and all it sends must fit the protocol's
 * schema.
 */
async function inEditor(
  steps: ScriptedStep[],
  work: (agent: ClientContext) => Promise<void>,
  answer: (request: RequestPermissionRequest) => string | null = () => 'approve',
  checkpointer = new MemorySaver(),
  hostPath?: DeepAgentHostOptions['hostPath'],
  tools: StructuredTool[] = [],
) {
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const model = new ScriptedModel((_, request) => steps[request] ?? { text: 'Nothing more to say.' });
  const host = deepAgentHost({
    info,
    ...optional({ hostPath }),
    createAgent: () =>
      createDeepAgent({
        model,
        tools,
        checkpointer,
        interruptOn: { write_file: true, edit_file: true },
        middleware: [createTodoListMiddleware()],
      }),
  });
  const ends = connectedStreams();
  const { stream, problems } = checkedStream(ends.editor);
  createAcpAgent(host).connect(ends.agent);
  await client()
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      questions.push(params);
      const optionId = answer(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      await work(agent);
    });
  expect(problems).toEqual([]);
  return { updates, questions, model };
}

const newSession = async (agent: ClientContext) =>
  (await agent.request(methods.agent.session.new, { cwd: '/work', mcpServers: [] })).sessionId;

const say = (agent: ClientContext, sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

const kinds = (updates: SessionUpdate[]) =>
  updates.map(({ sessionUpdate }) => sessionUpdate).filter((kind) => kind !== 'available_commands_update');

const WRITE: ScriptedStep = {
  calls: [{ id: 'w1', name: 'write_file', args: { file_path: '/a.md', content: 'Hello' } }],
};

it('shows calls with their diffs, asks about the calls in interruptOn, and ends with the answer', async () => {
  const plan = {
    calls: [{ name: 'write_todos', args: { todos: [{ content: 'Write', status: 'pending' }] } }],
  };
  const { updates, questions } = await inEditor([plan, WRITE, { text: 'Done.' }], async (agent) => {
    expect(await say(agent, await newSession(agent), 'Write a file.')).toEqual({ stopReason: 'end_turn' });
  });
  expect(questions).toMatchObject([
    {
      toolCall: {
        toolCallId: 'w1',
        title: 'write_file /a.md',
        content: [{ type: 'diff', path: '/a.md' }, {}],
      },
      options: [{ kind: 'allow_once' }, { kind: 'reject_once' }],
    },
  ]);
  expect(kinds(updates)).toEqual([
    'tool_call',
    'tool_call_update',
    'plan',
    'tool_call',
    'tool_call_update',
    'agent_message_chunk',
  ]);
  expect(updates.at(-1)).toMatchObject({ content: { text: 'Done.' } });
});

it('says that an edit is for all occurrences', async () => {
  const args = { file_path: '/a.md', old_string: 'a', new_string: 'b', replace_all: true };
  const edit = { calls: [{ name: 'edit_file', args }] };
  const { questions } = await inEditor([WRITE, edit, { text: 'Done.' }], async (agent) => {
    await say(agent, await newSession(agent), 'Go.');
  });
  expect(questions[1]?.toolCall.content?.slice(0, 2)).toMatchObject([
    { type: 'diff', oldText: 'a', newText: 'b' },
    { content: { text: 'Replaces all occurrences.' } },
  ]);
});

it('tells the agent which call was rejected', async () => {
  const { updates, model } = await inEditor(
    [WRITE, { text: 'I leave it.' }],
    async (agent) => void (await say(agent, await newSession(agent), 'Write a file.')),
    () => 'reject',
  );
  expect(updates).toContainEqual(expect.objectContaining({ toolCallId: 'w1', status: 'failed' }));
  expect(model.requests.at(-1)?.at(-1)?.text).toContain('rejected');
});

it('keeps an unanswered question open, even for the next process', async () => {
  const checkpointer = new MemorySaver();
  let id = '';
  const first = await inEditor(
    [WRITE],
    async (agent) => {
      id = await newSession(agent);
      expect(await say(agent, id, 'Write a file.')).toEqual({ stopReason: 'cancelled' });
    },
    () => null,
    checkpointer,
  );
  expect(first.questions).toHaveLength(1);
  const second = await inEditor(
    [{ text: 'Written.' }, { text: 'Anything else?' }],
    async (agent) => {
      await agent.request(methods.agent.session.load, { sessionId: id, cwd: '/work', mcpServers: [] });
      expect(await say(agent, id, 'Go on.')).toEqual({ stopReason: 'end_turn' });
    },
    () => 'approve',
    checkpointer,
  );
  expect(second.questions).toHaveLength(1);
  expect(kinds(second.updates)).toEqual([
    'user_message_chunk',
    'tool_call',
    'tool_call_update',
    'agent_message_chunk',
    'agent_message_chunk',
  ]);
});

it('shows what an interrupt of the graph asks, and resumes it with the next message, even in the next process', async () => {
  const checkpointer = new MemorySaver();
  const ask = tool(
    async () => `They said ${JSON.stringify(interrupt('Which city?'))}, ${interrupt({ day: true })}`,
    {
      name: 'ask_city',
      description: 'Asks for a city.',
      schema: z.object({}),
    },
  );
  const call: ScriptedStep = { calls: [{ id: 'c1', name: 'ask_city', args: {} }] };
  let id = '';
  const first = await inEditor(
    [call],
    async (agent) => {
      id = await newSession(agent);
      expect(await say(agent, id, 'Plan a trip.')).toEqual({ stopReason: 'end_turn' });
    },
    () => 'approve',
    checkpointer,
    undefined,
    [ask],
  );
  expect(first.updates.at(-1)).toMatchObject({ content: { text: 'Which city?' } });
  const second = await inEditor(
    [{ text: 'Off we go.' }],
    async (agent) => {
      await agent.request(methods.agent.session.load, { sessionId: id, cwd: '/work', mcpServers: [] });
      expect(await say(agent, id, 'Rome')).toEqual({ stopReason: 'end_turn' });
      expect(await say(agent, id, 'Monday')).toEqual({ stopReason: 'end_turn' });
    },
    () => 'approve',
    checkpointer,
    undefined,
    [ask],
  );
  const texts = second.updates.flatMap((update) =>
    update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
      ? [update.content.text]
      : [],
  );
  expect(texts).toEqual(['Which city?', expect.stringContaining('"day": true'), 'Off we go.']);
  expect(second.model.requests.at(-1)?.at(-1)?.text).toBe('They said "Rome", Monday');
});

it('does not know a session without messages', async () => {
  await inEditor([], async (agent) => {
    const load = agent.request(methods.agent.session.load, {
      sessionId: 'other',
      cwd: '/work',
      mcpServers: [],
    });
    await expect(load).rejects.toMatchObject({ code: -32002 });
    const mode = agent.request(methods.agent.session.setMode, {
      sessionId: await newSession(agent),
      modeId: 'x',
    });
    await expect(mode).rejects.toMatchObject({ code: -32602 });
  });
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

it('gives the model images, recordings, and files as such, and text as text', async () => {
  const image = base64(pngOf(2, 2));
  const audio = base64(wavOf(1));
  const { model } = await inEditor([{ text: 'Seen.' }], async (agent) => {
    await agent.request(methods.agent.session.prompt, {
      sessionId: await newSession(agent),
      prompt: [
        { type: 'text', text: 'Look:' },
        { type: 'image', mimeType: 'image/png', data: image },
        { type: 'audio', mimeType: 'audio/wav', data: audio },
        { type: 'resource', resource: { uri: 'file:///w/a.md', text: '# A' } },
        {
          type: 'resource',
          resource: { uri: 'file:///w/a.pdf', blob: base64(Buffer.from('%PDF-1.7 \x00\xff', 'latin1')) },
        },
        {
          type: 'resource',
          resource: {
            uri: 'file:///w/a.bin',
            mimeType: 'application/x-own',
            blob: base64(Buffer.from([0, 255])),
          },
        },
      ],
    });
  });
  expect(model.requests.at(-1)?.at(-1)?.content).toEqual([
    { type: 'text', text: 'Look:' },
    { type: 'image', mimeType: 'image/png', data: image, metadata: { filename: 'image.png' } },
    { type: 'audio', mimeType: 'audio/wav', data: audio, metadata: { filename: 'audio.wav' } },
    { type: 'text', text: '\n\n<file name="a.md">\n# A\n</file>\n\n' },
    { type: 'file', mimeType: 'application/pdf', data: expect.any(String), metadata: { filename: 'a.pdf' } },
    { type: 'file', mimeType: 'application/x-own', data: 'AP8=', metadata: { filename: 'a.bin' } },
  ]);
});

it('names files to the editor by their paths on this machine, and to the agent by its own', async () => {
  const links = [
    'file:///work/b%20c.md',
    'file:///workshop/d.md',
    'file:///work/',
    'https://example.com/work/e',
  ];
  const { updates, questions, model } = await inEditor(
    [WRITE, { text: 'Done.' }],
    async (agent) => {
      const sessionId = await newSession(agent);
      const prompt = links.map((uri) => ({ type: 'resource_link' as const, uri: `${uri}`, name: 'n' }));
      await agent.request(methods.agent.session.prompt, { sessionId, prompt });
      await agent.request(methods.agent.session.load, { sessionId, cwd: '/work', mcpServers: [] });
    },
    () => 'approve',
    new MemorySaver(),
    (path, { cwd }) => cwd + path,
  );
  expect(model.requests[0]?.at(-1)?.text).toBe('/b c.mdfile:///workshop/d.md/https://example.com/work/e');
  const shown = {
    title: 'write_file /a.md',
    locations: [{ path: '/work/a.md' }],
    content: [{ type: 'diff', path: '/work/a.md' }],
    rawInput: { file_path: '/a.md' },
  };
  const calls = updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call');
  expect(calls).toMatchObject([shown, shown]);
  expect(questions).toMatchObject([{ toolCall: { ...shown, content: [...shown.content, {}] } }]);
});

it('refuses folders and tells about servers that the agent does not use', async () => {
  const { updates } = await inEditor([{ text: 'Hello.' }], async (agent) => {
    const elsewhere = { cwd: '/work', mcpServers: [], additionalDirectories: ['/other'] };
    await expect(agent.request(methods.agent.session.new, elsewhere)).rejects.toMatchObject({ code: -32602 });
    const mcpServers: McpServer[] = [{ name: 'docs', command: 'docs-server', args: [], env: [] }];
    const session = await agent.request(methods.agent.session.new, { cwd: '/work', mcpServers });
    await say(agent, session.sessionId, 'Hello');
    await say(agent, session.sessionId, 'Hello again');
  });
  const thoughts = updates.filter(({ sessionUpdate }) => sessionUpdate === 'agent_thought_chunk');
  expect(thoughts).toMatchObject([{ content: { text: expect.stringContaining('docs') } }]);
});

it('closes a session after its prompt has stopped, and loads it again', async () => {
  await inEditor(
    [WRITE, { text: 'Written.' }],
    async (agent) => {
      const sessionId = await newSession(agent);
      const prompt = say(agent, sessionId, 'Write a file.');
      await agent.request(methods.agent.session.close, { sessionId });
      expect(await prompt).toEqual({ stopReason: 'cancelled' });
      await expect(say(agent, sessionId, 'Hello')).rejects.toMatchObject({ code: -32002 });
      const { sessions } = await agent.request(methods.agent.session.list, {});
      expect(sessions).toMatchObject([{ sessionId, cwd: '/work' }]);
      await agent.request(methods.agent.session.load, { sessionId, cwd: '/work', mcpServers: [] });
      expect(await say(agent, sessionId, 'Go on.')).toEqual({ stopReason: 'end_turn' });
    },
    () => 'approve',
  );
});

it('shows the running turn of a session that is loaded again meanwhile', async () => {
  let isWaiting = () => {};
  const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
  let finish = (_: string) => {};
  const result = new Promise<string>((resolve) => (finish = resolve));
  const run = async () => {
    isWaiting();
    return result;
  };
  const wait = tool(run, { name: 'wait', description: 'Waits.', schema: z.object({}) });
  const work = async (agent: ClientContext) => {
    const sessionId = await newSession(agent);
    const prompt = say(agent, sessionId, 'Wait.');
    await waiting;
    await agent.request(methods.agent.session.load, { sessionId, cwd: '/work', mcpServers: [] });
    finish('Over.');
    await prompt;
  };
  const steps = [{ calls: [{ name: 'wait', args: {} }] }, { text: 'Done.' }];
  const { updates } = await inEditor(steps, work, undefined, undefined, undefined, [wait]);
  const again = ['user_message_chunk', 'tool_call'];
  expect(kinds(updates)).toEqual(['tool_call', ...again, 'tool_call_update', 'agent_message_chunk']);
});

it('lists the newest session first, also after an older one was loaded again', async () => {
  await inEditor([], async (agent) => {
    const [first, second] = [await newSession(agent), await newSession(agent)];
    await say(agent, first, 'Hello');
    await agent.request(methods.agent.session.close, { sessionId: first });
    await agent.request(methods.agent.session.load, { sessionId: first, cwd: '/work', mcpServers: [] });
    const { sessions } = await agent.request(methods.agent.session.list, {});
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([second, first]);
  });
});

it('gives the agent the files, terminals and servers of an editor that offers them', async () => {
  const places: SessionPlace[] = [];
  const host = deepAgentHost({
    info,
    accepts: { mcpServers: ['stdio', 'http'], additionalDirectories: true },
    createAgent: (place) => {
      places.push(place);
      return createDeepAgent({
        model: new ScriptedModel(() => ({ text: '' })),
        checkpointer: new MemorySaver(),
      });
    },
  });
  await client()
    .onRequest(methods.client.fs.readTextFile, ({ params }) => {
      if (params.path === '/work/a.md')
        return { content: `${params.sessionId === '' ? 'no session' : 'unsaved'}` };
      throw new Error('Not open.');
    })
    .connectWith(createAcpAgent(host), async (agent) => {
      const clientCapabilities: ClientCapabilities = { fs: { readTextFile: true }, terminal: true };
      const { agentCapabilities } = await agent.request(methods.agent.initialize, {
        protocolVersion: 1,
        clientCapabilities,
      });
      expect(agentCapabilities).toMatchObject({
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { additionalDirectories: {} },
      });
      const stdio: McpServer = {
        name: 'a',
        command: '/bin/a',
        args: ['-x'],
        env: [{ name: 'K', value: 'v' }],
      };
      const http = { type: 'http' as const, name: 'b', url: 'http://b', headers: [] };
      const opening = { cwd: '/work', mcpServers: [stdio, http], additionalDirectories: ['/other'] };
      await agent.request(methods.agent.session.new, opening);
      const [place] = places;
      expect(place?.additionalDirectories).toEqual(['/other']);
      expect(mcpConnections(place?.mcpServers ?? [])).toEqual({
        a: { transport: 'stdio', command: '/bin/a', args: ['-x'], env: { K: 'v' } },
        b: { transport: 'http', url: 'http://b', headers: {} },
      });
      expect(await place?.editor.files?.readText('/work/a.md')).toBe('unsaved');
      expect(await place?.editor.files?.readText('/work/b.md')).toBeNull();
      expect(place?.editor.files?.writeText).toBeUndefined();
      expect(place?.editor.openTerminal).toBeDefined();
      const sse = { ...http, type: 'sse' as const };
      const refused = agent.request(methods.agent.session.new, { cwd: '/work', mcpServers: [sse] });
      await expect(refused).rejects.toMatchObject({ code: -32602 });
    });
});
