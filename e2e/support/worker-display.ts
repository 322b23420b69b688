import { chmodSync, chownSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { startXvfb } from '../../scripts/runtime/display.mjs';
import { isOnPath } from '../../scripts/runtime/system-packages.mjs';
import { currentRun, shareRun } from './run';

/**
 * Starts a display for a worker that runs in parallel with others: two apps on one display compete for focus and clipboard. The first
 * worker keeps the display of the run. Returns a function that stops the display.
 */
export async function ownDisplay(worker: number): Promise<() => void> {
  if (worker === 0 || process.platform !== 'linux' || !isOnPath('Xvfb')) return () => undefined;
  const run = currentRun();
  const { env, stop } = await startXvfb();
  const { XAUTHORITY: given = '' } = env;
  // The app's user cannot read the folder of the original.
  const authority = join(run.temp, `Xauthority-${process.pid}`);
  copyFileSync(given, authority);
  chmodSync(authority, 0o600);
  if (run.user !== null) chownSync(authority, run.user.uid, run.user.gid);
  const { WAYLAND_DISPLAY: _, ...others } = run.env;
  // Changes this worker's process only.
  shareRun({ ...run, env: { ...others, ...env, XAUTHORITY: authority } });
  return stop;
}
