// An installed app that updates itself, for tests: a stand-in for its AppImage, a server, and checks for a new version.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { cleanups } from '../../base/testing/cleanups';
import type { UpdateState, UpdateView } from '../../contract/updates';
import { Updates, type UpdatesOptions } from '../updates';
import { ARCH, startUpdateServer, type UpdateServer } from './update-server';

export const OLD = 'version 1.0.0\n';

export let server: UpdateServer;
/** The stand-in for the AppImage that runs. */
export let app: string;
/** Its folder `apps` holds the AppImage; the folder `downloads` is made on demand. */
export let place: string;

/** Makes an installed version 1.0.0, and a server of updates without a feed. */
export async function install(): Promise<void> {
  server = await startUpdateServer();
  cleanups.push(() => server.close());
  place = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-app-')));
  cleanups.push(() => rmSync(place, { recursive: true, force: true }));
  mkdirSync(join(place, 'apps'));
  app = join(place, 'apps', 'Deepdesk.AppImage');
  writeFileSync(app, OLD, { mode: 0o755 });
  vi.stubEnv('APPIMAGE', app);
  cleanups.push(() => vi.unstubAllEnvs());
}

/** What an app knows of feeds that it saw before, as the settings keep it. */
export const memory = () => ({ date: 0 });

export function open(options: Partial<UpdatesOptions> = {}, { isOn = true, seen = memory() } = {}) {
  const views: UpdateView[] = [];
  const reports: unknown[] = [];
  const updates = new Updates(
    {
      way: 'self',
      source: { feed: server.url, key: server.keys.publicKey },
      version: '1.0.0',
      platform: 'linux',
      arch: ARCH,
      folder: join(place, 'downloads'),
      appImage: app,
      configFile: join(place, 'none.yml'),
      patience: { silence: 20_000 },
      ...options,
    },
    {
      isOn,
      seen: () => seen.date,
      see: (date) => {
        seen.date = date;
      },
      onChange: (view) => views.push(view),
      report: (error) => reports.push(error),
    },
  );
  cleanups.push(() => updates.close());
  return { updates, views, reports };
}

/** Checks once, to the end. */
export async function check(...given: Parameters<typeof open>) {
  const opened = open(...given);
  opened.updates.check();
  await opened.updates.settled();
  return { ...opened, state: opened.updates.view.state };
}

export const failed = (code: string): unknown => ({
  phase: 'failed',
  why: expect.objectContaining({ code }),
});
export const appText = () => readFileSync(app, 'latin1');
export const downloads = () =>
  existsSync(join(place, 'downloads')) ? readdirSync(join(place, 'downloads'), { recursive: true }) : [];

/** Nothing of the failed update is there, neither now nor after quitting. */
export function expectUntouched(
  { updates, state }: { updates: Updates; state: UpdateState },
  code: string,
): void {
  expect(state).toEqual(failed(code));
  updates.applyNow();
  expect(appText()).toBe(OLD);
  expect(readdirSync(join(place, 'apps'))).toEqual(['Deepdesk.AppImage']);
  expect(downloads().filter((name) => /AppImage/.test(String(name)))).toEqual([]);
}
