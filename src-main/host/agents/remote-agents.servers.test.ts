import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RemoteAgentDraft, RemoteTask } from '../../contract/agents';
import { INSTALL_WITHIN, startLangGraph } from '../../harness/agent/testing/langgraph-server/start-server';
import { SlowModel } from '../testing/slow-model';
import { isIdle, isWaiting, setUp } from '../testing/window';

vi.setConfig({ testTimeout: 180_000 });

let url: string;
let close: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  ({ url, close } = await startLangGraph());
}, INSTALL_WITHIN);
afterAll(() => close(), INSTALL_WITHIN);

const start = (description: string) => ({
  name: 'start_async_task',
  args: { agentName: 'worker', description },
});

describe("a remote agent on LangGraph's development server", () => {
  it('is found by a test, works on a task, is steered, and is cancelled', async () => {
    const draft: RemoteAgentDraft = {
      name: 'worker',
      description: 'Works.',
      address: url,
      graph: 'worker',
      header: 'x-api-key',
      projectId: null,
    };
    const t = await setUp();
    const test = (graph: string) =>
      t.window.client.call('agents.test', { draft: { ...draft, graph }, secret: null, id: null });
    expect(await test('worker')).toMatchObject({ ok: true });
    expect(await test('nothing')).toMatchObject({ ok: false, error: { code: 'remote_agent_none' } });
    await t.window.must('agents.add', { draft, secret: null });
    SlowModel.into(t.host, [[start('slowly, the harbour')], ['Started.']]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.allow(0);
    await t.window.until(isIdle);

    const { threadId } = t;
    const task = async (): Promise<RemoteTask | undefined> => {
      const { tasks }: { tasks: RemoteTask[] } = await t.window.must('agents.tasks', { threadId });
      return tasks[0];
    };
    const id = { threadId, taskId: (await task())?.taskId };
    /** Asks the server until the task is in that state. */
    const comes = (state: Partial<RemoteTask>) =>
      vi.waitFor(
        async () => {
          await t.window.must('agents.check', id);
          expect(await task()).toMatchObject(state);
        },
        { timeout: 120_000, interval: 100 },
      );
    await comes({ status: 'running', problem: null });
    await t.window.must('agents.steer', { ...id, text: 'only the lighthouse' });
    await comes({ status: 'success', report: 'Report on: only the lighthouse' });
    await t.window.must('agents.steer', { ...id, text: 'slowly again' });
    await comes({ status: 'running' });
    await t.window.must('agents.cancel', id);
    expect(await task()).toMatchObject({ status: 'cancelled' });
    await comes({ status: 'cancelled' });
  });
});
