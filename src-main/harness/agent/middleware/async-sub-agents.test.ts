import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import * as published from 'deepagents';
import { modelRetryMiddleware } from 'langchain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDeepAgent } from '../create-deep-agent';
import { ScriptedModel, type ScriptedStep } from '../testing/scripted-model';
import { createAsyncSubAgentMiddleware, isAsyncSubAgent } from './async-sub-agents';
import type { AsyncTask } from './async-tasks';
import { createCompletionCallbackMiddleware } from './completion-callback';

interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

/** A server with LangGraph's paths. Runs have the status that the test sets. */
let asked: Asked[];
let status: string;
/** Requests that are carried out, and whose answers are lost. */
let lost: RegExp | null;
/** Requests that are not carried out. */
let refused: RegExp | null;
let refusals: number;
let server: Server;
let url: string;

const ANSWERS: [RegExp, (path: string) => unknown][] = [
  [/^POST \/threads$/, () => ({ thread_id: 'remote-1' })],
  [/^POST \/threads\/[^/]+\/runs$/, () => ({ run_id: `run-${asked.length}` })],
  [/^POST .*\/cancel/, () => ({})],
  [/^GET .*\/runs\//, () => ({ status })],
  [
    /^GET .*\/runs\?/,
    () =>
      asked
        .flatMap(({ path, body: { metadata } }, at) =>
          /^POST .*\/runs$/.test(path) ? [{ run_id: `run-${at + 1}`, metadata }] : [],
        )
        .reverse(),
  ],
  [/^GET .*\/state/, () => ({ values: { messages: [{ type: 'ai', content: 'The report.' }] } })],
];

beforeEach(async () => {
  asked = [];
  status = 'running';
  lost = null;
  refused = null;
  refusals = 0;
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = `${request.method} ${request.url}`;
    if (refused?.test(path)) {
      refusals += 1;
      response.writeHead(503).end();
      return;
    }
    asked.push({ path, headers: request.headers, body: text === '' ? {} : JSON.parse(text) });
    if (lost?.test(path)) {
      response.destroy();
      return;
    }
    const answer = ANSWERS.find(([pattern]) => pattern.test(path))?.[1];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.(path) ?? { detail: 'no such path' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise<unknown>((resolve) => server.close(resolve)));

const researcher = () => ({
  name: 'researcher',
  description: 'Researches.',
  graphId: 'research',
  url,
  headers: { authorization: 'Bearer trial' },
});

const call = (name: string, args: Record<string, unknown>): ScriptedStep => ({ calls: [{ name, args }] });
const START = call('start_async_task', { agentName: 'researcher', description: 'Find out.' });
const ON_IT = { taskId: 'remote-1' };

type Create = typeof createDeepAgent;

/** Runs one call after the other in one thread. Returns what each said, and the tasks at the end. */
async function inThread(create: Create, steps: ScriptedStep[], between: (step: number) => void = () => {}) {
  const agent = create({
    model: new ScriptedModel((messages) => {
      const done = messages.filter((message) => ToolMessage.isInstance(message)).length;
      between(done);
      return steps[done] ?? { text: 'Done.' };
    }),
    checkpointer: new MemorySaver(),
    subagents: [researcher()],
  });
  const config = { configurable: { thread_id: 'parent' } };
  const state = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, config);
  const { messages, asyncTasks } = state as unknown as {
    messages: ToolMessage[];
    asyncTasks: Record<string, AsyncTask>;
  };
  const said = messages.filter((message) => ToolMessage.isInstance(message));
  return { said: said.map(({ text, status: how }) => ({ text, how })), asyncTasks };
}

const STEPS = [
  START,
  call('check_async_task', ON_IT),
  call('update_async_task', { ...ON_IT, message: 'Be brief.' }),
  call('list_async_tasks', {}),
  call('check_async_task', ON_IT),
];

describe('tasks on a LangGraph server', () => {
  it('are started, checked, updated and listed, with the headers and the thread to tell', async () => {
    const { said, asyncTasks } = await inThread(createDeepAgent, STEPS, (step) => {
      if (step === 4) status = 'success';
    });
    expect(said.map(({ text }) => text)).toEqual([
      expect.stringContaining('remote-1'),
      expect.stringContaining('running'),
      expect.stringContaining('remote-1'),
      expect.stringContaining('status: running'),
      JSON.stringify({ status: 'success', threadId: 'remote-1', result: 'The report.' }),
    ]);
    expect(asyncTasks['remote-1']).toMatchObject({
      agentName: 'researcher',
      status: 'success',
      description: 'Be brief.',
    });
    const [thread, first, , update] = asked;
    expect(thread?.headers).toMatchObject({ authorization: 'Bearer trial', 'x-auth-scheme': 'langsmith' });
    expect(first?.body).toMatchObject({
      assistant_id: 'research',
      input: { messages: [{ role: 'user', content: 'Find out.' }], callbackThreadId: 'parent' },
    });
    expect(update?.body).toMatchObject({ multitask_strategy: 'interrupt' });
  });

  it('ask a server for the same as in the published package', async () => {
    const requests = async (create: Create) => {
      asked = [];
      status = 'running';
      const steps = [...STEPS, call('cancel_async_task', ON_IT)];
      const { asyncTasks } = await inThread(create, steps);
      const { createdAt: _, updatedAt: __, checkedAt: ___, ...task } = asyncTasks['remote-1'] ?? {};
      return { task, asked: asked.map(({ path, body }) => ({ path, body })) };
    };
    const theirs = await requests(published.createDeepAgent as unknown as Create);
    const mine = await requests(createDeepAgent);
    expect(mine.asked).toEqual(theirs.asked);
    // They forget what the task was once it is checked.
    expect(mine.task).toEqual({ ...theirs.task, description: 'Be brief.' });
  });

  it('stay cancelled, and are cancelled once', async () => {
    const cancel = call('cancel_async_task', ON_IT);
    const { said, asyncTasks } = await inThread(createDeepAgent, [START, cancel, cancel], () => {
      status = 'interrupted';
    });
    expect(said.at(-1)?.text).toContain('cancelled');
    expect(asyncTasks['remote-1']?.status).toBe('cancelled');
    expect(asked.filter(({ path }) => path.includes('/cancel'))).toHaveLength(1);
  });

  it.each([
    ['running', 'error', 'may still be cancelled', 'running'],
    ['interrupted', 'success', 'Cancelled', 'cancelled'],
    ['success', 'success', 'had ended already', 'success'],
  ])('whose cancellation got no answer, and that are %s then, say so', async (then, how, text, known) => {
    const { said, asyncTasks } = await inThread(
      createDeepAgent,
      [START, call('cancel_async_task', ON_IT)],
      (step) => {
        if (step === 1) [lost, status] = [/\/cancel/, then];
      },
    );
    expect(said.at(-1)).toEqual({ how, text: expect.stringContaining(text) });
    expect(asyncTasks['remote-1']?.status).toBe(known);
    expect(asked.filter(({ path }) => path.includes('/cancel'))).toHaveLength(1);
  });

  it('are started once if the answer is lost', async () => {
    lost = /^POST .*\/runs$/;
    const { said, asyncTasks } = await inThread(createDeepAgent, [START, call('check_async_task', ON_IT)]);
    expect(asked.filter(({ path }) => lost?.test(path))).toHaveLength(1);
    expect(said.map(({ how }) => how)).toEqual(['success', 'success']);
    expect(asyncTasks['remote-1']).toMatchObject({ taskId: 'remote-1', runId: 'run-2', status: 'running' });
  });

  it('get new instructions once if the answer is lost', async () => {
    const update = call('update_async_task', { ...ON_IT, message: 'only the lighthouse' });
    const { said, asyncTasks } = await inThread(createDeepAgent, [START, update], (step) => {
      if (step === 1) lost = /^POST .*\/runs$/;
    });
    expect(asked.filter(({ path }) => lost?.test(path))).toHaveLength(2);
    expect(said.map(({ how }) => how)).toEqual(['success', 'success']);
    expect(asyncTasks['remote-1']).toMatchObject({ runId: 'run-3', description: 'only the lighthouse' });
  });

  it('get no new instructions if the server refuses them', async () => {
    const update = call('update_async_task', { ...ON_IT, message: 'only the lighthouse' });
    const { said, asyncTasks } = await inThread(createDeepAgent, [START, update], (step) => {
      if (step === 1) refused = /^POST .*\/runs$/;
    });
    expect(said.map(({ how }) => how)).toEqual(['success', 'error']);
    expect(asyncTasks['remote-1']).toMatchObject({ runId: 'run-2', description: 'Find out.' });
  });

  it('are not started if the server refuses them, or is gone', async () => {
    lost = /runs/;
    const { said, asyncTasks } = await inThread(createDeepAgent, [START]);
    expect(said).toEqual([
      { how: 'error', text: expect.stringContaining('could not start the task of researcher') },
    ]);
    expect(asyncTasks).toEqual({});
  });

  it('report errors to the model: unknown agents and tasks', async () => {
    const { said } = await inThread(createDeepAgent, [
      call('start_async_task', { agentName: 'nobody', description: 'x' }),
      call('check_async_task', { taskId: 'nothing' }),
      call('list_async_tasks', {}),
    ]);
    expect(said).toEqual([
      { how: 'error', text: expect.stringContaining('the types are researcher') },
      { how: 'error', text: expect.stringContaining("no task 'nothing'") },
      { how: 'success', text: 'There are no such tasks.' },
    ]);
  });

  it('are for agents with different names, and not for the task tool', () => {
    const twice = [researcher(), researcher()];
    expect(() => createAsyncSubAgentMiddleware({ asyncSubAgents: twice })).toThrow('researcher');
    expect(() => createAsyncSubAgentMiddleware({ asyncSubAgents: [] })).toThrow('At least one');
    expect([isAsyncSubAgent(researcher()), isAsyncSubAgent({ name: 'x' })]).toEqual([true, false]);
    const model = new ScriptedModel(() => ({ text: '' }));
    expect(() =>
      createDeepAgent({ model, subagents: [researcher()], tools: [{ name: 'check_async_task' } as never] }),
    ).toThrow('check_async_task');
  });
});

describe('an agent that somebody waits for', () => {
  const finish = (input: object, step: ScriptedStep | Error, to = url) => {
    const errors: unknown[] = [];
    const model = new ScriptedModel(() => {
      if (step instanceof Error) throw step;
      return step;
    });
    const notifier = createCompletionCallbackMiddleware({
      callbackGraphId: 'parent-graph',
      url: to,
      onError: (error) => errors.push(error),
    });
    const agent = createDeepAgent({ model, middleware: [notifier], checkpointer: new MemorySaver() });
    const messages = [{ role: 'user', content: 'go' }];
    const ended = agent
      .invoke({ messages, ...input } as never, { configurable: { thread_id: 'own' } })
      .catch(() => 'failed');
    return { ended, errors };
  };
  const told = () => asked.map(({ path, body }) => ({ path, body }));

  it('tells them that it has finished, with the start of a long report', async () => {
    await finish({ callbackThreadId: 'parent' }, { text: 'x'.repeat(600) }).ended;
    const [{ path, body } = {}] = told();
    expect(path).toBe('POST /threads/parent/runs');
    expect(body).toMatchObject({ assistant_id: 'parent-graph' });
    const text = JSON.stringify(body);
    expect(text).toContain('[task_id=own]Completed. Result: x');
    expect(text).toContain('check_async_task');
    expect(text).not.toContain('x'.repeat(501));
  });

  it('tells them once if the answer is lost, and again if the server was away', async () => {
    lost = /^POST .*\/runs$/;
    const unheard = finish({ callbackThreadId: 'parent' }, { text: 'Done.' });
    await unheard.ended;
    expect(told().filter(({ path }) => path === 'POST /threads/parent/runs')).toHaveLength(1);
    lost = null;
    asked = [];
    refused = /runs/;
    const away = finish({ callbackThreadId: 'parent' }, { text: 'Done.' });
    await expect.poll(() => refusals).toBeGreaterThan(0);
    refused = null;
    await away.ended;
    expect(told().filter(({ path }) => path === 'POST /threads/parent/runs')).toHaveLength(1);
    expect([unheard.errors, away.errors]).toEqual([[], []]);
  });

  it('tells them that its model failed, without the details', async () => {
    const { ended } = finish({ callbackThreadId: 'parent' }, new Error('secret address'));
    expect(await ended).toBe('failed');
    expect(JSON.stringify(told())).toContain('encountered an error');
    expect(JSON.stringify(told())).not.toContain('secret');
  });

  it('tells them only how it finished if a failed request is repeated', async () => {
    const model = new ScriptedModel((_messages, request) => {
      if (request < 2) throw new Error('busy');
      return { text: 'Done.' };
    });
    const notifier = createCompletionCallbackMiddleware({ callbackGraphId: 'parent-graph', url });
    const retry = modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 0 });
    const agent = createDeepAgent({ model, middleware: [retry, notifier] });
    await agent.invoke({ messages: [new HumanMessage('go')], callbackThreadId: 'parent' } as never);
    expect(model.requests).toHaveLength(3);
    expect(told()).toHaveLength(1);
    expect(JSON.stringify(told())).toContain('Completed. Result: Done.');
  });

  it('tells them nothing about a fork, which has its middleware, too', async () => {
    const model = new ScriptedModel((messages, request) =>
      request === 0
        ? call('task', { description: 'a part', subagent_type: 'fork' })
        : { text: messages.at(-1)?.text.includes('a part') ? 'A part.' : 'All.' },
    );
    const notifier = createCompletionCallbackMiddleware({ callbackGraphId: 'parent-graph', url });
    const fork = { name: 'fork', description: 'd', mode: 'fork' as const };
    const agent = createDeepAgent({ model, middleware: [notifier], subagents: [fork] });
    await agent.invoke({ messages: [new HumanMessage('go')], callbackThreadId: 'parent' } as never);
    expect(model.requests).toHaveLength(3);
    expect(told()).toHaveLength(1);
    expect(JSON.stringify(told())).toContain('Completed. Result: All.');
  });

  it('tells nobody if nobody waits, and finishes if they cannot be told', async () => {
    await finish({}, { text: 'Done.' }).ended;
    expect(told()).toEqual([]);
    const { ended, errors } = finish({ callbackThreadId: 'parent' }, { text: 'Done.' }, `${url}/nowhere`);
    expect(await ended).not.toBe('failed');
    expect(errors).toHaveLength(1);
  });
});
