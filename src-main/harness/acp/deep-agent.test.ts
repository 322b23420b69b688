import {
  type ClientContext,
  client,
  methods,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { MemorySaver } from '@langchain/langgraph';
import { expect, it } from 'vitest';
import { createDeepAgent } from '../agent/create-deep-agent';
import { createTodoListMiddleware } from '../agent/middleware/todo-list';
import { ScriptedModel, type ScriptedStep } from '../agent/testing/scripted-model';
import { deepAgentHost } from './deep-agent';
import { createAcpAgent } from './server';

const info = { name: 'test', title: 'Test', version: '1.0.0' };

/** Runs an editor in the same process. Its agent answers with `steps` in order. */
async function inEditor(
  steps: ScriptedStep[],
  work: (agent: ClientContext) => Promise<void>,
  answer: (request: RequestPermissionRequest) => string | null = () => 'approve',
  checkpointer = new MemorySaver(),
) {
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const model = new ScriptedModel((_, request) => steps[request] ?? { text: 'Nothing more to say.' });
  const host = deepAgentHost({
    info,
    createAgent: () =>
      createDeepAgent({
        model,
        checkpointer,
        interruptOn: { write_file: true },
        middleware: [createTodoListMiddleware()],
      }),
  });
  await client()
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      questions.push(params);
      const optionId = answer(params);
      return { outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .connectWith(createAcpAgent(host), async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      await work(agent);
    });
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
