import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../storage/database/open';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, isIdle, isWaiting, startHost, testDesktop } from '../testing/window';
import { ASKS, read, withPlace, write } from './testing/folder-place';

describe('a folder as a place', () => {
  it('is read, searched and listed by its path, by the agent and in the window', async () => {
    const search = { name: 'grep', args: { pattern: 'Begin', path: '/handbook' } };
    const t = await withPlace([[read, search], ['Done.']]);
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls.map(({ status }) => status)).toEqual(['done', 'done']);
    expect(t.window.calls[0]?.result).toContain('Begin here.');
    expect(t.window.calls[1]?.result).toContain('/handbook/guides/start.md');
    expect(await t.files('/handbook')).toMatchObject({
      ok: true,
      value: { entries: [{ path: '/handbook/guides', kind: 'directory' }] },
    });
    const page = { projectId: t.projectId, threadId: null, path: '/handbook/guides/start.md', offset: 0 };
    expect(await t.window.must('files.read', { ...page, limit: 10 })).toMatchObject({
      lines: ['Begin here.'],
    });
    expect((await t.list())[0]?.state).toMatchObject({ phase: 'connected', error: null });
  });

  it('tells the agent where it is', async () => {
    const t = await withPlace([['Done.']]);
    await t.say('go');
    await t.window.until(isIdle);
    expect(JSON.stringify(t.model.requests[0])).toContain(
      `Mounted at /handbook/: another folder, for the file tools. In commands, its path is ${t.place}.`,
    );
  });

  it('asks before a change, shows it, and undoes it', async () => {
    const edit = {
      name: 'edit_file',
      args: { file_path: '/handbook/guides/start.md', old_string: 'Begin', new_string: 'Start' },
    };
    const t = await withPlace([[read], [edit, write], ['Done.']]);
    await t.say('go');
    const state = await t.window.until(isWaiting(2));
    expect(state.approvals.map(({ preview }) => preview)).toMatchObject([
      { kind: 'diff', path: '/handbook/guides/start.md' },
      { kind: 'diff', path: '/handbook/guides/new.md' },
    ]);
    expect(state.approvals[0]?.reason).toEqual([{ code: 'changes_place', values: { place: '/handbook/' } }]);
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isWaiting(1));
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(readFileSync(join(t.place, 'guides/start.md'), 'utf8')).toBe('Start here.\n');
    expect(await t.window.must('changes.list', { threadId: t.threadId })).toMatchObject({
      files: [
        { path: '/handbook/guides/new.md', change: 'added', lost: false },
        { path: '/handbook/guides/start.md', change: 'changed', added: 1, removed: 1 },
      ],
    });
    const outcome = await t.window.must('changes.revert', {
      threadId: t.threadId,
      scope: { kind: 'thread' },
      force: false,
    });
    expect(outcome).toMatchObject({ status: 'done', files: 2, conflicts: [] });
    expect(readFileSync(join(t.place, 'guides/start.md'), 'utf8')).toBe('Begin here.\n');
    expect(await t.files('/handbook/guides')).toMatchObject({ value: { total: 1 } });
  });

  it('brings back a deleted folder of it', async () => {
    const gone = { name: 'delete', args: { file_path: '/handbook/guides' } };
    const t = await withPlace([[gone], ['Done.']]);
    writeFileSync(join(t.place, 'guides/more.md'), 'More.\n');
    await t.say('go');
    const state = await t.window.until(isWaiting(1));
    expect(state.approvals[0]?.reason).toMatchObject([{ code: 'deletes_from_place' }]);
    await t.window.decide(0, { type: 'approve' });
    await t.window.until(isIdle);
    expect(await t.files('/handbook')).toMatchObject({ value: { total: 0 } });
    await t.window.must('changes.revert', { threadId: t.threadId, scope: { kind: 'thread' }, force: false });
    expect(readFileSync(join(t.place, 'guides/start.md'), 'utf8')).toBe('Begin here.\n');
    expect(readFileSync(join(t.place, 'guides/more.md'), 'utf8')).toBe('More.\n');
  });

  it('leaves what somebody else changed since, unless told otherwise', async () => {
    const t = await withPlace([[write], ['Done.']], { writing: 'allow' });
    await t.say('go');
    await t.window.until(isIdle);
    writeFileSync(join(t.place, 'guides/new.md'), 'Mine.\n');
    const revert = { threadId: t.threadId, scope: { kind: 'thread' }, force: false };
    expect(await t.window.must('changes.revert', revert)).toMatchObject({
      status: 'asks',
      conflicts: [{ path: '/handbook/guides/new.md', reason: 'others' }],
    });
    expect(readFileSync(join(t.place, 'guides/new.md'), 'utf8')).toBe('Mine.\n');
  });

  it('keeps the undo of a write that a kill cut off before it was recorded', async () => {
    const edit = {
      name: 'edit_file',
      args: { file_path: '/handbook/guides/start.md', old_string: 'Begin', new_string: 'Start' },
    };
    const t = await withPlace([[read], [edit, write], ['Done.']], { writing: 'allow' });
    const file = join(t.dataDir, 'deepdesk.db');
    const change = (sql: string) => {
      const opened = openDatabase(file);
      if (!opened.ok) throw new Error('not opened');
      opened.value.db.exec(sql);
      opened.value.db.close();
    };
    // What is recorded is lost with the process, and what was written in the place is not.
    change(`CREATE TRIGGER killed BEFORE DELETE ON place_writes BEGIN SELECT RAISE(ABORT, 'killed'); END`);
    await t.say('go');
    await t.window.until(isIdle);
    const list = (window: FakeWindow) => window.must('changes.list', { threadId: t.threadId });
    expect(await list(t.window)).toMatchObject({ files: [] });
    await t.host.close();
    change('DROP TRIGGER killed');

    const again = await startHost(t.dataDir, [], ASKS);
    cleanups.push(() => again.close());
    const window = new FakeWindow(again);
    await window.open(t.threadId);
    await vi.waitFor(async () =>
      expect(await list(window)).toMatchObject({
        files: [{ path: '/handbook/guides/new.md' }, { path: '/handbook/guides/start.md' }],
      }),
    );
    const revert = { threadId: t.threadId, scope: { kind: 'thread' } };
    // A call that was cut off asks first, as in the project folder.
    expect(await window.must('changes.revert', { ...revert, force: false })).toMatchObject({
      status: 'asks',
    });
    expect(await window.must('changes.revert', { ...revert, force: true })).toMatchObject({ status: 'done' });
    expect(readFileSync(join(t.place, 'guides/start.md'), 'utf8')).toBe('Begin here.\n');
    expect(existsSync(join(t.place, 'guides/new.md'))).toBe(false);
  });

  it('is found by name, with its mount', async () => {
    const t = await withPlace();
    const find = () => t.window.must('files.find', { projectId: t.projectId, query: 'start', limit: 20 });
    await expect
      .poll(find)
      .toMatchObject({ matches: [{ path: '/handbook/guides/start.md', name: '/handbook/guides/start.md' }] });
  });

  it.skipIf(process.platform !== 'linux')('is found and opened if its name is not UTF-8', async () => {
    const t = await withPlace();
    writeFileSync(Buffer.from(`${t.place}/caf\xe9.md`, 'latin1'), 'Coffee.\n');
    const find = () => t.window.must('files.find', { projectId: t.projectId, query: 'caf', limit: 20 });
    const path = '/handbook/caf\\xe9.md';
    await expect.poll(find).toMatchObject({ matches: [{ path }] });
    const page = { projectId: t.projectId, threadId: null, path, offset: 0, limit: 10 };
    expect(await t.window.must('files.read', page)).toMatchObject({ lines: ['Coffee.'] });
  });

  it('is saved by the person in the viewer', async () => {
    const t = await withPlace([], { writing: 'deny' });
    const at = { projectId: t.projectId, path: '/handbook/guides/start.md' };
    const { version } = (await t.window.must('files.text', { ...at, threadId: null })) as {
      version: string;
    };
    await t.window.must('files.save', { ...at, text: 'Mine.\n', version });
    expect(readFileSync(join(t.place, 'guides/start.md'), 'utf8')).toBe('Mine.\n');
  });
});

describe('a place that is gone', () => {
  it('says so where it is used, and works again when it is back', async () => {
    const t = await withPlace([[read], ['Done.']]);
    const away = `${t.place}-away`;
    renameSync(t.place, away);
    await t.say('go');
    await t.window.until(isIdle);
    expect(t.window.calls[0]?.result).toContain("the place '/handbook/' cannot be used now");
    expect(t.window.calls[0]?.result).toContain(`The folder ${t.place} doesn't exist.`);
    expect(await t.files('/handbook')).toMatchObject({ ok: false, error: { kind: 'network' } });
    expect((await t.list())[0]?.state.phase).toBe('offline');
    renameSync(away, t.place);
    expect(await t.window.must('places.check', { id: t.id })).toMatchObject({
      state: { phase: 'connected' },
    });
    expect(await t.files('/handbook')).toMatchObject({ ok: true });
  });
});

describe('the list of places', () => {
  it('is kept over a restart, for one project or for all', async () => {
    const t = await withPlace();
    const own = { ...t.draft, path: '/mine/', projectId: t.projectId };
    await t.window.must('places.add', { draft: own, secret: null });
    expect((await t.list()).map(({ path }) => path)).toEqual(['/handbook/', '/mine/']);
    await t.host.close();
    const host = await startHost(t.dataDir, t.reports);
    expect(host.storage.places.list().map(({ path }) => path)).toEqual(['/handbook/', '/mine/']);
    await host.close();
  });

  it('serves runs without a window, which cannot add to it', async () => {
    const t = await withPlace();
    await t.host.close();
    // As the headless command starts it.
    const { confirm: _, ...desktop } = testDesktop;
    const host = await startHost(t.dataDir, t.reports, { ...ASKS, desktop });
    cleanups.push(() => host.close());
    SlowModel.into(host, [[read], ['Done.']]);
    const window = new FakeWindow(host);
    await window.open(t.threadId);
    await window.must('thread.send', { threadId: t.threadId, text: 'go' });
    await window.until(isIdle);
    expect(window.calls[0]?.result).toContain('Begin here.');
    const draft = { ...t.draft, path: '/other/' };
    expect(await window.client.call('places.add', { draft, secret: null } as never)).toMatchObject({
      ok: false,
      error: { kind: 'unsupported' },
    });
  });

  it('brings back a removed place', async () => {
    const t = await withPlace();
    await t.window.must('places.remove', { id: t.id });
    expect(await t.list()).toEqual([]);
    expect(await t.files('/handbook')).toMatchObject({ ok: false });
    await t.window.must('places.restore', { id: t.id });
    expect(await t.files('/handbook')).toMatchObject({ ok: true });
  });

  it.each([
    ['/handbook/', 'place_path_taken'],
    ['/memories/', 'place_path_reserved'],
    ['/Skills/', 'place_path_reserved'],
  ])('refuses %s as the path of another place', async (path, code) => {
    const t = await withPlace();
    const draft = { ...t.draft, path };
    const result = await t.window.client.call('places.add', { draft, secret: null } as never);
    expect(result).toMatchObject({ ok: false, error: { kind: 'conflict', code } });
  });

  it("refuses the beginning of a project's path", async () => {
    const t = await withPlace();
    const draft = { ...t.draft, path: `/${t.folder.split('/')[1]}/` };
    const result = await t.window.client.call('places.add', { draft, secret: null } as never);
    expect(result).toMatchObject({ ok: false, error: { kind: 'conflict' } });
  });

  it('adds nothing without the person at the dialog', async () => {
    const asked: string[] = [];
    const desktop = {
      ...testDesktop,
      confirm: async ({ message, detail }: { message: string; detail: string }) => {
        asked.push(`${message}\n${detail}`);
        return asked.length === 1;
      },
    };
    const t = await withPlace([], {}, { desktop });
    const draft = { ...t.draft, path: '/other/' };
    const result = await t.window.client.call('places.add', { draft, secret: null } as never);
    expect(result).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
    expect(await t.list()).toHaveLength(1);
    expect(asked[1]).toContain('/other/');
    expect(asked[1]).toContain(t.place);
  });
});

describe('the stored secret of a place', () => {
  const team = (address: string) => ({ kind: 'team' as const, address });
  const bucket = (endpoint: string, accessKeyId: string, name: string) => ({
    kind: 'bucket' as const,
    ...{ bucket: name, prefix: '', region: 'us-east-1', endpoint, accessKeyId },
  });
  const hub = (server: string, repository: string) => ({ kind: 'hub' as const, server, repository });
  const ssh = (host: string, folder: string) => ({ kind: 'ssh' as const, host, folder, hostKeys: [] });
  const at = 'http://127.0.0.1';

  it.each([
    ['port of a database', team('postgresql://a@127.0.0.1:1/m'), team('postgresql://a@127.0.0.1:2/m'), true],
    ['name of a database', team('postgresql://a@127.0.0.1:1/m'), team('postgresql://a@127.0.0.1:1/n'), true],
    ['host of a database', team('postgresql://a@127.0.0.1:1/m'), team('postgresql://a@127.0.0.2:1/m'), false],
    ['user of a database', team('postgresql://a@127.0.0.1:1/m'), team('postgresql://b@127.0.0.1:1/m'), false],
    [
      'TLS',
      team('postgresql://a@127.0.0.1:1/m'),
      team('postgresql://a@127.0.0.1:1/m?sslmode=disable'),
      false,
    ],
    ['port of a bucket', bucket(`${at}:1`, 'key', 'one'), bucket(`${at}:2`, 'key', 'two'), true],
    ['key of a bucket', bucket(`${at}:1`, 'key', 'one'), bucket(`${at}:1`, 'other', 'one'), false],
    ['repository', hub(`${at}:1`, 'one'), hub(`${at}:1`, 'two'), true],
    ['server of a repository', hub(`${at}:1`, 'one'), hub('http://127.0.0.2:1', 'one'), false],
    ['folder over SSH', ssh('a@127.0.0.1', '/one'), ssh('a@127.0.0.1', '/two'), true],
    ['port over SSH', ssh('ssh://a@127.0.0.1:1', '/one'), ssh('ssh://a@127.0.0.1:2', '/one'), true],
    ['host after a colon', ssh('a:1@127.0.0.1', '/one'), ssh('a:1@127.0.0.2', '/one'), false],
    ['account over SSH', ssh('a@127.0.0.1', '/one'), ssh('b@127.0.0.1', '/one'), false],
  ])('after a change of the %s', async (_what, before, after, isKept) => {
    const t = await withPlace();
    const draft = { ...t.draft, path: '/away/' };
    const first = { draft: { ...draft, options: before }, secret: 'a secret' };
    const { id } = (await t.window.must('places.add', first)) as { id: string };
    const hasSecret = async () => (await t.list()).find((place) => place.id === id)?.hasSecret;
    expect(await hasSecret()).toBe(true);
    await t.window.must('places.edit', { id, draft: { ...draft, options: after }, secret: null });
    expect(await hasSecret()).toBe(isKept);
  });
});
