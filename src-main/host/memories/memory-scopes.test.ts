import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { MemoryEntry } from '../../contract/app';
import type { MemoryVersion, UsedMemory } from '../../contract/commands/memories';
import type { ProjectId, ThreadId } from '../../contract/ids';
import { openStorage } from '../../storage';
import { openDatabase } from '../../storage/database/open';
import { migrations } from '../../storage/migrations';
import { FakeWindow, isIdle, setUp, temp } from '../testing/window';

type Set = Awaited<ReturnType<typeof setUp>>;

async function otherProject({ host }: Set): Promise<{ window: FakeWindow; projectId: ProjectId }> {
  const opened = await host.projects.open(temp('other'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const projectId = opened.value.id;
  const window = new FakeWindow(host);
  const { id }: { id: ThreadId } = await window.must('thread.create', { projectId });
  await window.open(id);
  return { window, projectId };
}

async function pathsOf(window: FakeWindow, projectId: ProjectId | null, filter = {}): Promise<string[]> {
  const asked = { projectId, filter, offset: 0, limit: 100 };
  const { memories }: { memories: MemoryEntry[] } = await window.must('memories.find', asked);
  return memories.map(({ path }) => path).toSorted();
}

const write = (window: FakeWindow, projectId: ProjectId, path: string, text: string) =>
  window.must('memories.write', { path, text, expectedUpdatedAt: null, projectId });

async function say(window: FakeWindow, text: string): Promise<void> {
  const threadId = window.state?.thread.id as ThreadId;
  await window.must('thread.send', { threadId, text });
  await window.until(isIdle);
}

it('saves only one of two edits that two windows save at once', async () => {
  const t = await setUp();
  const windows = [t.window, new FakeWindow(t.host)];
  const { projectId } = t;
  // Each time with another text: what changes nothing is no edit that the other one could overwrite.
  const save = (word: string, expectedUpdatedAt: number | null) =>
    Promise.all(
      windows.map(({ client }, at) => {
        const text = `${word} ${at}`;
        return client.call('memories.write', {
          path: '/memories/new.md',
          text,
          expectedUpdatedAt,
          projectId,
        });
      }),
    );
  const created = await save('new', null);
  expect(created).toMatchObject([{ ok: true }, { ok: false, error: { code: 'memory_exists_choose' } }]);
  const [first] = created;
  const changed = await save('changed', first?.ok ? first.value.memory.updatedAt : null);
  expect(changed).toMatchObject([{ ok: true }, { ok: false, error: { code: 'memory_edited_meanwhile' } }]);
});

it('shows a project its own memories and those for everywhere, to the person and to the agent', async () => {
  const t = await setUp();
  const other = await otherProject(t);
  await t.say('remember color: blue as the sea');
  await t.window.until(isIdle);
  await write(t.window, t.projectId, '/memories/shared/sky.md', 'the sky is blue too');
  await write(other.window, other.projectId, '/memories/color.md', 'red');

  expect(await pathsOf(t.window, t.projectId)).toEqual(['/memories/color.md', '/memories/shared/sky.md']);
  expect(await pathsOf(t.window, t.projectId, { scope: 'project' })).toEqual(['/memories/color.md']);
  expect(await pathsOf(t.window, t.projectId, { scope: 'everywhere' })).toEqual(['/memories/shared/sky.md']);
  expect(await pathsOf(t.window, null)).toEqual(['/memories/shared/sky.md']);
  expect(await pathsOf(other.window, other.projectId, { query: 'blue' })).toEqual([
    '/memories/shared/sky.md',
  ]);

  await say(other.window, 'what do you remember about blue');
  expect(other.window.lastAnswer).toContain('the sky is blue too');
  expect(other.window.lastAnswer).not.toContain('blue as the sea');
  const unseen = await t.window.client.call('memories.read', { path: '/memories/color.md' });
  expect(unseen).toMatchObject({ ok: false, error: { kind: 'not_found' } });
});

it('moves a memory with its versions between a project and everywhere, and undoes its call there', async () => {
  const t = await setUp();
  const other = await otherProject(t);
  await t.say('remember color: blue');
  await t.window.until(isIdle);
  const written = t.window.calls.find((call) => call.memory !== undefined);
  const move = (path: string) => t.window.client.call('memories.move', { path, projectId: t.projectId });

  expect(await move('/memories/color.md')).toMatchObject({
    ok: true,
    value: { memory: { path: '/memories/shared/color.md', writtenBy: { by: 'agent' } } },
  });
  expect(await pathsOf(t.window, t.projectId)).toEqual(['/memories/shared/color.md']);
  expect(await pathsOf(other.window, other.projectId)).toEqual(['/memories/shared/color.md']);
  expect(await move('/memories/color.md')).toMatchObject({ ok: false, error: { kind: 'not_found' } });
  const { versions }: { versions: MemoryVersion[] } = await t.window.must('memories.versions', {
    path: '/memories/shared/color.md',
  });
  expect(versions.map(({ version }) => version)).toEqual([2, 1]);

  // A memory that was deleted at its destination keeps its versions, too.
  await write(t.window, t.projectId, '/memories/color.md', 'green');
  expect(await move('/memories/shared/color.md')).toMatchObject({ ok: false, error: { kind: 'conflict' } });
  await t.window.must('memories.delete', { path: '/memories/color.md', projectId: t.projectId });
  expect(await move('/memories/shared/color.md')).toMatchObject({ ok: true });
  expect(await pathsOf(other.window, other.projectId)).toEqual([]);
  const read: { text: string } = await t.window.must('memories.read', {
    path: '/memories/color.md',
    projectId: t.projectId,
  });
  expect(read.text).toContain('blue');
  const green: { memory: MemoryEntry } = await t.window.must('memories.restore', {
    path: '/memories/shared/color.md',
  });
  expect(green.memory.excerpt).toBe('green');
  await t.window.must('memories.delete', { path: '/memories/shared/color.md' });

  expect(await move('/memories/color.md')).toMatchObject({ ok: true });
  await t.window.must('memories.undo', { threadId: t.threadId, callId: written?.callId });
  expect(await pathsOf(t.window, t.projectId)).toEqual([]);
});

it('keeps what a folder name would hide where it is', async () => {
  const t = await setUp();
  const path = '/memories/shared/shared/a.md';
  await write(t.window, t.projectId, path, 'nested');
  const moved = await t.window.client.call('memories.move', { path, projectId: t.projectId });
  expect(moved).toMatchObject({ ok: false, error: { kind: 'conflict' } });
  expect(await pathsOf(t.window, t.projectId)).toEqual([path]);
});

it('keeps the memories, choices and uses from before for everywhere', async () => {
  const file = join(temp('scopes'), 'data.sqlite');
  const before = openDatabase(file, { migrations: migrations.slice(0, 15) });
  if (!before.ok) throw new Error(inEnglish(before.error));
  const { db } = before.value;
  db.exec(`
    INSERT INTO projects VALUES ('p1', '/home/me/api', 1, NULL, '{}');
    INSERT INTO threads (id, project_id, updated_at, phase, seq, deleted_at, info, turn, todos, usage, queue) VALUES ('t1', 'p1', 1, 'idle', 0, NULL, '{}', '{}', '[]', '{}', '[]');
    INSERT INTO memory_choices VALUES ('t1', '/memories/style.md', 'pinned'), ('t1', '/home/me/api/AGENTS.md', 'muted');
  `);
  const used = (path: string): UsedMemory => ({ path, how: 'read', tokens: 3, unverified: true });
  db.prepare("INSERT INTO memory_uses VALUES ('t1', 'm1', ?)").run(
    JSON.stringify([used('/memories/a"b.md'), used('/home/me/memories/c.md')]),
  );
  db.close();

  const opened = openStorage(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  onTestFinished(() => opened.value.close());
  const { browse } = opened.value;
  expect(browse.choices('t1' as ThreadId)).toEqual({
    '/home/me/api/AGENTS.md': 'muted',
    '/memories/shared/style.md': 'pinned',
  });
  expect(browse.uses('t1' as ThreadId).map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    [used('/memories/shared/a"b.md'), used('/home/me/memories/c.md')],
  ]);
});
