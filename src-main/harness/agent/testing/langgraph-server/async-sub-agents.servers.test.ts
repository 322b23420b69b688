import { ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { Client } from '@langchain/langgraph-sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AsyncTask, createDeepAgent } from '../../../index';
import { ScriptedModel, type ScriptedStep } from '../scripted-model';
import { INSTALL_WITHIN, startLangGraph } from './start-server';

vi.setConfig({ testTimeout: 180_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 120_000, interval: 100 });

let url: string;
let close: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  ({ url, close } = await startLangGraph());
}, INSTALL_WITHIN);
afterAll(() => close(), INSTALL_WITHIN);

const step = (name: string, args: Record<string, unknown>): ScriptedStep => ({ calls: [{ name, args }] });

/** A parent agent in this process, whose thread has an id of the server. */
async function parentAgent() {
  const client = new Client({ apiUrl: url, apiKey: null });
  const { thread_id } = await client.threads.create();
  const config = { configurable: { thread_id } };
  let next: ScriptedStep = {};
  const agent = createDeepAgent({
    model: new ScriptedModel((messages) =>
      ToolMessage.isInstance(messages.at(-1)) ? { text: 'Done.' } : next,
    ),
    checkpointer: new MemorySaver(),
    subagents: [
      { name: 'worker', description: 'Works.', graphId: 'worker', url, headers: { 'x-trial': '1' } },
    ],
  });
  /** Makes one call. Returns what it said, and the thread's tasks. */
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    next = step(name, args);
    const state = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, config);
    const { asyncTasks = {} } = state as unknown as { asyncTasks?: Record<string, AsyncTask> };
    const said = state.messages.findLast((message) => ToolMessage.isInstance(message));
    return { text: said?.text ?? '', tasks: Object.values(asyncTasks) };
  };
  const start = async (description: string) => {
    const { tasks } = await call('start_async_task', { agentName: 'worker', description });
    return tasks.at(-1)?.taskId ?? '';
  };
  /** The messages that the parent's thread on the server got. */
  const told = async () => {
    const { values } = await client.threads.getState<{ messages?: { content: unknown }[] }>(thread_id);
    return (values.messages ?? []).map(({ content }) => String(content));
  };
  return { call, start, told };
}

describe("sub-agents on LangGraph's development server", () => {
  it('start in the background, report, and tell the parent', async () => {
    const { call, start, told } = await parentAgent();
    const taskId = await start('the harbour');
    await soon(async () => {
      const { text, tasks } = await call('check_async_task', { taskId });
      expect(JSON.parse(text)).toEqual({
        status: 'success',
        threadId: taskId,
        result: 'Report on: the harbour',
      });
      expect(tasks).toMatchObject([{ taskId, agentName: 'worker', status: 'success' }]);
    });
    await soon(async () =>
      expect(await told()).toEqual([
        `[task_id=${taskId}]Completed. Result: Report on: the harbour`,
        expect.stringContaining('Noted: '),
      ]),
    );
  });

  it('take new instructions while they work', async () => {
    const { call, start } = await parentAgent();
    const taskId = await start('slowly, the harbour');
    await soon(async () => expect((await call('check_async_task', { taskId })).text).toContain('running'));
    const { text } = await call('update_async_task', { taskId, message: 'only the lighthouse' });
    expect(text).toContain(taskId);
    await soon(async () =>
      expect((await call('check_async_task', { taskId })).text).toContain('Report on: only the lighthouse'),
    );
  });

  it('are cancelled, and listed with their current statuses', async () => {
    const { call, start, told } = await parentAgent();
    const [slow, quick] = [await start('slowly'), await start('quick')];
    await soon(async () => {
      const { text } = await call('list_async_tasks');
      expect(text).toContain(`${slow} agent: worker status: running`);
      expect(text).toContain(`${quick} agent: worker status: success`);
    });
    expect((await call('cancel_async_task', { taskId: slow })).text).toContain('Cancelled');
    expect((await call('list_async_tasks', { statusFilter: 'cancelled' })).text).toContain(slow);
    expect((await call('check_async_task', { taskId: slow })).text).toContain('cancelled');
    await soon(async () => expect((await told()).join()).toContain(quick));
    expect((await told()).join()).not.toContain(slow);
  });

  it('report a server or a graph that is not there', async () => {
    const model = new ScriptedModel((messages) =>
      ToolMessage.isInstance(messages.at(-1))
        ? { text: 'Done.' }
        : step('start_async_task', { agentName: 'nobody', description: 'x' }),
    );
    const subagents = [{ name: 'nobody', description: 'Is not there.', graphId: 'nothing', url }];
    const agent = createDeepAgent({ model, subagents });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] });
    expect(messages.find((message) => ToolMessage.isInstance(message))).toMatchObject({ status: 'error' });
  });
});
