import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { AppSnapshot, ProviderId, ThreadSummary } from '../../contract/app';
import type { ModelTest } from '../../contract/commands/models';
import type { UsageRow } from '../../contract/commands/usage';
import type { ThreadId } from '../../contract/ids';
import { because } from '../../contract/shared/reasons';
import { startProvider } from '../../models/testing/provider-servers';
import { openStorage } from '../../storage';
import { cleanups, FakeWindow, isIdle, setUp, startHost, temp, testDesktop } from '../testing/window';
import { BeforeChange } from './before-change';
import { csvOf } from './usage-csv';

vi.setConfig({ testTimeout: 30_000 });

const test = async (
  t: Awaited<ReturnType<typeof setUp>>,
  provider: ProviderId,
  model: string,
): Promise<ModelTest> => t.window.must('models.test', { provider, model });

async function pageServer(status: number, body: string, type = 'text/html'): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const keyOf = async (t: Awaited<ReturnType<typeof setUp>>, id: ProviderId) => {
  const { models }: AppSnapshot = await t.window.must('app.open', {});
  return models.providers.find((one) => one.id === id);
};

describe('the model test', () => {
  it('keeps the name of a model that answered, for the picker', async () => {
    const t = await setUp();
    const server = await startProvider('openai-compatible', () => ({ text: 'OK' }));
    cleanups.push(() => server.close());
    const provider = 'openai-compatible';
    await t.window.must('models.setBaseUrl', { provider, baseUrl: server.url });
    await t.window.must('models.setKey', { provider, key: 'test-key' });
    expect((await keyOf(t, provider))?.models).toEqual([]);
    expect(await test(t, provider, 'my-model')).toMatchObject({ outcome: 'answered' });
    expect((await keyOf(t, provider))?.models).toEqual([{ name: 'my-model', label: 'my-model' }]);
  });

  it('sends one request, counts it, and reports that the model answered', async () => {
    const t = await setUp();
    const server = await startProvider('anthropic', () => ({ text: 'OK' }));
    cleanups.push(() => server.close());
    await t.window.must('models.setBaseUrl', { provider: 'anthropic', baseUrl: server.url });
    await t.window.must('models.setKey', { provider: 'anthropic', key: 'test-key' });
    expect(await test(t, 'anthropic', 'claude-sonnet-4-5')).toMatchObject({
      outcome: 'answered',
      model: 'anthropic:claude-sonnet-4-5',
    });
    const { rows }: { rows: UsageRow[] } = await t.window.must('usage.report', {
      from: '2000-01-01',
      to: '2100-01-01',
    });
    expect(rows).toMatchObject([{ model: 'anthropic:claude-sonnet-4-5', projectId: null, requests: 1 }]);
  });

  it('works with a key that was pasted with quotation marks and invisible characters', async () => {
    const t = await setUp();
    const server = await startProvider('anthropic', () => ({ text: 'OK' }));
    cleanups.push(() => server.close());
    await t.window.must('models.setBaseUrl', { provider: 'anthropic', baseUrl: server.url });
    await t.window.must('models.setKey', { provider: 'anthropic', key: ' "test-key"\u200b' });
    expect(await test(t, 'anthropic', 'claude-sonnet-4-5')).toMatchObject({ outcome: 'answered' });
  });

  it('is not reached with a key that cannot be sent, because such a key is refused when it is entered', async () => {
    const t = await setUp();
    expect(
      await t.window.client.call('models.setKey', { provider: 'openai', key: 'sk-…4711' }),
    ).toMatchObject({ error: { kind: 'invalid', code: 'key_character', values: { character: '…' } } });
    expect((await keyOf(t, 'openai'))?.ready).toBe(false);
  });

  it('decides whether a provider counts as tested, until its key or address changes', async () => {
    const t = await setUp();
    const server = await startProvider('anthropic', () => ({ text: 'OK' }));
    cleanups.push(() => server.close());
    await t.window.must('models.setBaseUrl', { provider: 'anthropic', baseUrl: server.url });
    const isTested = async () => (await keyOf(t, 'anthropic'))?.tested === true;
    await t.window.must('models.setKey', { provider: 'anthropic', key: 'garbage' });
    expect((await keyOf(t, 'anthropic'))?.ready).toBe(true);
    await test(t, 'anthropic', 'claude-sonnet-4-5');
    expect(await isTested()).toBe(false);
    await t.window.must('models.setKey', { provider: 'anthropic', key: 'test-key' });
    await test(t, 'anthropic', 'claude-sonnet-4-5');
    expect(await isTested()).toBe(true);
    await t.window.must('models.setKey', { provider: 'anthropic', key: 'other' });
    expect(await isTested()).toBe(false);
  });

  const said = (message: string, code: string | null = null) =>
    JSON.stringify({ error: { message, code, type: 'error' } });
  it.each<[string, number, string, ModelTest['outcome']]>([
    ['a key that is refused', 401, said('Incorrect API key provided'), 'bad_key'],
    [
      'an account without credit',
      429,
      said('You exceeded your current quota', 'insufficient_quota'),
      'no_quota',
    ],
    ['too many requests', 429, said('Slow down'), 'rate_limited'],
    ['a model that is not there', 404, said('The model `m` does not exist'), 'unknown_model'],
    ['a path that is not there', 404, '404 page not found', 'wrong_address'],
    ['a service with a fault', 503, said('overloaded'), 'overloaded'],
  ])('reports %s', async (_what, status, body, outcome) => {
    const t = await setUp();
    const url = await pageServer(status, body, body.startsWith('{') ? 'application/json' : 'text/plain');
    await t.window.must('models.setBaseUrl', { provider: 'openai', baseUrl: url });
    await t.window.must('models.setKey', { provider: 'openai', key: 'test-key' });
    expect((await test(t, 'openai', 'm')).outcome).toBe(outcome);
  });

  it('reports a web page instead of an API, an address where nothing answers, and a missing key', async () => {
    const t = await setUp({ env: {} });
    const page = await pageServer(200, '<!doctype html><title>Router</title>');
    await t.window.must('models.setBaseUrl', { provider: 'openai-compatible', baseUrl: page });
    expect((await test(t, 'openai-compatible', 'm')).outcome).toBe('wrong_address');
    await t.window.must('models.setBaseUrl', {
      provider: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:9',
    });
    expect((await test(t, 'openai-compatible', 'm')).outcome).toBe('unreachable');
    expect((await test(t, 'anthropic', 'claude-sonnet-4-5')).outcome).toBe('no_key');
  });

  it('never contains the key', async () => {
    const t = await setUp();
    const key = 'own-key-that-nobody-knows-4711';
    const url = await pageServer(401, said(`Incorrect API key provided: ${key}`), 'application/json');
    await t.window.must('models.setBaseUrl', { provider: 'openai', baseUrl: url });
    await t.window.must('models.setKey', { provider: 'openai', key });
    expect(JSON.stringify(await test(t, 'openai', 'm'))).not.toContain(key);
  });
});

describe('clearing a part of the data', () => {
  it('leaves what is in use', async () => {
    const t = await setUp();
    const kept = (folder: string, id: string) => {
      mkdirSync(join(t.dataDir, folder, id), { recursive: true });
      writeFileSync(join(t.dataDir, folder, id, 'a.txt'), 'a');
    };
    // A thread of its own: what belongs to none is removed in the background after a start.
    const other: { id: ThreadId } = await t.window.must('thread.create', { projectId: t.projectId });
    for (const folder of ['attachments', 'command-output']) {
      kept(folder, other.id);
      kept(folder, t.threadId);
    }
    const left = (folder: string) => readdirSync(join(t.dataDir, folder));
    await t.say('run touch a');
    await t.window.until((state) => state.approvals.length === 1);
    await t.window.must('data.clear', { part: 'attachments' });
    expect(left('attachments')).toEqual([t.threadId]);
    expect(left('command-output').toSorted()).toEqual([t.threadId, other.id].toSorted());
    await t.window.allow(0);
    await t.window.until(isIdle);
    const terminals = async () => {
      const { terminals: all }: AppSnapshot = await t.window.must('app.open', {});
      return all.length;
    };
    expect(await terminals()).toBe(1);
    await t.window.must('data.clear', { part: 'terminals' });
    await t.window.must('data.clear', { part: 'offloads' });
    expect([await terminals(), left('command-output')]).toEqual([0, []]);
  });
});

describe('a changed key or address', () => {
  it('is restored once by undo', async () => {
    const t = await setUp({ env: {} });
    await t.window.must('models.setKey', { provider: 'openai', key: 'first-key' });
    await t.window.must('models.setKey', { provider: 'openai', key: null });
    expect((await keyOf(t, 'openai'))?.key).toBe('none');
    const back = { provider: 'openai', what: 'key', back: true } as const;
    await t.window.must('models.undo', back);
    expect((await keyOf(t, 'openai'))?.key).not.toBe('none');
    expect(await t.window.client.call('models.undo', back)).toMatchObject({
      error: { kind: 'not_found' },
    });
    await t.window.must('models.setBaseUrl', { provider: 'openai', baseUrl: 'http://127.0.0.1:9/v1' });
    await t.window.must('models.undo', { provider: 'openai', what: 'address', back: true });
    expect((await keyOf(t, 'openai'))?.baseUrl).toBe(null);
  });

  it("is forgotten at the person's request", async () => {
    const t = await setUp({ env: {} });
    await t.window.must('models.setKey', { provider: 'openai', key: 'first-key' });
    await t.window.must('models.setKey', { provider: 'openai', key: null });
    await t.window.must('models.undo', { provider: 'openai', what: 'key', back: false });
    expect(
      await t.window.client.call('models.undo', { provider: 'openai', what: 'key', back: true }),
    ).toMatchObject({ error: { kind: 'not_found' } });
    expect((await keyOf(t, 'openai'))?.key).toBe('none');
  });

  it('expires', () => {
    vi.useFakeTimers();
    try {
      const before = new BeforeChange(1_000);
      before.keep('key', 'openai', 'secret');
      before.keep('key', 'anthropic', null);
      vi.advanceTimersByTime(999);
      expect(before.take('key', 'anthropic')).toEqual({ value: null });
      vi.advanceTimersByTime(1);
      expect(before.take('key', 'openai')).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('usage', () => {
  it('is reported by day, model and project, with unknown costs apart', async () => {
    const t = await setUp();
    const usage = { input: 10, output: 20, cacheRead: 30, cacheWrite: 40, reasoning: 5 };
    const spent = { threadId: t.threadId, day: '2026-01-02', model: 'anthropic:a', at: 1 };
    t.host.storage.spending.add({ ...spent, usage, cost: 100 });
    t.host.storage.spending.add({ ...spent, usage, cost: null });
    t.host.storage.spending.add({ ...spent, threadId: 'gone', usage: null, cost: 7 });
    t.host.storage.spending.add({ ...spent, day: '2026-02-01', usage, cost: 1 });
    const of = { day: '2026-01-02', model: 'anthropic:a' };
    const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    expect(await t.window.must('usage.report', { from: '2026-01-01', to: '2026-01-31' })).toEqual({
      rows: [
        { ...of, projectId: null, requests: 1, ...nothing, cost: 7, unpriced: 0, untold: 1 },
        {
          ...of,
          projectId: t.projectId,
          requests: 2,
          ...{ input: 20, output: 40, cacheRead: 60, cacheWrite: 80, reasoning: 10 },
          cost: 100,
          unpriced: 1,
          untold: 0,
        },
      ],
    });
  });

  it('is exported as a table that spreadsheets read as text and numbers', () => {
    const row = {
      day: '2026-01-02',
      model: 'openai:a,b',
      projectId: 'p' as UsageRow['projectId'],
      ...{ requests: 1, input: 2, output: 3, cacheRead: 4, cacheWrite: 5, reasoning: 6 },
      ...{ cost: 1_500_000, unpriced: 0, untold: 0 },
    };
    expect(csvOf([row], () => '=cmd|"x"').split('\r\n')[1]).toBe(
      `2026-01-02,"openai:a,b","'=cmd|""x""",1,2,4,5,3,6,1.5,0,0`,
    );
  });
});

describe('data', () => {
  it('is backed up where the person chooses and restored at the next start, with the present data set aside', async () => {
    const dataDir = temp('data');
    const to = join(temp('elsewhere'), 'my.backup');
    const restarts: string[] = [];
    const desktop = {
      chooseFolder: async () => null,
      reveal: () => undefined,
      openExternal: async () => false,
      keychain: null,
      chooseSaveFile: async () => to,
      chooseFile: async () => to,
      restart: () => void restarts.push('again'),
    };
    const host = await startHost(dataDir, [], { desktop });
    const window = new FakeWindow(host);
    await window.must('app.open', {});
    const project = await host.projects.open(temp('folder'));
    if (!project.ok) throw new Error(inEnglish(project.error));
    await window.must('thread.create', { projectId: project.value.id });
    expect(await window.must('data.backup', {})).toMatchObject({
      path: to,
      counts: { projects: 1, threads: 1 },
    });
    expect(window.events.some((event) => event.type === 'data.progress' && event.step === 'checking')).toBe(
      true,
    );
    await window.must('thread.create', { projectId: project.value.id });
    expect(await window.client.call('data.restore', {})).toMatchObject({ error: { kind: 'not_found' } });
    expect(await window.must('data.choose', {})).toMatchObject({ counts: { threads: 1 } });
    await window.must('data.restore', {});
    expect(restarts).toHaveLength(1);
    await host.close();
    const { applyPending } = await import('./pending-data');
    expect(applyPending(dataDir)).toHaveLength(1);
    const opened = openStorage(join(dataDir, 'deepdesk.db'));
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    expect(opened.value.threads.summaries()).toHaveLength(1);
    opened.value.close();
  });

  it('is at work during a backup, which closing cancels without leaving a file', async () => {
    const there = temp('backups');
    const desktop = { ...testDesktop, chooseSaveFile: async () => join(there, 'mine.backup') };
    const t = await setUp({ desktop });
    cleanups.pop();
    expect(t.host.atWork().isBackingUp).toBe(false);
    const during = new Promise<unknown[]>((resolve) =>
      t.host.hub.onApp(({ type }) => {
        if (type !== 'data.progress') return;
        resolve([t.host.atWork().isBackingUp, readdirSync(there).some((name) => name.endsWith('.part'))]);
        void t.host.close();
      }),
    );
    void t.window.client.call('data.backup', {});
    expect(await during).toEqual([true, true]);
    await t.host.close();
    expect(readdirSync(there)).toEqual([]);
  });

  it('is not replaced by a backup, by whatever path the data folder is chosen', async () => {
    const link = join(temp('links'), 'data');
    let to = '';
    const t = await setUp({ desktop: { ...testDesktop, chooseSaveFile: async () => to } });
    symlinkSync(t.dataDir, link);
    for (const folder of [t.dataDir, link])
      for (const name of ['deepdesk.db', 'DeepDesk.db', 'deepdesk.db-wal', 'deepdesk.db.incoming']) {
        to = join(folder, name);
        const made = await t.window.client.call('data.backup', {});
        expect(made).toMatchObject({ ok: false, error: { code: 'data_itself' } });
      }
    to = join(link, 'mine.backup');
    expect(await t.window.client.call('data.backup', {})).toMatchObject({ ok: true, value: { path: to } });
  });

  it('keeps its budgets, and only an unreadable setting is reported and reset to its default', async () => {
    const dataDir = temp('data');
    const first = await startHost(dataDir);
    const window = new FakeWindow(first);
    await window.must('data.setBudgets', { deletedDays: 7 });
    await window.must('settings.change', { theme: 'dark', titles: false });
    first.storage.settings.set('app.language', 'klingon');
    await first.close();
    const again = await startHost(dataDir);
    cleanups.push(() => again.close());
    const second = new FakeWindow(again);
    expect(await second.must('app.open', {})).toMatchObject({
      settings: { theme: 'dark', titles: false, language: 'system' },
      warnings: [{ why: because('setting_unreadable', { name: 'language' }) }],
    });
    expect(await second.must('data.read', {})).toMatchObject({
      folder: dataDir,
      budgets: { deletedDays: 7 },
    });
  });

  it('is not deleted without confirmation, or if nobody could restart Deepdesk', async () => {
    const t = await setUp();
    const wipe = (confirm: string) => t.window.client.call('data.wipe', { confirm } as never);
    expect(await wipe('delete')).toMatchObject({ ok: false, error: { kind: 'invalid' } });
    expect(await wipe('DELETE')).toMatchObject({ ok: false, error: { kind: 'unsupported' } });
    expect(readFileSync(join(t.dataDir, 'deepdesk.db')).length).toBeGreaterThan(0);
  });

  it.runIf(process.platform !== 'win32')(
    'is not deleted in a folder that holds the home folder',
    async () => {
      const t = await setUp();
      vi.stubEnv('HOME', join(t.dataDir, 'me'));
      try {
        const answer = await t.window.client.call('data.wipe', { confirm: 'DELETE' } as never);
        expect(answer).toMatchObject({ ok: false, error: { code: 'delete_holds_home' } });
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

it("makes the data folder accessible only to its owner, whatever the umask and the folder's mode [safety 28]", async () => {
  const before = process.umask(0);
  try {
    const sampleFolder = temp('sample');
    writeFileSync(join(sampleFolder, 'a.txt'), 'a');
    const dataDir = temp('shared');
    // The person's existing folder, readable by everyone.
    chmodSync(dataDir, 0o755);
    writeFileSync(join(dataDir, 'other'), '');
    const host = await startHost(dataDir, [], { sampleFolder });
    cleanups.push(() => host.close());
    const window = new FakeWindow(host);
    const [project] = host.storage.projects.list();
    if (project === undefined) throw new Error('There is no sample project.');
    const projectId = project.id;
    const thread: ThreadSummary = await window.must('thread.create', { projectId });
    await window.open(thread.id);
    await window.must('attachments.add', {
      threadId: thread.id,
      origin: 'file',
      name: 'note.txt',
      data: Buffer.from('private').toString('base64'),
    });
    await window.must('memories.write', {
      path: '/memories/a.md',
      text: 'private',
      expectedUpdatedAt: null,
      projectId,
    });
    await window.must('terminal.create', { projectId, cols: 80, rows: 24 });
    await window.must('thread.send', { threadId: thread.id, text: 'List the files' });
    await window.until(isIdle);
    const open = readdirSync(dataDir).filter(
      (name) => name !== 'other' && (statSync(join(dataDir, name)).mode & 0o077) !== 0,
    );
    expect(readdirSync(dataDir)).toEqual(
      expect.arrayContaining(['deepdesk.db', 'sample-project', 'attachments']),
    );
    expect(open).toEqual([]);
  } finally {
    process.umask(before);
  }
});
