// Editors that do what the protocol does not say, and agents that fail.
import {
  type ClientContext,
  client,
  methods,
  type NewSessionRequest,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk';
import { MemorySaver } from '@langchain/langgraph';
import { expect, it } from 'vitest';
import { createDeepAgent } from '../agent/create-deep-agent';
import type { InterruptOn } from '../agent/middleware/interrupt-on';
import { ScriptedModel, type ScriptedStep } from '../agent/testing/scripted-model';
import { deepAgentHost } from './deep-agent';
import type { AcpHost, AcpSession } from './host';
import { createAcpAgent } from './server';
import { checkedStream, connectedStreams } from './testing/protocol-check';

const info = { name: 'test', title: 'Test', version: '1.0.0' };
const HERE: NewSessionRequest = { cwd: '/work', mcpServers: [] };
const WRITE: ScriptedStep = { calls: [{ name: 'write_file', args: { file_path: '/a.md', content: 'x' } }] };

const agentOf = (
  next: ConstructorParameters<typeof ScriptedModel>[0],
  interruptOn: InterruptOn = { write_file: true },
) => createDeepAgent({ model: new ScriptedModel(next), checkpointer: new MemorySaver(), interruptOn });

/** Runs an editor on a host. All that the agent sends must fit the protocol's schema. */
async function inEditor(
  host: AcpHost,
  work: (agent: ClientContext) => Promise<void>,
  answer: (request: RequestPermissionRequest) => string | object = () => 'approve',
) {
  const ends = connectedStreams();
  const { stream, problems } = checkedStream(ends.editor);
  createAcpAgent(host).connect(ends.agent);
  await client()
    .onNotification(methods.client.session.update, () => undefined)
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const answered = answer(params);
      if (typeof answered === 'object') return answered as RequestPermissionResponse;
      return { outcome: { outcome: 'selected', optionId: answered } };
    })
    .connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
      await work(agent);
    });
  expect(problems).toEqual([]);
}

const open = async (agent: ClientContext) => (await agent.request(methods.agent.session.new, HERE)).sessionId;
const say = (agent: ClientContext, sessionId: string, text = 'go') =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
const withAgent = (createAgent: () => ReturnType<typeof agentOf>) => deepAgentHost({ info, createAgent });

/** A host whose sessions count how often they were made and closed. */
function countingHost(wait: Promise<void> = Promise.resolve()) {
  const count = { made: 0, closed: 0 };
  const session = async (id: string): Promise<AcpSession> => {
    count.made++;
    await wait;
    return {
      id,
      modes: () => null,
      setMode: async () => undefined,
      options: () => [],
      setOption: async () => undefined,
      commands: async () => [],
      history: () => [],
      prompt: async () => 'end_turn',
      close: async () => void count.closed++,
    };
  };
  const host: AcpHost = {
    info,
    create: () => session('one'),
    load: (id) => session(id),
    list: async () => ({ sessions: [] }),
  };
  return { host, count };
}

it('opens a session once that is loaded twice at the same time', async () => {
  const { host, count } = countingHost();
  await inEditor(host, async (agent) => {
    const load = () => agent.request(methods.agent.session.load, { sessionId: 'one', ...HERE });
    await Promise.all([load(), load()]);
    expect(count).toEqual({ made: 1, closed: 0 });
  });
  await expect.poll(() => count.closed).toBe(1);
});

it('loads a session that is closing once it has closed', async () => {
  const { host } = countingHost();
  const order: string[] = [];
  let finish = () => {};
  const stopped = new Promise<void>((resolve) => (finish = resolve));
  const slow: AcpHost = {
    ...host,
    create: async (place) => {
      const close = () => stopped.then(() => void order.push('closed'));
      return { ...(await host.create(place)), close };
    },
    load: (id, place) => {
      order.push('loaded');
      return host.load(id, place);
    },
  };
  await inEditor(slow, async (agent) => {
    const sessionId = await open(agent);
    const closed = agent.request(methods.agent.session.close, { sessionId });
    const loaded = agent.request(methods.agent.session.load, { sessionId, ...HERE });
    await agent.request(methods.agent.session.list, {});
    finish();
    await Promise.all([closed, loaded]);
    expect(order).toEqual(['closed', 'loaded']);
    expect(await say(agent, sessionId)).toEqual({ stopReason: 'end_turn' });
  });
});

it('refuses a message without content, which the thread would keep', async () => {
  const host = withAgent(() => agentOf(() => ({ text: 'Hello.' })));
  await inEditor(host, async (agent) => {
    const sessionId = await open(agent);
    for (const text of ['', ' \n'])
      await expect(say(agent, sessionId, text)).rejects.toMatchObject({ code: -32602 });
    expect(await say(agent, sessionId)).toEqual({ stopReason: 'end_turn' });
  });
});

it('closes a session whose editor disconnects while it is made', async () => {
  let finish = () => {};
  const { host, count } = countingHost(new Promise((resolve) => (finish = resolve)));
  await inEditor(host, async (agent) => {
    open(agent).catch(() => undefined);
    await expect.poll(() => count.made).toBe(1);
  });
  finish();
  await expect.poll(() => count.closed).toBe(1);
});

it('refuses to load an open session for another folder', async () => {
  await inEditor(countingHost().host, async (agent) => {
    const sessionId = await open(agent);
    for (const cwd of ['/elsewhere', 'work', ''])
      await expect(
        agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] }),
      ).rejects.toMatchObject({ code: -32602 });
    await agent.request(methods.agent.session.load, { sessionId, cwd: '/work/', mcpServers: [] });
  });
});

it('lists the sessions of a folder, and refuses a relative folder and an unknown cursor', async () => {
  const host = withAgent(() => agentOf(() => ({ text: 'Done.' })));
  await inEditor(host, async (agent) => {
    const { list, new: start } = methods.agent.session;
    const { sessionId } = await agent.request(start, { cwd: '/work/', mcpServers: [] });
    await agent.request(start, { cwd: '/other', mcpServers: [] });
    const { sessions } = await agent.request(list, { cwd: '/work/../work' });
    expect(sessions).toMatchObject([{ sessionId, cwd: '/work' }]);
    const codeOf = (params: { cwd?: string; cursor?: string }) =>
      agent.request(list, params).catch((error: RequestError) => error.code);
    expect(await codeOf({ cwd: 'work' })).toBe(-32602);
    expect(await codeOf({ cwd: '' })).toBe(-32602);
    expect(await codeOf({ cursor: 'next' })).toBe(-32602);
  });
});

it('says that an editor cannot ask, and asks again later', async () => {
  const asked: string[] = [];
  const host = withAgent(() => agentOf((_, request) => (request === 0 ? WRITE : { text: 'Done.' })));
  await inEditor(
    host,
    async (agent) => {
      const sessionId = await open(agent);
      await expect(say(agent, sessionId)).rejects.toMatchObject({
        code: -32603,
        message: expect.stringContaining('did not ask about the call'),
      });
      expect(await say(agent, sessionId)).toEqual({ stopReason: 'end_turn' });
    },
    ({ toolCall }) => {
      asked.push(toolCall.toolCallId);
      if (asked.length === 1) throw RequestError.methodNotFound('session/request_permission');
      return 'approve';
    },
  );
  expect(asked[1]).toBe(asked[0]);
});

it.each([
  [{}, 'rejects'],
  [{ outcome: null }, 'rejects'],
  [{ outcome: { outcome: 'cancelled', optionId: 'approve' } }, 'cancels'],
  [{ outcome: { outcome: 'perhaps', optionId: 'approve' } }, 'cancels'],
])('grants nothing for the answer %j', async (wrong, effect) => {
  const host = withAgent(() => agentOf((_, request) => (request === 0 ? WRITE : { text: 'Done.' })));
  await inEditor(
    host,
    async (agent) => {
      const prompt = say(agent, await open(agent));
      if (effect === 'cancels') expect(await prompt).toEqual({ stopReason: 'cancelled' });
      else
        await expect(prompt).rejects.toMatchObject({
          code: -32603,
          message: 'The editor answered a permission request without an outcome.',
        });
    },
    () => wrong,
  );
});

it('tells the person why a model failed, and continues', async () => {
  const host = withAgent(() =>
    agentOf((_, request) => {
      if (request === 0) throw new Error('The key was revoked.');
      return { text: 'Hello.' };
    }),
  );
  await inEditor(host, async (agent) => {
    const sessionId = await open(agent);
    await expect(say(agent, sessionId)).rejects.toMatchObject({
      code: -32603,
      message: 'The key was revoked.',
    });
    expect(await say(agent, sessionId)).toEqual({ stopReason: 'end_turn' });
  });
});

it('tells the person why there is no agent', async () => {
  const host = withAgent(() => {
    throw new Error('No model is configured.');
  });
  await inEditor(host, async (agent) => {
    await expect(open(agent)).rejects.toMatchObject({ message: 'No model is configured.' });
  });
});

it('says which decisions an editor cannot make', async () => {
  const only: InterruptOn = { write_file: { allowedDecisions: ['respond'] } };
  const host = withAgent(() => agentOf(() => WRITE, only));
  await inEditor(host, async (agent) => {
    await expect(say(agent, await open(agent))).rejects.toMatchObject({
      message: expect.stringContaining('write_file waits for one of these: respond'),
    });
  });
});

/** The calls that one prompt asks about, each answered the same. */
async function idsAsked(host: AcpHost, answer: 'approve' | 'reject'): Promise<string[]> {
  const ids: string[] = [];
  await inEditor(
    host,
    async (agent) => {
      await say(agent, await open(agent));
    },
    ({ toolCall }) => {
      ids.push(toolCall.toolCallId);
      return answer;
    },
  );
  return ids;
}

it('asks about calls with the same arguments under their own ids', async () => {
  const [call] = WRITE.calls ?? [];
  const host = withAgent(() =>
    agentOf((_, request) => (request === 0 && call ? { calls: [call, call] } : { text: 'Done.' })),
  );
  expect(await idsAsked(host, 'approve')).toEqual(['call-0-0', 'call-0-1']);
});

it('ends a prompt that the person cancels, and a session that closes, while the editor does not answer', async () => {
  let isAsked = () => {};
  const never = new Promise<object>(() => {});
  const host = withAgent(() => agentOf(() => WRITE));
  await inEditor(
    host,
    async (agent) => {
      const { cancel, close } = methods.agent.session;
      for (const end of [
        (sessionId: string) => agent.notify(cancel, { sessionId }),
        (sessionId: string) => agent.request(close, { sessionId }),
      ]) {
        const sessionId = await open(agent);
        const asked = new Promise<void>((resolve) => (isAsked = resolve));
        const prompt = say(agent, sessionId);
        await asked;
        void end(sessionId);
        expect(await prompt).toEqual({ stopReason: 'cancelled' });
      }
    },
    () => {
      isAsked();
      return never;
    },
  );
});

it('asks about the calls of parallel sub-agents under different ids', async () => {
  const host = withAgent(() =>
    agentOf((messages) => {
      const [task] = messages.filter((message) => message.getType() === 'human').slice(-1);
      if (messages.some((message) => message.getType() === 'tool')) return { text: 'Done.' };
      if (task?.text !== 'go') return WRITE;
      const call = (description: string) => ({
        name: 'task',
        args: { description, subagent_type: 'general-purpose' },
      });
      return { calls: [call('one'), call('two')] };
    }),
  );
  const ids = await idsAsked(host, 'reject');
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(2);
});

it('rejects content that the protocol does not have, and keeps the session', async () => {
  const host = withAgent(() => agentOf(() => ({ text: 'Hello.' })));
  await inEditor(host, async (agent) => {
    const sessionId = await open(agent);
    const bad: unknown[] = [
      [{ type: 'hologram', data: '' }],
      [{ type: 'image', mimeType: 'image/png' }],
      [{ type: 'resource', resource: { uri: 'file:///a' } }],
      'go',
      [null],
    ];
    for (const prompt of bad)
      await expect(
        agent.request(methods.agent.session.prompt, { sessionId, prompt } as never),
      ).rejects.toMatchObject({ code: -32602 });
    const resource = { uri: 'file:///%E0%A4%A', text: 'broken name' };
    expect(
      await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: 'resource', resource }],
      }),
    ).toEqual({ stopReason: 'end_turn' });
  });
});

it('rejects modes and options that it does not have', async () => {
  const host = withAgent(() => agentOf(() => ({ text: 'Hello.' })));
  await inEditor(host, async (agent) => {
    const sessionId = await open(agent);
    const refused = { code: -32602 };
    await expect(
      agent.request(methods.agent.session.setMode, { sessionId, modeId: '__proto__' }),
    ).rejects.toMatchObject(refused);
    for (const value of ['x', true] as never[])
      await expect(
        agent.request(methods.agent.session.setConfigOption, { sessionId, configId: 'model', value }),
      ).rejects.toMatchObject(refused);
    const gone = { sessionId: 'nobody', modeId: 'x' };
    await expect(agent.request(methods.agent.session.setMode, gone)).rejects.toMatchObject({ code: -32002 });
  });
});

it('refuses a second prompt and a cancel of another session, and both prompts end', async () => {
  const host = withAgent(() => agentOf(() => ({ text: 'Hello.' })));
  await inEditor(host, async (agent) => {
    const [one, two] = [await open(agent), await open(agent)];
    const running = say(agent, one);
    const again = say(agent, one);
    await agent.notify(methods.agent.session.cancel, { sessionId: two });
    await agent.notify(methods.agent.session.cancel, { sessionId: 7 } as never);
    await expect(again).rejects.toMatchObject({ code: -32602 });
    expect(await running).toEqual({ stopReason: 'end_turn' });
    expect(await say(agent, two)).toEqual({ stopReason: 'end_turn' });
  });
});
