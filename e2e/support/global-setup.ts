import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/build/app.mjs';
import { root } from '../../scripts/process.mjs';
import { isRoot } from '../../scripts/runtime/cache.mjs';
import { prepareElectron } from '../../scripts/runtime/prepare.mjs';
import { sandboxOffReason } from '../../scripts/runtime/sandbox.mjs';
import { shareRun } from './run';
import { stage } from './stage';

/** Before the first journey: runtime, build and display; for root also a copy that an unprivileged user can run. */
export default async function globalSetup(): Promise<() => void> {
  const { electron, env, stopDisplay } = await prepareElectron();
  if (!(await ensureBuilt())) {
    stopDisplay();
    throw new Error('the app could not be built');
  }
  // Short, because a socket path is at most 107 bytes and Chromium puts one below the profile.
  const temp = mkdtempSync(join(tmpdir(), 'deepdesk-e2e-'));
  chmodSync(temp, 0o755);
  const runtime = { dist: electron.dist, binding: env.DEEPDESK_SQLITE_BINDING };
  if (isRoot) {
    const staged = stage(join(temp, 'stage'), electron.dist, env);
    process.env.ELECTRON_OVERRIDE_DIST_PATH = staged.dist;
    const { appFolder, user } = staged;
    shareRun({ appFolder, temp, user, env: staged.env, runtime, sandboxOff: null });
  } else {
    process.env.ELECTRON_OVERRIDE_DIST_PATH = electron.dist;
    const sandboxOff = sandboxOffReason(electron.dist) ?? null;
    shareRun({ appFolder: root, temp, user: null, env: { ...ownDisplay(), ...env }, runtime, sandboxOff });
  }
  return () => {
    stopDisplay();
    rmSync(temp, { recursive: true, force: true });
  };
}

/** The person's own display, where there is one. */
function ownDisplay(): Record<string, string> {
  const names = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_SESSION_TYPE', 'XDG_RUNTIME_DIR'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
