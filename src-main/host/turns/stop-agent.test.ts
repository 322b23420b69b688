import { describe, expect, it } from 'vitest';
import type { ThreadState } from '../../contract/conversation';
import type { CallId } from '../../contract/ids';
import { STOPPED_BY_PERSON } from '../../harness/agent/stopped';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, WITHOUT_LAYERS } from '../testing/window';

const tasks = (window: FakeWindow) => window.calls.filter((call) => call.name === 'task');
const commands = (window: FakeWindow) => window.calls.filter((call) => call.name === 'execute');
const isRunning = (count: number) => (state: ThreadState) =>
  state.messages
    .flatMap((m) => (m.role === 'agent' ? m.calls : []))
    .filter((call) => call.name === 'execute' && call.status === 'running').length === count;

/** A command that requires approval in every mode. */
const ASKED = 'touch made.txt && sleep 300';

describe('stopping one sub-agent', () => {
  it('stops its commands and tells the agent, while its sibling continues and the turn ends normally', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    const stop = (callId: CallId | undefined) =>
      t.window.client.call('thread.stopCall', { threadId: t.threadId, callId: callId as CallId });
    await t.say(`delegate: run ${ASKED} + delegate: run touch b.txt && echo second`);
    await t.window.until(isWaiting(2));
    const first = t.window.state?.approvals.findIndex((one) => JSON.stringify(one.args).includes('sleep'));
    await t.window.decide(first ?? 0, { type: 'approve' });
    await t.window.until(isRunning(1));
    const [long, other] = tasks(t.window);
    expect(await stop(long?.callId)).toEqual({ ok: true, value: {} });
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(tasks(t.window).map(({ callId, status }) => [callId, status])).toEqual([
      [long?.callId, 'cancelled'],
      [other?.callId, 'done'],
    ]);
    expect(tasks(t.window)[0]?.result).toBe(STOPPED_BY_PERSON);
    expect(
      commands(t.window)
        .map((call) => call.status)
        .sort(),
    ).toEqual(['cancelled', 'done']);
    expect(await stop(long?.callId)).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    expect(await stop(commands(t.window)[0]?.callId)).toMatchObject({
      ok: false,
      error: { kind: 'invalid' },
    });
  });

  it('withdraws its pending approvals and lets the turn end', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    await t.say(`delegate: run ${ASKED}`);
    await t.window.until(isWaiting(1));
    const callId = tasks(t.window)[0]?.callId;
    await t.window.must('thread.stopCall', { threadId: t.threadId, callId });
    const state = await t.window.until(isIdle);
    expect(state.approvals).toEqual([]);
    expect(tasks(t.window).map((call) => call.status)).toEqual(['cancelled']);
    expect(t.reports).toEqual([]);
  });

  it('lasts across a restart: a stopped sub-agent does not continue', async () => {
    const t = await setUp(WITHOUT_LAYERS);
    await t.say(`delegate: run ${ASKED} + delegate: run touch c.txt && echo second`);
    await t.window.until(isWaiting(2));
    const [stopped] = tasks(t.window);
    const asked = t.window.state?.approvals.find((one) => JSON.stringify(one.args).includes('sleep'));
    await t.window.must('thread.stopCall', { threadId: t.threadId, callId: stopped?.callId });
    expect(t.window.state?.approvals.some((one) => one.id === asked?.id)).toBe(false);
    await t.window.until(isWaiting(1));
    await cleanups.pop()?.();
    const again = await startHost(t.dataDir, [], WITHOUT_LAYERS);
    cleanups.push(() => again.close());
    const window = new FakeWindow(again);
    await window.open(t.threadId);
    await window.until(isWaiting(1));
    await window.decide(0, { type: 'approve' });
    await window.until(isIdle);
    expect(tasks(window).map((call) => call.status)).toEqual(['cancelled', 'done']);
    expect(commands(window).filter((call) => call.status === 'done')).toHaveLength(1);
  });
});
