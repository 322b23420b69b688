import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/build/app.mjs';
import { log } from '../../scripts/log.mjs';
import { root } from '../../scripts/process.mjs';
import { cacheFolder, isRoot } from '../../scripts/runtime/cache.mjs';
import { type Chromium, chromiumHere } from '../../scripts/runtime/capabilities.mjs';
import { withoutNoise } from '../../scripts/runtime/chromium-noise.mjs';
import { prepareElectron } from '../../scripts/runtime/prepare.mjs';
import { makeTemporaryFolder, runFolder } from '../../scripts/testing/temporary.mjs';
import { shareRun } from './run';
import { stage } from './stage';

/** Before the first journey: prepares runtime, build and display; for root also a copy that an unprivileged user can run. */
export default async function globalSetup(): Promise<() => void> {
  const { temp, remove } = temporaryFolder();
  const { electron, env, stopDisplay } = await prepareElectron();
  if (!(await ensureBuilt())) {
    stopDisplay();
    throw new Error('the app could not be built');
  }
  const runtime = { dist: electron.dist, binding: env.DEEPDESK_SQLITE_BINDING };
  if (isRoot) {
    const { dist, ...staged } = await stage(join(temp, 'stage'), electron.dist, env);
    process.env.ELECTRON_OVERRIDE_DIST_PATH = dist;
    const here = await chromiumHere(staged.program, { user: staged.user, env: staged.env, keep: false });
    shareRun({ ...staged, temp, runtime, sandboxOff: sandboxOff(here) });
  } else {
    process.env.ELECTRON_OVERRIDE_DIST_PATH = electron.dist;
    const ownEnv = { ...ownDisplay(), ...env };
    const here = await chromiumHere(electron.executable, { env: ownEnv });
    shareRun({
      appFolder: root,
      temp,
      user: null,
      env: ownEnv,
      runtime,
      program: electron.executable,
      needsHelper: false,
      sandboxOff: sandboxOff(here),
    });
  }
  return () => {
    stopDisplay();
    remove();
  };
}

/** One folder for everything the run creates, including temporary files of Chromium and Playwright. */
function temporaryFolder(): { temp: string; remove: () => void } {
  process.env.DEEPDESK_CACHE = cacheFolder();
  // Keeps Playwright's compiled files for the next run, where Playwright's main process has them.
  process.env.PLAYWRIGHT_TRANSFORM_CACHE_DIR ??= join(
    tmpdir(),
    `playwright-transform-cache-${process.geteuid?.() ?? ''}`,
  );
  const { folder, remove } = runFolder('deepdesk-');
  chmodSync(folder, 0o755);
  makeTemporaryFolder(join(folder, 'tmp'));
  // Like /tmp: the app may run as another user.
  chmodSync(tmpdir(), 0o1777);
  return { temp: folder, remove };
}

/** Reported once, beside the titles of the tests that it skips. */
function sandboxOff({ starts, said, sandboxOff: reason }: Chromium): string | null {
  if (!starts) throw new Error(`Electron cannot show a page here:\n${withoutNoise(said)}`);
  if (reason !== null) log('sandbox', `Chromium's own sandbox is off. ${reason}`);
  return reason;
}

/** The person's own display, if there is one. */
function ownDisplay(): Record<string, string> {
  const names = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_SESSION_TYPE', 'XDG_RUNTIME_DIR'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
