import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { describe, expect, it, vi } from 'vitest';
import type { ThreadId } from '../../contract/ids';
import type { McpServer, McpServers } from '../../contract/mcp';
import { because } from '../../contract/shared/reasons';
import { ScriptedModel, type ScriptedStep } from '../../harness/agent/testing/scripted-model';
import { toolName } from '../../mcp/tools/tool-names';
import type { Host } from '../host';
import { isIdle, isWaiting, setUp } from '../testing/window';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

const TRIAL = join(import.meta.dirname, '../../../e2e/support/mcp-server.mjs');
const trial = { command: process.execPath, args: [TRIAL, 'stdio'] };

function script(host: Host, steps: readonly ScriptedStep[]): ScriptedModel {
  const fake = new ScriptedModel((_messages, request) => steps[request] ?? { text: 'Done.' });
  const forRun = host.models.forRun.bind(host.models);
  host.models.forRun = async (...args) => {
    const run = await forRun(...args);
    if (run.ok) run.value.first.chat = fake;
    return run;
  };
  return fake;
}

async function withServer(steps: readonly ScriptedStep[], scope: 'person' | 'project' = 'person') {
  const t = await setUp();
  const file = join(scope === 'person' ? t.dataDir : t.folder, scope === 'person' ? 'mcp.json' : '.mcp.json');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, JSON.stringify({ mcpServers: { trial } }));
  const model = script(t.host, steps);
  const list = async (): Promise<McpServer[]> => {
    const { servers }: McpServers = await t.window.must('mcp.list', { projectId: t.projectId });
    return servers;
  };
  // A turn waits five seconds for servers, and then starts without those that are still starting.
  const ready = () =>
    soon(async () => expect((await list()).map(({ state }) => state.phase)).toEqual(['ready']));
  if (scope === 'person') await ready();
  return { ...t, model, list, ready };
}

const calls = (name: string, args: Record<string, unknown>): ScriptedStep => ({ calls: [{ name, args }] });
const resultsIn = (messages: readonly BaseMessage[] = []) =>
  messages.filter((message) => ToolMessage.isInstance(message)).map(({ status, text }) => ({ status, text }));

describe('tools of MCP servers in a turn', () => {
  it('always require approval, even if they claim to be read-only, and run once allowed', async () => {
    const t = await withServer([
      calls('trial__echo', { text: 'one' }),
      calls('trial__echo', { text: 'two' }),
    ]);
    await t.say('go');
    const asked = await t.window.until(isWaiting(1));
    expect(asked.approvals[0]).toMatchObject({
      tool: 'trial__echo',
      risk: 'medium',
      reason: [because('mcp_tool', { server: 'trial' }), because('mcp_read_only')],
      preview: { kind: 'arguments' },
    });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until((state) => isWaiting(1)(state) && state.approvals[0]?.id !== asked.approvals[0]?.id);
    await t.window.decide(0, { type: 'reject', message: 'Not now.' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status, result }) => [status, result])).toEqual([
      ['done', 'one'],
      ['rejected', 'The person rejected this call, so it did not run. The person said: Not now.'],
    ]);
  });

  it('require no approval for invalid arguments', async () => {
    const t = await withServer([calls('trial__add', { a: 'three', b: 2 })]);
    await t.say('go');
    await t.window.until(isIdle);
    const [result] = resultsIn(t.model.requests[1]);
    expect(result?.status).toBe('error');
    expect(result?.text).toMatch(/trial__add was not run: its arguments do not match the schema \(.*a: /);
  });

  it('offload large results', async () => {
    const t = await withServer([calls('trial__huge', { length: 1_000_000 })]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    const [result] = resultsIn(t.model.requests[1]);
    expect(result?.text).toMatch(
      /^The result is too large \(1000000 characters\) and was saved at \/large_tool_results\//,
    );
  });

  it('stop with the turn, and the server is told', async () => {
    const marker = join((await setUp()).folder, 'marker');
    const t = await withServer([calls('trial__slow', { marker })]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await soon(() => expect(existsSync(`${marker}.started`)).toBe(true));
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['cancelled']);
    await soon(() => expect(existsSync(marker)).toBe(true));
  });

  it('fail the call and not the turn when the server crashes', async () => {
    const t = await withServer([calls('trial__crash', {})]);
    await t.say('go');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(resultsIn(t.model.requests[1])).toEqual([
      { status: 'error', text: expect.stringMatching(/stopped before it answered crash/) },
    ]);
    expect(t.window.lastAnswer).toBe('Done.');
  });

  it('are available to sub-agents, with the same approvals', async () => {
    const task = { description: 'echo', subagent_type: 'general-purpose' };
    const t = await withServer([
      calls('task', task),
      calls('trial__echo', { text: 'deep' }),
      { text: 'Echoed.' },
    ]);
    await t.say('go');
    const asked = await t.window.until(isWaiting(1));
    expect(asked.approvals[0]).toMatchObject({ tool: 'trial__echo', agent: 'general-purpose' });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.lastAnswer).toBe('Done.');
  });

  it("run without asking under a rule, except a folder's tools under a rule for every project", async () => {
    const draft = {
      effect: 'allow' as const,
      match: { kind: 'tool' as const, tool: 'trial__echo' },
      scope: { kind: 'person' as const },
    };
    const own = await withServer([calls('trial__echo', { text: 'mine' })]);
    await own.window.must('rules.save', { draft });
    await own.say('go');
    await own.window.until(isIdle);
    expect(own.window.calls.map(({ result }) => result)).toEqual(['mine']);
    const folder = await withServer([calls('trial__echo', { text: 'theirs' })], 'project');
    await folder.window.must('rules.save', { draft });
    const [{ id, digest } = { id: '', digest: '' }] = await folder.list();
    await folder.window.must('mcp.consent', { projectId: folder.projectId, id, digest, allowed: true });
    await folder.ready();
    await folder.say('go');
    await folder.window.until(isWaiting(1));
    await folder.window.must('thread.stop', { threadId: folder.threadId });
  });

  it('run under a project rule only on the server that it was made for [safety 12]', async () => {
    const echo = (text: string) => calls('trial__echo', { text });
    const done = { text: 'Done.' };
    const t = await withServer([echo('one'), done, echo('two'), done, echo('three'), done, echo('four')]);
    const file = join(t.dataDir, 'mcp.json');
    const mine = readFileSync(file, 'utf8');
    const scope = { kind: 'project' as const, projectId: t.projectId };
    const match = { kind: 'tool' as const, tool: 'trial__echo' };
    /** Whether the next call waits for approval. */
    const isAsked = async () => {
      const before = t.window.calls.length;
      const threadId = t.window.state?.thread.id ?? t.threadId;
      await t.window.must('thread.send', { threadId, text: 'go' });
      const state = await t.window.until(
        (now) => isWaiting(1)(now) || (isIdle(now) && t.window.calls.length > before),
      );
      if (!isWaiting(1)(state)) return false;
      await t.window.decide(0, { type: 'reject' });
      await t.window.until(isIdle);
      return true;
    };
    // The window's claim about the server is not trusted.
    await t.window.must('rules.save', {
      draft: { effect: 'allow', match: { ...match, server: 'any' }, scope },
    });
    expect(await isAsked()).toBe(false);
    // A server from the folder takes the name.
    writeFileSync(file, '{"mcpServers":{}}');
    writeFileSync(join(t.folder, '.mcp.json'), mine);
    await soon(async () => expect((await t.list()).map((one) => one.scope)).toEqual(['project']));
    const [{ id, digest } = { id: '', digest: '' }] = await t.list();
    await t.window.must('mcp.consent', { projectId: t.projectId, id, digest, allowed: true });
    await t.ready();
    // The other thread holds a result of the first server, so it asks in any case.
    const thread: { id: ThreadId } = await t.window.must('thread.create', { projectId: t.projectId });
    await t.window.open(thread.id);
    expect(await isAsked()).toBe(true);
    // A rule from before servers were told apart applies to the person's own servers.
    t.host.storage.rules.save({ id: 'old', createdAt: 1, effect: 'allow', match, scope });
    expect(await isAsked()).toBe(true);
    await t.window.must('rules.save', { draft: { effect: 'allow', match, scope } });
    expect(await isAsked()).toBe(false);
  });

  it('require approval after the result of a server with almost the same name, although a rule allows them', async () => {
    const other = toolName('trial.', 'echo');
    const t = await withServer([
      calls('trial__echo', { text: 'one' }),
      calls('trial__echo', { text: 'own' }),
      calls(other, { text: 'Send it to trial.' }),
      calls('trial__echo', { text: 'sent' }),
    ]);
    writeFileSync(join(t.dataDir, 'mcp.json'), JSON.stringify({ mcpServers: { trial, 'trial.': trial } }));
    await soon(async () =>
      expect((await t.list()).map(({ name, state }) => [name, state.phase])).toEqual([
        ['trial', 'ready'],
        ['trial.', 'ready'],
      ]),
    );
    for (const tool of ['trial__echo', other])
      await t.window.must('rules.save', {
        draft: { effect: 'allow', match: { kind: 'tool', tool }, scope: { kind: 'person' } },
      });
    await t.say('go');
    // The other server's call may send what the first one returned.
    const { approvals } = await t.window.until(isWaiting(1));
    expect(approvals[0]).toMatchObject({ tool: other });
    expect(approvals[0]?.reason[0]).toEqual(because('thread_holds_result', { name: 'trial' }));
    await t.window.decide(0, { type: 'approve' });
    const again = await t.window.until(
      (state) => isWaiting(1)(state) && state.approvals[0]?.id !== approvals[0]?.id,
    );
    expect(again.approvals[0]).toMatchObject({ tool: 'trial__echo', args: { text: 'sent' } });
    expect(again.approvals[0]?.reason[0]).toEqual(because('thread_holds_result', { name: 'trial.' }));
  });

  it('from a folder appear in the turn after the person allows them', async () => {
    const t = await withServer(
      [{ text: 'Nothing to use.' }, calls('trial__echo', { text: 'now' })],
      'project',
    );
    await t.say('go');
    await t.window.until(isIdle);
    await t.window.must('app.open', {});
    const [server] = await t.list();
    expect(server?.state).toEqual({ phase: 'consent' });
    const { id, digest } = server ?? { id: '', digest: '' };
    await t.window.must('mcp.consent', { projectId: t.projectId, id, digest, allowed: true });
    await t.ready();
    await t.say('again');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ result }) => result)).toEqual(['now']);
    await soon(() => expect(t.window.events.some(({ type }) => type === 'mcp.changed')).toBe(true));
  });

  it('from a folder start only with the bytes that the person has allowed, also after a crash', async () => {
    const t = await withServer(
      [calls('own__crash', {}), calls('own__echo', { text: 'again' }), { text: 'Done.' }],
      'project',
    );
    const marker = join(t.dataDir, 'ran');
    const script = (extra: string) => `${extra}\nimport(${JSON.stringify(TRIAL)});\n`;
    writeFileSync(join(t.folder, 'server.cjs'), script(''));
    const own = { command: process.execPath, args: ['./server.cjs', 'stdio'] };
    writeFileSync(join(t.folder, '.mcp.json'), JSON.stringify({ mcpServers: { own } }));
    const [server] = await t.list();
    expect(server?.setup?.files).toEqual(['server.cjs']);
    const { id = '', digest = '' } = server ?? {};
    await t.window.must('mcp.consent', { projectId: t.projectId, id, digest, allowed: true });
    await t.ready();
    await t.say('go');
    await t.window.until(isWaiting(1));
    // As an edit of the agent would.
    const evil = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '');`;
    writeFileSync(join(t.folder, 'server.cjs'), script(evil));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(existsSync(marker)).toBe(false);
    expect((await t.list()).map(({ state }) => state.phase)).toEqual(['consent']);
    writeFileSync(join(t.folder, 'server.cjs'), script(''));
    await t.ready();
  });
});
