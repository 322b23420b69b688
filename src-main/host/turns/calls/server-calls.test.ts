import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ThreadState } from '../../../contract/conversation';
import type { McpServers } from '../../../contract/mcp';
import { because } from '../../../contract/shared/reasons';
import { ScriptedModel, type ScriptedStep } from '../../../harness/agent/testing/scripted-model';
import { isIdle, isWaiting, setUp } from '../../testing/window';
import { recoverTurns } from '../turn-recovery';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

const TRIAL = join(import.meta.dirname, '../../../../e2e/support/mcp-server.mjs');
const asksForm = ({ approvals }: ThreadState) => approvals[0]?.preview.kind === 'form';

/** Notes the names of the tools in each request. */
class NotingModel extends ScriptedModel {
  readonly offered: string[][] = [];
  /** What each request says of `add`. */
  readonly described: string[] = [];
  override bindTools(tools: readonly unknown[] = []): this {
    const named = tools as { name?: unknown; description?: unknown; schema?: { required?: unknown } }[];
    this.offered.push(named.map(({ name }) => String(name)));
    const add = named.find(({ name }) => name === 'trial__add');
    this.described.push(JSON.stringify([add?.description, add?.schema?.required]));
    return this;
  }
}

/** A turn whose only call is allowed and runs. */
async function running(name: string, args: Record<string, unknown> = {}, fault = '') {
  const call = { calls: [{ name: `trial__${name}`, args }] };
  const t = await scripted([call], fault);
  await t.say('go');
  await t.window.until(isWaiting(1));
  await t.window.decide(0, { type: 'approve' });
  return t;
}

/** A thread whose model answers with these, one after another, and a server that is ready. */
async function scripted(answers: ScriptedStep[], fault = '') {
  const t = await setUp();
  const mcpServers = { trial: { command: process.execPath, args: [TRIAL, 'stdio', fault] } };
  writeFileSync(join(t.dataDir, 'mcp.json'), JSON.stringify({ mcpServers }));
  const model = new NotingModel((_messages, request) => answers[request] ?? { text: 'Done.' });
  const forRun = t.host.models.forRun.bind(t.host.models);
  t.host.models.forRun = async (...asked) => {
    const run = await forRun(...asked);
    if (run.ok) run.value.first.chat = model;
    return run;
  };
  await soon(async () => {
    const { servers }: McpServers = await t.window.must('mcp.list', { projectId: t.projectId });
    expect(servers.map(({ state }) => state.phase)).toEqual(['ready']);
  });
  return { ...t, model };
}

describe('a question of a server during its call', () => {
  it('can be a page that the call needs first, which opens only after the answer', async () => {
    const t = await running('page_first', { marker: '/nowhere' }, 'old');
    const { approvals } = await t.window.until(asksForm);
    expect(approvals).toMatchObject([
      {
        preview: {
          step: 'first',
          url: expect.stringMatching(/^https:\/\/accounts\.example\.com\//) as unknown,
        },
        reason: [because('mcp_page_first')],
      },
    ]);
    // The test's window does not open it.
    await t.window.decide(0, { type: 'respond', text: '{}' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status, result }) => [status, result])).toEqual([
      ['failed', expect.stringContaining('The person declined, so it was not run.')],
    ]);
  });

  it('waits as a card, and the answer goes to the server', async () => {
    const t = await running('ask');
    const { approvals, turn } = await t.window.until(asksForm);
    expect(turn.phase).toBe('running');
    expect(approvals).toMatchObject([
      {
        tool: 'trial__ask',
        preview: { server: 'trial', message: 'Which table would you like?' },
        reason: [because('mcp_server_asks')],
        risk: 'low',
        allowed: ['respond', 'reject'],
      },
    ]);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['waiting']);
    expect(await t.window.must('inbox.list', {})).toMatchObject({ waiting: [{ approval: approvals[0] }] });
    await t.window.decide(0, { type: 'respond', text: '{"name":"Ada","guests":2}' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status, result }) => [status, result])).toEqual([
      ['done', '{"action":"accept","content":{"name":"Ada","guests":2}}'],
    ]);
  });

  it('can be declined, and only that', async () => {
    const t = await running('ask');
    await t.window.until(asksForm);
    const [approval] = t.window.state?.approvals ?? [];
    const refused = await t.window.client.call('thread.decide', {
      threadId: t.threadId,
      approvalId: approval?.id ?? '',
      digest: approval?.digest ?? '',
      decision: { type: 'approve' },
    } as never);
    expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    await t.window.decide(0, { type: 'reject' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ result }) => result)).toEqual(['{"action":"decline"}']);
  });

  it('is withdrawn when the person stops the turn', async () => {
    const t = await running('ask');
    await t.window.until(asksForm);
    await t.window.must('thread.stop', { threadId: t.threadId });
    const state = await t.window.until(isIdle);
    expect(state.approvals).toEqual([]);
    expect(t.host.storage.approvals.allWaiting()).toEqual([]);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('no longer waits after Deepdesk has exited', async () => {
    const t = await running('ask');
    await t.window.until(asksForm);
    const { storage, turns } = t.host;
    const thread = (id: Parameters<typeof turns.thread>[0]) => turns.thread(id);
    // The lease of this process is released as by its exit.
    storage.leases.release(t.threadId);
    await recoverTurns({ storage, report: () => undefined, thread }, null);
    expect(storage.approvals.allWaiting()).toEqual([]);
    expect(t.window.state?.turn.phase).toBe('interrupted');
  });
});

it('shows the progress of a call until its end', async () => {
  const marker = join((await setUp()).folder, 'seen');
  const t = await running('steps', { marker });
  await t.window.until((state) =>
    state.messages.some(
      (message) => message.role === 'agent' && message.calls.some(({ progress }) => progress !== undefined),
    ),
  );
  expect(t.window.calls[0]).toMatchObject({
    status: 'running',
    progress: { done: 1, total: 2, message: 'Step 1' },
  });
  writeFileSync(marker, '');
  await t.window.until(isIdle);
  expect(t.window.calls[0]).not.toHaveProperty('progress');
  expect(t.window.calls[0]).toMatchObject({ status: 'done', result: 'Both steps are done.' });
});

it('tells why a call failed as a code, which the window words, and the model in English', async () => {
  const t = await running('crash');
  await t.window.until(isIdle);
  expect(t.window.calls.map(({ status, failure, result }) => [status, failure, result])).toEqual([
    [
      'failed',
      [
        because('mcp_call_lost', { server: 'trial', tool: 'crash' }),
        because('mcp_exited', { status: '3' }),
        because('mcp_call_effect_unknown'),
      ],
      expect.stringContaining('stopped before it answered crash. It exited (code 3). Whether') as unknown,
    ],
  ]);
});

describe('a tool that a server changes during a turn', () => {
  it('is offered, asked about and run in the same turn when the server adds it', async () => {
    const t = await scripted([
      { calls: [{ name: 'trial__grow', args: { name: 'later' } }] },
      { calls: [{ name: 'trial__later', args: {} }] },
    ]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    const { approvals } = await t.window.until(
      (state) => isWaiting(1)(state) && state.approvals[0]?.tool === 'trial__later',
    );
    expect(approvals[0]?.reason).toEqual([because('mcp_tool', { server: 'trial' })]);
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status, result }) => [status, result])).toEqual([
      ['done', 'Grown.'],
      ['done', 'later was called.'],
    ]);
    const offered = t.model.offered.map((names) => names.filter((name) => name === 'trial__later').length);
    expect(offered).toEqual([0, 1, 1]);
  });

  it('is offered and checked with its new arguments when the server changes them', async () => {
    const t = await scripted([
      { calls: [{ name: 'trial__change', args: { name: 'add', argument: 'sum' } }] },
      { calls: [{ name: 'trial__add', args: { a: 1, b: 2 } }] },
      { calls: [{ name: 'trial__add', args: { sum: '1 + 2' } }] },
    ]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    const { approvals } = await t.window.until(
      (state) => isWaiting(1)(state) && state.approvals[0]?.tool === 'trial__add',
    );
    expect(approvals[0]?.args).toEqual({ sum: '1 + 2' });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status, refused }) => [status, refused])).toEqual([
      ['done', undefined],
      ['failed', [because('arguments_wrong', { why: [because('form_missing', { names: 'sum' })] })]],
      ['done', undefined],
    ]);
    const changed = '["Changed.",["sum"]]';
    expect(t.model.described).toEqual(['["Adds two numbers.",["a","b"]]', changed, changed, changed]);
  });

  it('is offered as the server has it now, when the server removes it and adds another of its name', async () => {
    const t = await scripted([
      { calls: [{ name: 'trial__shrink', args: { name: 'add' } }] },
      { calls: [{ name: 'trial__grow', args: { name: 'add' } }] },
    ]);
    await t.say('go');
    for (const _call of [1, 2]) {
      await t.window.until(isWaiting(1));
      await t.window.decide(0, { type: 'approve' });
      await t.window.until((state) => !isWaiting(1)(state));
    }
    await t.window.until(isIdle);
    expect(t.model.described).toEqual(['["Adds two numbers.",["a","b"]]', '[null,null]', '["New.",[]]']);
  });

  it('is no longer offered when the server removes it', async () => {
    const t = await scripted([{ calls: [{ name: 'trial__shrink', args: { name: 'add' } }] }]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.model.offered.map((names) => names.includes('trial__add'))).toEqual([true, false]);
    expect(t.model.offered.map((names) => names.includes('trial__echo'))).toEqual([true, true]);
  });
});
