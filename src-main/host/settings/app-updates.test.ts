import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import type { UpdateView } from '../../contract/updates';
import { ARCH, startUpdateServer, type UpdateServer } from '../../updates/testing/update-server';
import { SlowModel } from '../testing/slow-model';
import { cleanups, FakeWindow, setUp, startHost, testDesktop } from '../testing/window';

let server: UpdateServer;
let app: string;
let restarts = 0;

beforeEach(async () => {
  server = await startUpdateServer();
  cleanups.push(() => server.close());
  const place = mkdtempSync(join(tmpdir(), 'deepdesk-app-'));
  cleanups.push(() => rmSync(place, { recursive: true, force: true }));
  app = join(place, 'Deepdesk.AppImage');
  writeFileSync(app, 'old', { mode: 0o755 });
  vi.stubEnv('APPIMAGE', app);
  cleanups.push(() => vi.unstubAllEnvs());
  restarts = 0;
});

const options = () => ({
  version: '1.0.0',
  desktop: {
    ...testDesktop,
    restart: () => {
      restarts += 1;
    },
  },
  updates: {
    way: 'self' as const,
    source: { feed: server.url, key: server.keys.publicKey },
    platform: 'linux',
    arch: ARCH,
    folder: join(app, '..', 'downloads'),
    appImage: app,
    configFile: '',
  },
});

/** Waits for an event with that phase. */
const untilPhase = (window: FakeWindow, phase: string): Promise<UpdateView> =>
  vi.waitFor(
    () => {
      const event = window.events.findLast(({ type }) => type === 'updates.changed');
      if (event?.type !== 'updates.changed' || event.updates.state.phase !== phase) throw new Error(phase);
      return event.updates;
    },
    { timeout: 10_000, interval: 10 },
  );

it('tells every window about a new version, and installs it when the app quits', async () => {
  const contents = await server.publish('1.1.0', { notes: 'It is faster.' });
  const { host, window } = await setUp(options());
  const second = new FakeWindow(host);
  await second.must('app.open', {});
  await window.must('app.open', {});
  expect(await window.must('updates.read', {})).toEqual({ way: 'self', state: { phase: 'idle' } });
  await window.must('updates.check', {});
  const view = await untilPhase(window, 'ready');
  expect(view.state).toMatchObject({ version: '1.1.0', notes: 'It is faster.' });
  expect(await untilPhase(second, 'ready')).toEqual(view);
  await host.close();
  expect(readFileSync(app, 'utf8')).toBe('old');
  host.applyUpdate();
  expect(readFileSync(app).equals(contents)).toBe(true);
});

it('restarts into a new version on request, but not while an agent works', async () => {
  await server.publish('1.1.0');
  const { host, window, say, threadId } = await setUp(options());
  await window.must('app.open', {});
  const early = await window.client.call('updates.restart', {});
  expect(early).toMatchObject({ ok: false, error: { code: 'update_not_ready' } });
  await window.must('updates.check', {});
  await untilPhase(window, 'ready');
  SlowModel.into(host, [['hang']]);
  await say('Work');
  await window.until(({ turn }) => turn.phase === 'running');
  const refused = await window.client.call('updates.restart', {});
  expect(refused).toMatchObject({ ok: false, error: { code: 'update_agent_at_work' } });
  expect(restarts).toBe(0);
  await window.must('thread.stop', { threadId });
  await window.until(({ turn }) => turn.phase === 'idle');
  await window.must('updates.restart', {});
  expect(restarts).toBe(1);
});

it('asks nobody while the switch is off, even after a restart', async () => {
  await server.publish('1.1.0');
  const { dataDir, host, window } = await setUp(options());
  await window.must('settings.change', { updates: false });
  await window.must('updates.check', {});
  await host.close();
  const again = await startHost(dataDir, [], options());
  cleanups.push(() => again.close());
  const reopened = new FakeWindow(again);
  await reopened.must('updates.check', {});
  expect(server.requests).toEqual([]);
  await reopened.must('app.open', {});
  await reopened.must('settings.change', { updates: true });
  await reopened.must('updates.check', {});
  await untilPhase(reopened, 'ready');
});

it('remembers the newest list of versions across a restart, so that an older one is refused', async () => {
  await server.publish('1.0.0');
  const { dataDir, host, window } = await setUp(options());
  await window.must('app.open', {});
  await window.must('updates.check', {});
  await untilPhase(window, 'current');
  await host.close();
  await server.publish('1.1.0', { now: Date.now() - 3_600_000 });
  const again = await startHost(dataDir, [], options());
  cleanups.push(() => again.close());
  const reopened = new FakeWindow(again);
  await reopened.must('app.open', {});
  await reopened.must('updates.check', {});
  const { state } = await untilPhase(reopened, 'failed');
  expect(state).toEqual({ phase: 'failed', why: { code: 'update_feed_replayed' } });
});
