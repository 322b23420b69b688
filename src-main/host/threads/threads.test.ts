import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Project, ThreadSummary } from '../../contract/app';
import type { ThreadId } from '../../contract/ids';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, setUp, startHost, temp } from '../testing/window';

type Setup = Awaited<ReturnType<typeof setUp>>;
const summary = (t: Setup, id = t.threadId): ThreadSummary | null => t.host.storage.threads.summary(id);
const projectOf = (t: Setup): Project | null => t.host.storage.projects.get(t.projectId);
const list = (t: Setup) => t.host.storage.projects.list();

/** A host whose folder dialog returns these folders in turn. */
async function withDialog(folders: (string | null)[]): Promise<Setup> {
  return setUp({
    desktop: {
      chooseFolder: async () => folders.shift() ?? null,
      reveal: () => undefined,
      openExternal: async () => false,
      keychain: null,
    },
  });
}

describe('the list of threads', () => {
  it('keeps pins and archives, one per thread at most, and updates every window', async () => {
    const t = await setUp();
    await t.window.must('app.open', {});
    const mark = (marks: object) => t.window.must('thread.mark', { threadId: t.threadId, ...marks });
    expect(await mark({ pinned: true })).toMatchObject({ pinned: true });
    expect(await mark({ archived: true })).toMatchObject({ archived: true });
    expect(summary(t)?.pinned).toBeUndefined();
    expect(await mark({ pinned: true })).toMatchObject({ pinned: true });
    expect(summary(t)?.archived).toBeUndefined();
    const told = t.window.events.filter((event) => event.type === 'summary.changed');
    expect(told).toHaveLength(3);
  });

  it("shows which threads have answers since the person's last visit", async () => {
    const t = await setUp();
    await t.window.must('app.open', {});
    await t.say('hello');
    const state = await t.window.until(isIdle);
    expect(summary(t)?.unread).toBe(true);
    await t.window.must('thread.seen', { threadId: t.threadId, seq: state.seq });
    expect(summary(t)?.unread).toBeUndefined();
    expect(t.window.events.at(-1)).toMatchObject({ type: 'summary.changed', summary: { id: t.threadId } });
  });

  it('does not mark a turn as unread that the person stopped', async () => {
    const t = await setUp();
    await t.say('create a.txt with "hello"');
    await t.window.until(isWaiting(1));
    await t.window.must('thread.stop', { threadId: t.threadId });
    await t.window.until(isIdle);
    expect(summary(t)?.unread).toBeUndefined();
  });

  it('duplicates a thread with all messages, and both continue independently', async () => {
    const t = await setUp();
    await t.say('hello apple');
    const before = await t.window.until(isIdle);
    const copy: ThreadSummary = await t.window.must('thread.duplicate', { threadId: t.threadId });
    expect(copy).toMatchObject({ title: `${before.thread.title} (2)`, status: 'idle' });
    const window = new FakeWindow(t.host);
    await window.open(copy.id);
    expect(window.state?.messages.map(({ id }) => id)).toEqual(before.messages.map(({ id }) => id));
    await window.must('thread.send', { threadId: copy.id, text: 'hello pear' });
    await window.until((state) => isIdle(state) && state.messages.length > before.messages.length);
    expect(t.window.state?.messages).toHaveLength(before.messages.length);
  });

  it('numbers duplicates, and keeps a number in brackets that the title had before', async () => {
    const t = await setUp();
    const { threadId } = t;
    await t.window.must('thread.rename', { threadId, title: 'Budget (2026)' });
    const again = (id: string): Promise<ThreadSummary> =>
      t.window.must('thread.duplicate', { threadId: id as ThreadSummary['id'] });
    const copy = await again(threadId);
    expect(copy.title).toBe('Budget (2026) (2)');
    expect((await again(threadId)).title).toBe('Budget (2026) (3)');
    expect((await again(copy.id)).title).toBe('Budget (2026) (4)');
  });

  it('duplicates a thread without messages', async () => {
    const t = await setUp();
    expect(await t.window.must('thread.duplicate', { threadId: t.threadId })).toMatchObject({ title: '' });
  });
});

describe('the list of projects', () => {
  it("keeps the person's order, with new ones on top", async () => {
    const t = await setUp();
    const add = async () => {
      const opened = await t.host.projects.open(temp('more'));
      if (!opened.ok) throw new Error(inEnglish(opened.error));
      return opened.value.id;
    };
    const [b, c] = [await add(), await add()];
    await t.window.must('project.move', { projectId: b, before: t.projectId });
    await t.window.must('project.move', { projectId: c, before: null });
    const ranks = Object.fromEntries(list(t).map(({ id, rank }) => [id, rank]));
    expect(ranks).toEqual({ [b]: 0, [t.projectId]: 1, [c]: 2 });
    const d = await add();
    expect(list(t).find(({ id }) => id === d)?.rank).toBeUndefined();
    // A reopened project keeps its place and name.
    await t.window.must('project.rename', { projectId: b, name: 'Notes' });
    const folder = list(t).find(({ id }) => id === b)?.folder ?? '';
    expect(await t.host.projects.open(folder)).toMatchObject({ ok: true, value: { rank: 0, name: 'Notes' } });
  });

  it('restores a removed project with its threads, and deletes them permanently after a while', async () => {
    const t = await setUp();
    await t.say('hello');
    await t.window.until(isIdle);
    await t.window.must('project.remove', { projectId: t.projectId });
    expect([list(t), t.host.storage.threads.summaries()]).toEqual([[], []]);
    await t.window.must('project.restore', { projectId: t.projectId });
    expect(t.host.storage.threads.summaries().map(({ id }) => id)).toEqual([t.threadId]);
    await t.window.must('project.remove', { projectId: t.projectId });
    expect(await t.host.storage.purge(Date.now() - 1_000)).toEqual([]);
    expect(await t.host.storage.purge(Date.now() + 1_000)).toEqual([t.threadId]);
    const saved = { configurable: { thread_id: t.threadId } };
    expect(await t.host.storage.checkpointer.getTuple(saved)).toBeUndefined();
  });

  it('starts nothing in a removed project, and changes none of its settings', async () => {
    const t = await setUp();
    await t.window.must('project.remove', { projectId: t.projectId });
    const { projectId, threadId } = t;
    expect(await t.window.client.call('thread.send', { threadId, text: 'hello' })).toMatchObject({
      ok: false,
      error: { kind: 'not_found', code: 'thread_project_removed' },
    });
    for (const [command, input] of [
      ['thread.create', {}],
      ['project.rename', { name: 'Notes' }],
      ['project.setMode', { mode: 'plan', loosen: false }],
      ['project.setSandbox', { on: true }],
      ['secrets.guard', { on: true, confirmed: true }],
    ] as const)
      expect([command, await t.window.client.call(command, { projectId, ...input } as never)]).toMatchObject([
        command,
        { ok: false, error: { code: 'project_not_listed' } },
      ]);
    expect([list(t), t.host.storage.threads.summaries()]).toEqual([[], []]);
    await t.host.projects.open(t.folder);
    await t.say('hello');
    await t.window.until(isIdle);
  });

  it('refuses a title that shows nothing, and keeps no spaces around a title', async () => {
    const t = await setUp();
    const rename = (title: string) => t.window.client.call('thread.rename', { threadId: t.threadId, title });
    for (const title of ['  \t', '\u200b\u200b', ' \u2800\u3164 ', '\ufe0f'])
      expect(await rename(title)).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await rename('👩‍👩‍👧‍👦')).toMatchObject({ ok: true });
    expect(await rename(' Notes ')).toMatchObject({ ok: true });
    expect(t.host.storage.threads.summaries().map(({ title }) => title)).toEqual(['Notes']);
  });

  it('shows every window the threads of a removed project whose folder is opened again', async () => {
    const t = await setUp();
    await t.window.must('app.open', {});
    await t.say('hello');
    await t.window.until(isIdle);
    await t.window.must('project.remove', { projectId: t.projectId });
    const before = t.window.events.length;
    await t.host.projects.open(t.folder);
    // An answer follows the events before it.
    await t.window.must('app.open', {});
    expect(t.window.events.slice(before)).toMatchObject([
      { type: 'project.changed', project: { id: t.projectId } },
      { type: 'summary.changed', summary: { id: t.threadId } },
    ]);
  });

  it('deletes the terminals of a thread with it', async () => {
    const t = await setUp();
    await t.say('run echo hello > a.txt');
    await t.window.until(isWaiting(1));
    await t.window.allow(0);
    await t.window.until(isIdle);
    expect(t.host.storage.terminals.ofThread(t.threadId)).toHaveLength(1);
    await t.window.must('thread.delete', { threadId: t.threadId });
    await t.host.storage.purge(Date.now() + 1_000);
    expect(t.host.storage.terminals.ofThread(t.threadId)).toEqual([]);
  });
});

describe('a missing folder', () => {
  it("pauses running work, which continues at the folder's new place", async () => {
    const place = temp('place');
    const moved = join(place, 'moved');
    const t = await withDialog([moved]);
    await t.window.must('app.open', {});
    await t.say('run sleep 300');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(() => t.window.calls.some(({ terminalId }) => terminalId !== undefined));
    renameSync(t.folder, moved);
    await t.window.must('project.look', { projectId: t.projectId });
    const state = await t.window.until(({ turn }) => turn.phase === 'interrupted');
    expect(projectOf(t)?.missing).toBe(true);
    expect(state.messages.at(-1)).toMatchObject({
      role: 'notice',
      error: { kind: 'folder_gone' },
      actions: ['continue'],
    });
    const { project }: { project: Project } = await t.window.must('project.reattach', {
      projectId: t.projectId,
    });
    expect(project).toMatchObject({
      id: t.projectId,
      name: 'moved',
      folder: moved,
      mount: moved,
      missing: false,
    });
    expect(t.reports).toEqual([]);
  });

  it('pauses a new turn instead of failing it', async () => {
    const t = await setUp();
    const aside = `${t.folder}-aside`;
    renameSync(t.folder, aside);
    cleanups.push(() => renameSync(aside, t.folder));
    await t.say('hello');
    const state = await t.window.until(({ turn }) => turn.phase === 'interrupted');
    expect(state.messages.at(-1)).toMatchObject({ error: { kind: 'folder_gone' } });
    expect(projectOf(t)?.missing).toBe(true);
    cleanups.pop();
    renameSync(aside, t.folder);
    await t.window.must('thread.retry', { threadId: t.threadId });
    await t.window.until(isIdle);
    expect(projectOf(t)?.missing).toBe(false);
  });

  it('pauses a turn that fails before anybody noticed the missing folder', async () => {
    const t = await setUp();
    const aside = `${t.folder}-aside`;
    const model = SlowModel.into(t.host, []);
    model._streamResponseChunks = () => {
      renameSync(t.folder, aside);
      cleanups.push(() => renameSync(aside, t.folder));
      throw new Error('Whatever fails without the folder.');
    };
    await t.say('hello');
    const state = await t.window.until(({ turn }) => turn.phase === 'interrupted' || turn.phase === 'failed');
    expect(state.messages.at(-1)).toMatchObject({
      role: 'notice',
      error: { kind: 'folder_gone' },
      actions: ['continue'],
    });
    expect(projectOf(t)?.missing).toBe(true);
  });

  it("cannot be replaced by another project's folder or a whole disk, or while the agent works", async () => {
    const other = temp('other');
    const name = temp('named');
    const t = await withDialog([other, '/', null, name]);
    await t.host.projects.open(other);
    const attach = () => t.window.client.call('project.reattach', { projectId: t.projectId });
    expect(await attach()).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    expect(await attach()).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await attach()).toEqual({ ok: true, value: { project: null } });
    await t.window.must('project.rename', { projectId: t.projectId, name: 'Mine' });
    expect(await attach()).toMatchObject({ ok: true, value: { project: { name: 'Mine', folder: name } } });
    await t.say('run sleep 300');
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(({ turn }) => turn.phase === 'running');
    expect(await attach()).toMatchObject({ ok: false, error: { kind: 'conflict' } });
    await t.window.must('thread.stop', { threadId: t.threadId });
  });
});

describe('several windows', () => {
  it('show requested content in the last active one', async () => {
    const t = await setUp();
    const other = new FakeWindow(t.host);
    await t.window.must('app.open', {});
    await other.must('app.open', {});
    const show = (id: ThreadId) => t.host.hub.app({ type: 'show.thread', threadId: id });
    const shown = () =>
      [t.window, other].map(({ events }) => events.filter(({ type }) => type === 'show.thread').length);
    // Each reply arrives after the events before it.
    const settle = () => Promise.all([t.window, other].map((window) => window.must('project.offers', {})));
    show(t.threadId);
    await settle();
    expect(shown()).toEqual([0, 1]);
    await t.window.must('window.front', {});
    show(t.threadId);
    await settle();
    expect(shown()).toEqual([1, 1]);
    t.window.client.close();
  });

  it('check for missing folders when they get focus', async () => {
    const t = await setUp();
    const aside = `${t.folder}-aside`;
    renameSync(t.folder, aside);
    await t.window.must('window.front', {});
    expect(projectOf(t)?.missing).toBe(true);
    renameSync(aside, t.folder);
    await t.window.must('window.front', {});
    expect(projectOf(t)?.missing).toBe(false);
  });

  it('open where supported, with names that are only keys', async () => {
    const views: string[] = [];
    const dataDir = temp('data');
    mkdirSync(dataDir, { recursive: true });
    const host = await startHost(dataDir, [], {
      desktop: {
        chooseFolder: async () => null,
        reveal: () => undefined,
        openExternal: async () => false,
        keychain: null,
        openWindow: (view) => [...views, view],
      },
    });
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    expect(await window.client.call('window.open', { view: 'a-1' })).toEqual({
      ok: true,
      value: { views: ['a-1'] },
    });
    expect(await window.client.call('window.open', { view: '../a' })).toMatchObject({
      error: { kind: 'invalid' },
    });
    const t = await setUp();
    expect(await t.window.client.call('window.open', { view: 'a' })).toMatchObject({
      error: { kind: 'unsupported' },
    });
  });
});
