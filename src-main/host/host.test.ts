import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { TerminalInfo } from '../contract/app';
import type { Client } from '../contract/rpc';
import { because } from '../contract/shared/reasons';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost } from './testing/window';

/** Without a sandbox, commands that may write are not tried first. */
const ASKS = { sandbox: { kind: null, reason: because('bubblewrap_missing') } } as const;

describe('the host', () => {
  it('writes nothing before the person approves, then exactly what was shown', async () => {
    const t = await setUp();
    await t.say('create a.txt with "hello"');
    const state = await t.window.until(isWaiting(1));
    expect(readdirSync(t.folder)).toEqual([]);
    expect(state.approvals[0]?.preview).toMatchObject({ kind: 'diff', isNew: true });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'a.txt'), 'utf8')).toBe('hello');
  });

  it('reports nothing of windows that still ask while it closes and afterwards', async () => {
    const t = await setUp();
    const late = new FakeWindow(t.host);
    const ask = ({ client }: FakeWindow) => void client.call('routines.list', {});
    ask(late);
    const closed = t.host.close();
    ask(t.window);
    await closed;
    for (const window of [t.window, late, new FakeWindow(t.host)]) ask(window);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(t.reports).toEqual([]);
  });

  it('refuses a decision for other bytes, a used one, and an invalid one', async () => {
    const t = await setUp();
    await t.say('create a.txt with "hello"');
    const state = await t.window.until(isWaiting(1));
    const [approval] = state.approvals;
    if (!approval) throw new Error('Nothing waits.');
    const decide = (change: object) =>
      t.window.client.call('thread.decide', {
        threadId: t.threadId,
        approvalId: approval.id,
        digest: approval.digest,
        decision: { type: 'approve' },
        ...change,
      });
    expect(await decide({ digest: 'other' })).toMatchObject({ ok: false, error: { kind: 'stale' } });
    expect(await decide({ decision: {} })).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await decide({ decision: undefined })).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(existsSync(join(t.folder, 'a.txt'))).toBe(false);
    expect(await decide({})).toMatchObject({ ok: true });
    expect(await decide({})).toMatchObject({ ok: false, error: { kind: 'not_found' } });
    await t.window.until(isIdle);
  });

  it('does not overwrite a file that changed after the person saw the diff', async () => {
    const t = await setUp();
    writeFileSync(join(t.folder, 'a.txt'), 'old');
    await t.say('create a.txt with "new"');
    await t.window.until(isWaiting(1));
    writeFileSync(join(t.folder, 'a.txt'), 'typed by the person');
    await t.window.decide(0, { type: 'approve' });
    const state = await t.window.until((s) => isIdle(s) || s.approvals.length > 0);
    expect(readFileSync(join(t.folder, 'a.txt'), 'utf8')).toBe('typed by the person');
    expect(state.turn.phase).not.toBe('failed');
  });

  it('decides two calls of one answer separately and runs the first while the second waits', async () => {
    const t = await setUp();
    await t.say('run touch one + run touch two');
    await t.window.until(isWaiting(2));
    const first = t.window.state?.approvals.findIndex((a) => a.args.command === 'touch one') ?? -1;
    await t.window.allow(first);
    await t.window.until(isWaiting(1));
    expect(readdirSync(t.folder)).toEqual(['one']);
    await t.window.decide(0, { type: 'reject', message: 'no' });
    await t.window.until(isIdle);
    expect(readdirSync(t.folder)).toEqual(['one']);
    expect(t.window.calls.map((call) => [call.args.command, call.status]).sort()).toEqual([
      ['touch one', 'done'],
      ['touch two', 'rejected'],
    ]);
  });

  it('continues if a listener decides as soon as it is asked', async () => {
    const t = await setUp();
    t.host.hub.onThread(t.threadId, (event) => {
      if (event.type !== 'approval.requested') return;
      const { id, digest } = event.approval;
      t.host.turns
        .settled(t.threadId)
        .then(() => t.host.turns.decide(t.threadId, id, digest, { type: 'approve' }));
    });
    await t.say('create a.txt with "hello"');
    await t.window.until((state) => isIdle(state) && t.window.calls.some(({ status }) => status === 'done'));
    expect(readFileSync(join(t.folder, 'a.txt'), 'utf8')).toBe('hello');
    expect(t.window.lastAnswer).toContain('a.txt');
  });

  it('shows a pending call again after a restart and runs it once', async () => {
    const t = await setUp();
    await t.say('run echo x >> log.txt');
    const before = await t.window.until(isWaiting(1));
    await t.host.close();
    cleanups.splice(cleanups.length - 1, 1);

    const host = await startHost(t.dataDir);
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    expect(window.state?.approvals).toEqual(before.approvals);
    expect(window.state?.turn.phase).toBe('waiting');
    await window.allow(0);
    await window.until(isIdle);
    expect(readFileSync(join(t.folder, 'log.txt'), 'utf8')).toBe('x\n');
  });

  it('stops a command with all its processes', async () => {
    const t = await setUp();
    await t.say('run sleep 300 & sleep 301; echo never');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(() => t.window.calls.some((call) => call.terminalId !== undefined));
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    expect(processes(t.folder)).toEqual([]);
    expect(t.window.calls.map((call) => call.status)).toEqual(['cancelled']);
  });

  it('mirrors a command in a terminal that accepts input', async () => {
    const t = await setUp(ASKS);
    await t.window.must('app.open', {});
    await t.say('run read name; echo "got $name"');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(() => t.window.calls.some((call) => call.terminalId !== undefined));
    const terminalId = t.window.calls[0]?.terminalId;
    if (!terminalId) throw new Error('No terminal.');
    await t.window.must('terminal.attach', { terminalId });
    await t.window.must('terminal.input', { terminalId, data: 'Ada\r' });
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'done', exitCode: 0 });
    expect(t.window.calls[0]?.result).toContain('got Ada');
  });

  it('queues a message while a decision is pending, returns it on request, and sends the rest afterwards', async () => {
    const t = await setUp();
    await t.say('create a.txt with "1"');
    await t.window.until(isWaiting(1));
    expect(await t.say('list files')).toEqual({ turnId: null, queued: true });
    await t.say('read a.txt');
    const state = await t.window.until((s) => s.queue.length === 2);
    const messageId = state.queue[0]?.id;
    expect(await t.window.must('thread.withdraw', { threadId: t.threadId, messageId })).toEqual({
      text: 'list files',
    });
    await t.window.decide(0, { type: 'approve' });
    await t.window.until((s) => isIdle(s) && t.window.calls.length === 2);
    expect(t.window.calls.map((call) => call.name)).toEqual(['write_file', 'read_file']);
  });

  it("keeps the person's message without a key and continues with it on retry", async () => {
    const t = await setUp();
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'openai-compatible:none' });
    await t.say('list files');
    const failed = await t.window.until((s) => s.turn.phase === 'failed');
    expect(failed.messages.map((message) => message.role)).toEqual(['user', 'notice']);
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'offline:guide' });
    await t.window.must('thread.retry', { threadId: t.threadId });
    const state = await t.window.until(isIdle);
    expect(state.messages.map((message) => message.role)).toEqual(['user', 'agent', 'agent']);
  });

  it('retries immediately, even while the end of the turn is reported, and only once', async () => {
    const t = await setUp();
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'openai-compatible:none' });
    const retried = new Promise<unknown[]>((resolve) => {
      const unlisten = t.host.hub.onThread(t.threadId, (event) => {
        if (event.type !== 'turn.ended') return;
        unlisten();
        const { retry } = t.host.turns;
        resolve(Promise.all([1, 2].map(() => retry.call(t.host.turns, t.threadId))));
      });
    });
    await t.say('list files');
    expect(await retried).toMatchObject([{ ok: true }, { ok: false, error: { kind: 'conflict' } }]);
    await t.window.until(
      (s) =>
        s.turn.phase === 'failed' && t.window.events.filter(({ type }) => type === 'turn.ended').length === 2,
    );
  });

  it('closes once, however often close is called, before or after it finishes', async () => {
    const t = await setUp();
    await Promise.all([t.host.close(), t.host.close()]);
    await t.host.close();
    const again = await startHost(t.dataDir);
    expect(again.storage.projects.list().map(({ folder }) => folder)).toEqual([t.folder]);
    await again.close();
  });

  it('keeps queued messages when the person stops a waiting turn', async () => {
    const t = await setUp();
    await t.say('create a.txt with "1"');
    await t.window.until(isWaiting(1));
    await t.say('list files');
    await t.window.must('thread.stop', { threadId: t.threadId });
    const { queue } = await t.window.until(isIdle);
    expect(queue).toHaveLength(1);
    expect(t.window.calls.map((call) => [call.name, call.status])).toEqual([['write_file', 'cancelled']]);
    expect(readdirSync(t.folder)).toEqual([]);
  });

  it('gives the model the messages from before a turn that failed immediately', async () => {
    const t = await setUp();
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'openai-compatible:none' });
    await t.say('files *.md');
    await t.window.until((s) => s.turn.phase === 'failed');
    await t.window.must('thread.setModel', { threadId: t.threadId, model: 'offline:guide' });
    await t.say('list files');
    await t.window.until((s) => isIdle(s) && t.window.calls.length === 2);
    expect(t.window.calls.map((call) => call.name)).toEqual(['glob', 'ls']);
    const saved = await t.host.storage.checkpointer.getTuple({ configurable: { thread_id: t.threadId } });
    const messages = saved?.checkpoint.channel_values.messages as { type: string; text: string }[];
    expect(messages.filter((m) => m.type === 'human').map((m) => m.text)).toEqual([
      'files *.md',
      'list files',
    ]);
  });

  it("shows the folder at its real path, the memories, and the thread's scratch files", async () => {
    const t = await setUp(ASKS);
    writeFileSync(join(t.folder, 'a.txt'), 'one\ntwo\n');
    await t.say('run (seq 1 30000)');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    const { projectId, threadId } = t;
    const listed: { entries: { path: string }[] } = await t.window.must('files.list', {
      projectId,
      threadId,
      path: t.folder,
    });
    expect(listed.entries.map((entry) => entry.path)).toEqual([join(t.folder, 'a.txt')]);
    const page = await t.window.must('files.read', {
      projectId,
      threadId,
      path: join(t.folder, 'a.txt'),
      offset: 1,
      limit: 10,
    });
    expect(page).toMatchObject({ kind: 'text', lines: ['two'], offset: 1, nextOffset: null });
    const scratch: { entries: { path: string }[] } = await t.window.must('files.list', {
      projectId,
      threadId,
      path: '/',
    });
    expect(scratch.entries.map((entry) => entry.path)).toEqual(['/command_output']);
    const outside = await t.window.client.call('files.list', {
      projectId,
      threadId,
      path: `${t.folder}/../..`,
    });
    expect(outside.ok).toBe(false);
  });

  it('keeps a long output in full and read-only until the thread is permanently deleted', async () => {
    const t = await setUp(ASKS);
    await t.say('run (seq 1 30000)');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    const [name = ''] = readdirSync(join(t.dataDir, 'command-output', t.threadId));
    const path = `/command_output/${name}`;
    expect(name).toMatch(/\.log$/);
    const { projectId, threadId } = t;
    const read = { projectId, threadId, path, offset: 14_998, limit: 2 };
    expect(await t.window.must('files.read', read)).toMatchObject({
      lines: ['14999', '15000'],
      nextOffset: 15_000,
    });
    await t.say(`create ${path} with "other"`);
    await t.window.until((s) => s.turn.phase === 'idle' && JSON.stringify(s.messages).includes('denied'));
    const outputs = join(t.dataDir, 'command-output');
    await t.window.must('thread.delete', { threadId });
    await cleanups.pop()?.();
    const again = await startHost(t.dataDir);
    await again.close();
    // It can still be restored.
    expect(readdirSync(outputs)).toEqual([threadId]);
    vi.setSystemTime(Date.now() + 31 * 24 * 3_600_000);
    cleanups.push(() => void vi.useRealTimers());
    const last = await startHost(t.dataDir);
    await last.close();
    expect(readdirSync(outputs)).toEqual([]);
  });

  it('keeps a job running after its turn and stops it with its thread', async () => {
    const t = await setUp(ASKS);
    await t.say('run (echo hello)');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'edit', args: { command: 'echo up; sleep 61.77', background: true } });
    await t.window.until(isIdle);
    expect(t.window.calls[0]).toMatchObject({ status: 'done' });
    expect(t.window.calls[0]?.result).toMatch(
      /Started as job [0-9a-f]{8}\. All output is saved in \/command_output\//,
    );
    const running = async () => {
      const { terminals }: { terminals: TerminalInfo[] } = await t.window.must('app.open', {});
      return terminals.map(({ command, background, status }) => ({ command, background, status }));
    };
    const command = 'echo up; sleep 61.77';
    expect(await running()).toEqual([{ command, background: true, status: 'running' }]);
    await t.window.must('thread.delete', { threadId: t.threadId });
    expect(await running()).toEqual([{ command, background: true, status: 'stopped' }]);
  });

  it('ends the turn with a notice when nothing can be saved, and continues when saving works again', async () => {
    const t = await setUp();
    const { messages } = t.host.storage;
    const save = messages.save;
    await t.say('create a.txt with "1"');
    await t.window.until(isWaiting(1));
    messages.save = () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    await t.window.decide(0, { type: 'approve' });
    const failed = await t.window.until((s) => s.turn.phase === 'failed');
    expect(failed.turn).toMatchObject({ error: { kind: 'storage' } });
    expect(failed.messages.at(-1)).toMatchObject({ role: 'notice', error: { kind: 'storage' } });
    messages.save = save;
    await t.window.must('thread.retry', { threadId: t.threadId });
    const state = await t.window.until((s) => isIdle(s) || isWaiting(1)(s));
    if (state.turn.phase === 'waiting') await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.folder, 'a.txt'), 'utf8')).toBe('1');
    await t.window.open(t.threadId);
    expect(t.host.storage.messages.all(t.threadId)).toEqual(t.window.state?.messages);
    expect(t.reports.length).toBeGreaterThan(0);
  });

  it('ends each turn exactly once when stop, decide and send happen at the same moment', async () => {
    const t = await setUp();
    const both = (command: Parameters<Client['call']>[0]) =>
      Promise.all([1, 2].map(() => t.window.client.call(command, { threadId: t.threadId } as never)));
    await t.say('run echo x >> log.txt');
    await t.window.until(isWaiting(1));
    const decided = t.window.allow(0);
    const again = t.window.allow(0);
    expect([await decided, await again].map((result) => result.ok)).toEqual([true, false]);
    await both('thread.stop');
    await t.window.until(isIdle);
    expect(await both('thread.retry')).toMatchObject([{ ok: false }, { ok: false }]);
    await t.say('list files');
    await t.window.until((s) => isIdle(s) && s.messages.at(-1)?.role === 'agent');
    await t.host.turns.settled(t.threadId);
    const types = t.window.events.map((event) => event.type);
    expect(types.filter((type) => type === 'turn.started')).toHaveLength(2);
    expect(types.filter((type) => type === 'turn.ended')).toHaveLength(2);
    const open = t.window.calls.filter(({ status }) => !['done', 'cancelled'].includes(status));
    expect(open).toEqual([]);
  });

  it('refuses a decision after the turn was stopped', async () => {
    const t = await setUp();
    await t.say('create a.txt with "1"');
    const { approvals } = await t.window.until(isWaiting(1));
    await t.window.must('thread.stop', { threadId: t.threadId });
    const late = await t.window.client.call('thread.decide', {
      threadId: t.threadId,
      approvalId: approvals[0]?.id as never,
      digest: approvals[0]?.digest ?? '',
      decision: { type: 'approve' },
    });
    expect(late).toMatchObject({ ok: false, error: { kind: 'not_found' } });
    expect(readdirSync(t.folder)).toEqual([]);
  });

  it('deletes a running thread with everything it started and drops its queue', async () => {
    const t = await setUp();
    await t.say('run sleep 302');
    await t.window.until(isWaiting(1));
    await t.say('remember color: blue');
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(() => t.window.calls.some((call) => call.terminalId !== undefined));
    await t.window.must('thread.delete', { threadId: t.threadId });
    await t.host.turns.settled(t.threadId);
    expect(processes(t.folder)).toEqual([]);
    expect(await t.window.must('memories.list', { projectId: t.projectId })).toEqual({ memories: [] });
    expect((await t.window.client.call('thread.open', { threadId: t.threadId })).ok).toBe(false);
    await t.window.must('thread.restore', { threadId: t.threadId });
    await t.window.open(t.threadId);
    expect(t.window.state?.queue.map(({ text }) => text)).toEqual(['remember color: blue']);
    expect(t.window.calls.map((call) => call.status)).toEqual(['cancelled']);
    expect(t.window.state?.turn.phase).toBe('interrupted');
    expect(t.window.state?.messages.at(-1)).toMatchObject({ role: 'notice', actions: ['continue'] });
    await t.window.must('thread.retry', { threadId: t.threadId });
    await t.window.until(isWaiting(1));
  });

  it('ends a turn that cannot be prepared', async () => {
    const t = await setUp();
    t.host.models.create = () => Promise.reject(new Error('a bug'));
    await t.say('list files');
    const state = await t.window.until((s) => s.turn.phase === 'failed');
    expect(state.turn).toMatchObject({ error: { kind: 'internal', detail: 'Error: a bug' } });
    expect(t.reports).toEqual(['turn: Error: a bug']);
  });

  it('starts nothing after it begins to close', async () => {
    const t = await setUp();
    await t.say('create a.txt with "1"');
    const { approvals } = await t.window.until(isWaiting(1));
    const closing = t.host.turns.close();
    const [approval] = approvals;
    if (!approval) throw new Error('Nothing waits.');
    const { id, digest } = approval;
    expect(t.host.turns.decide(t.threadId, id, digest, { type: 'approve' })).toMatchObject({ ok: false });
    expect(t.host.turns.send(t.threadId, 'hello')).toMatchObject({ ok: false });
    await closing;
    expect(t.host.storage.approvals.waiting(t.threadId)).toHaveLength(1);
  });
});

/** Processes whose working directory is in the folder. */
function processes(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return realpathSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });
}
