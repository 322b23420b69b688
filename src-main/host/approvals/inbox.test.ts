import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { english } from '../../../src-renderer/i18n/english';
import type { ActivityEntry, SinceSeen, WaitingDecision } from '../../contract/activity';
import type { RevertScope } from '../../contract/changes';
import type { RuleDraft, RulePreview } from '../../contract/control';
import { CallId, ThreadId } from '../../contract/ids';
import { because } from '../../contract/shared/reasons';
import { withCode } from '../../contract/testing/with-code';
import { allowing } from '../testing/allowing';
import { inCopies } from '../testing/copied-layers';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, WITHOUT_LAYERS } from '../testing/window';
import type { DesktopServices } from '../window/desktop-services';

type Test = Awaited<ReturnType<typeof setUp>>;

const inbox = async ({ window }: Pick<Test, 'window'>): Promise<WaitingDecision[]> =>
  ((await window.must('inbox.list', {})) as { waiting: WaitingDecision[] }).waiting;

const activity = async (t: Test, change = {}): Promise<ActivityEntry[]> => {
  const filter = { projectId: null, threadId: null, ruleId: null, query: '', looks: false, before: null };
  const page = (await t.window.must('activity.list', { ...filter, ...change })) as {
    entries: ActivityEntry[];
  };
  return page.entries;
};

const fakeDesktop = (focused: boolean) => {
  const dismiss = vi.fn();
  const desktop = {
    dismiss,
    chooseFolder: async () => null,
    reveal: () => undefined,
    openExternal: async () => false,
    keychain: null,
    notify: vi.fn<NonNullable<DesktopServices['notify']>>(() => dismiss),
    setBadge: vi.fn(),
    isFocused: () => focused,
    showWindow: vi.fn(),
  };
  return desktop satisfies DesktopServices;
};

/** Another thread of the same project with a pending approval. */
async function another(t: Test, text: string): Promise<ThreadId> {
  const { id }: { id: ThreadId } = await t.window.must('thread.create', { projectId: t.projectId });
  const window = new FakeWindow(t.host);
  await window.open(id);
  await window.must('thread.send', { threadId: id, text });
  await window.until(isWaiting(1));
  return id;
}

/** A command is asked about before it runs, or after it ran in a layer. */
const BOTH_WAYS = [
  ['before it runs', () => WITHOUT_LAYERS],
  ['after it ran in a layer', inCopies],
] as const;

describe('pending approvals', () => {
  it.each(BOTH_WAYS)('are listed over all threads and can be decided from there, %s', async (_when, host) => {
    const t = await setUp(host());
    await t.say('run touch one');
    await t.window.until(isWaiting(1));
    const other = await another(t, 'run touch two');
    const waiting = await inbox(t);
    expect(waiting.map(({ approval, title, projectId }) => [approval.threadId, title, projectId])).toEqual([
      [t.threadId, 'run touch one', t.projectId],
      [other, 'run touch two', t.projectId],
    ]);
    const second = waiting[1]?.approval;
    const decide = (digest: string) =>
      t.window.client.call('thread.decide', {
        threadId: other,
        approvalId: second?.id ?? '',
        digest,
        decision: second === undefined ? { type: 'approve' } : allowing(second),
      });
    expect(await decide('f'.repeat(64))).toMatchObject({ ok: false, error: { kind: 'stale' } });
    expect(t.reports).toEqual([expect.stringContaining('decision: ')]);
    expect(await decide(second?.digest ?? '')).toMatchObject({ ok: true });
    // The approval is used up.
    expect(await decide(second?.digest ?? '')).toMatchObject({ ok: false, error: { kind: 'not_found' } });
    await t.host.turns.settled(ThreadId.parse(other));
    expect(readdirSync(t.folder)).toEqual(['two']);
    expect(await inbox(t)).toHaveLength(1);
  });

  it('are listed after a restart without opening a thread, except those of deleted threads', async () => {
    const t = await setUp();
    cleanups.pop();
    await t.say('run touch one');
    await t.window.until(isWaiting(1));
    await another(t, 'run touch two').then((threadId) => t.window.must('thread.delete', { threadId }));
    await t.host.close();
    const host = await startHost(t.dataDir);
    cleanups.push(() => host.close());
    const waiting = await inbox({ window: new FakeWindow(host) });
    expect(waiting.map(({ approval }) => approval.args)).toEqual([{ command: 'touch one' }]);
  });

  describe.each(BOTH_WAYS)('of a call that asks %s', (_when, options) => {
    it('come back with a deleted thread and a removed project, also after a restart', async () => {
      const t = await setUp(options());
      cleanups.pop();
      const { threadId, projectId } = t;
      await t.say('run echo 1 > one.txt');
      await t.window.until(isWaiting(1));
      await t.window.must('thread.delete', { threadId });
      expect(await inbox(t)).toEqual([]);
      await t.window.must('thread.restore', { threadId });
      expect(await inbox(t)).toHaveLength(1);
      await t.window.must('project.remove', { projectId });
      expect(await inbox(t)).toEqual([]);
      const { id: approvalId, digest } = t.window.state?.approvals[0] ?? {};
      const decision = { type: 'approve' };
      const input = { threadId, approvalId, digest, decision } as never;
      expect(await t.window.client.call('thread.decide', input)).toMatchObject({
        ok: false,
        error: { code: 'thread_project_removed' },
      });
      await t.host.close();

      const host = await startHost(t.dataDir, [], options());
      cleanups.push(() => host.close());
      const window = new FakeWindow(host);
      expect(await inbox({ window })).toEqual([]);
      await window.must('project.restore', { projectId });
      expect(await inbox({ window })).toHaveLength(1);
      await window.open(threadId);
      await window.allow(0);
      await window.until(isIdle);
      expect(readdirSync(t.folder)).toEqual(['one.txt']);
    });
  });

  it('cause a notification while no window has focus, and are counted on the icon', async () => {
    const desktop = fakeDesktop(false);
    const t = await setUp({ desktop });
    await t.say('run touch one');
    await t.window.until(isWaiting(1));
    await vi.waitFor(() => expect(desktop.notify).toHaveBeenCalledTimes(1));
    expect(desktop.setBadge.mock.calls).toEqual([[1]]);
    const [note] = desktop.notify.mock.calls[0] ?? [];
    expect(note).toMatchObject({ title: 'A decision is waiting for you', body: 'run touch one: touch one' });
    await t.window.must('app.open', {});
    note?.onClick();
    expect(desktop.showWindow).toHaveBeenCalledTimes(1);
    await vi.waitFor(() =>
      expect(t.window.events.at(-1)).toEqual({
        type: 'show.inbox',
        approvalId: t.window.state?.approvals[0]?.id,
      }),
    );
    expect(desktop.dismiss).not.toHaveBeenCalled();
    await t.window.decide(0, { type: 'reject' });
    await t.window.until(isIdle);
    await vi.waitFor(() => expect(desktop.setBadge.mock.calls).toEqual([[1], [0]]));
    expect(desktop.dismiss).toHaveBeenCalledTimes(1);
  });

  it('cause a notification if a command waits for an answer in its terminal', async () => {
    const desktop = fakeDesktop(false);
    const t = await setUp({ ...WITHOUT_LAYERS, desktop });
    await t.say('run read -p "Name: " x');
    await t.window.until(isWaiting(1));
    await t.window.allow(0);
    const noted = () => desktop.notify.mock.calls.map(([note]) => note.title);
    await vi.waitFor(() => expect(noted()).toContain('A command is waiting for your answer'), 20_000);
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    await vi.waitFor(() => expect(desktop.dismiss).toHaveBeenCalledTimes(2));
  });

  it("cause a notification in the person's language", async () => {
    const desktop = { ...fakeDesktop(false), locale: () => 'zh-CN' };
    const t = await setUp({ desktop });
    writeFileSync(join(t.folder, 'old.txt'), 'x');
    await t.say('delete old.txt');
    await t.window.until(isWaiting(1));
    await vi.waitFor(() => expect(desktop.notify).toHaveBeenCalledTimes(1));
    expect(desktop.notify.mock.calls[0]?.[0]).toMatchObject({
      title: '1 项决定等待你处理',
      body: 'delete old.txt：删除 old.txt',
    });
  });

  it('cause no notification if a window has focus or the person turned it off', async () => {
    const desktop = fakeDesktop(true);
    const t = await setUp({ desktop });
    await t.say('run touch one');
    await t.window.until(isWaiting(1));
    await vi.waitFor(() => expect(desktop.setBadge).toHaveBeenCalledWith(1));
    await t.window.must('settings.change', { notifications: false });
    await vi.waitFor(() => expect(desktop.setBadge).toHaveBeenLastCalledWith(0));
    desktop.isFocused = () => false;
    await another(t, 'run touch two');
    await new Promise(setImmediate);
    expect(desktop.notify).not.toHaveBeenCalled();
  });

  it('are requested again if commands would get a different environment [safety 9]', async () => {
    const t = await setUp({ ...WITHOUT_LAYERS, env: { PATH: process.env.PATH, HOME: process.env.HOME } });
    cleanups.pop();
    await t.say('run touch one');
    const { approvals } = await t.window.until(isWaiting(1));
    await t.host.close();
    const reports: string[] = [];
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, EDITOR: 'vi' };
    const host = await startHost(t.dataDir, reports, { ...WITHOUT_LAYERS, env });
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    await window.decide(0, { type: 'approve' });
    const again = await window.until(
      (state) => isWaiting(1)(state) && state.approvals[0]?.digest !== approvals[0]?.digest,
    );
    expect(existsSync(join(t.folder, 'one'))).toBe(false);
    expect(again.approvals[0]).toMatchObject({
      reason: withCode('changed_since'),
      changed: [{ what: 'other', name: '' }],
    });
    expect(reports).toEqual([expect.stringContaining('no longer applies')]);
  });
});

describe('auto-approved actions', () => {
  it('are listed with their reason, and the rule can be revoked and the effect undone', async () => {
    const t = await setUp();
    const draft: RuleDraft = {
      effect: 'allow',
      match: { kind: 'command', words: ['touch'], exact: false },
      scope: { kind: 'project', projectId: t.projectId },
    };
    const rule: { id: string } = await t.window.must('rules.save', { draft });
    writeFileSync(join(t.folder, 'a.txt'), 'hello');
    await t.say('run touch one');
    await t.window.until((state) => isIdle(state) && t.window.calls.length === 1);
    await t.say('read a.txt');
    await t.window.until((state) => isIdle(state) && t.window.calls.length === 2);
    expect(await activity(t)).toMatchObject([
      {
        tool: 'execute',
        about: 'touch one',
        reason: [because('allowed_by_rule', { rule: 'touch …' })],
        ruleId: rule.id,
        mode: 'ask-risky',
        status: 'done',
        exitCode: 0,
        files: 1,
        undone: false,
      },
    ]);
    expect(
      (await activity(t, { looks: true })).map(({ tool, reason }) => [tool, english.sentences(reason)]),
    ).toEqual([
      ['read_file', 'Reading changes nothing.'],
      ['execute', 'Allowed by your rule "touch …".'],
    ]);
    await t.window.must('rules.remove', { id: rule.id });
    const [entry] = await activity(t, { ruleId: rule.id });
    const revert = async (scope: RevertScope): Promise<{ revertId: string }> =>
      t.window.must('changes.revert', { threadId: t.threadId, scope, force: false });
    const outcome = await revert({ kind: 'call', callId: CallId.parse(entry?.callId) });
    expect(readdirSync(t.folder)).toEqual(['a.txt']);
    expect((await activity(t))[0]?.undone).toBe(true);
    await revert({ kind: 'revert', revertId: outcome.revertId });
    expect((await activity(t))[0]?.undone).toBe(false);
  });

  it.each(BOTH_WAYS)(
    'include memories with their undo, and nothing that was approved by the person, if asked %s',
    async (_when, host) => {
      const t = await setUp(host());
      await t.say('run touch one');
      await t.window.until(isWaiting(1));
      await t.window.allow(0);
      await t.window.until(isIdle);
      expect(await activity(t)).toEqual([]);
      await t.say('remember that tests run with npm test');
      await t.window.until((state) => isIdle(state) && t.window.calls.length > 1);
      const [entry] = await activity(t);
      expect(entry).toMatchObject({
        reason: [because('memory_with_undo')],
        memory: { undone: false },
      });
      await t.window.must('memories.undo', { threadId: t.threadId, callId: entry?.callId });
      expect((await activity(t))[0]?.memory?.undone).toBe(true);
    },
  );

  it.each(BOTH_WAYS)(
    'are part of the calls that a rule is measured against, if asked %s',
    async (_when, host) => {
      const t = await setUp(host());
      await t.say('run touch one');
      await t.window.until(isWaiting(1));
      await t.window.allow(0);
      const { messages } = await t.window.until(isIdle);
      for (const { id } of messages) t.host.storage.messages.remove(t.threadId, id);
      const preview: RulePreview = await t.window.must('rules.preview', {
        effect: 'allow',
        match: { kind: 'command', words: ['touch'], exact: false },
        scope: { kind: 'project', projectId: t.projectId },
      } satisfies RuleDraft);
      expect(preview).toMatchObject({ checked: 1, coveredCalls: 1, covered: [{ text: 'touch one' }] });
    },
  );
});

describe('since the last visit, a thread', () => {
  it.each(BOTH_WAYS)(
    'lists what changed, ran and failed, and nothing after another visit, if asked %s',
    async (_when, host) => {
      const t = await setUp(host());
      const since = async (): Promise<SinceSeen | null> =>
        t.window.must('thread.since', { threadId: t.threadId });
      await t.window.must('thread.seen', { threadId: t.threadId, seq: t.window.state?.seq });
      expect(await since()).toBe(null);
      await t.say('run touch one; false');
      await t.window.until(isWaiting(1));
      expect(await since()).toMatchObject({ waiting: 1, commands: { run: 0 } });
      await t.window.allow(0);
      const { seq } = await t.window.until(isIdle);
      expect(await since()).toMatchObject({
        files: [{ path: 'one', change: 'added' }],
        commands: { run: 1, failedCount: 1, failed: [{ text: 'touch one; false', exitCode: 1 }] },
        memories: [],
        waiting: 0,
      });
      await t.window.must('thread.seen', { threadId: t.threadId, seq });
      expect(await since()).toBe(null);
    },
  );
});
