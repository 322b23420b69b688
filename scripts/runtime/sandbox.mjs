// Chromium's own sandbox: where it cannot be had, the app is told why, and tells the person.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot } from './cache.mjs';

/** @param {string} name */
function kernelSetting(name) {
  const file = join('/proc/sys/kernel', name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** True when chrome-sandbox is installed the way Chromium wants it: owned by root, with the set-user-id bit. @param {string} dist */
function hasSandboxHelper(dist) {
  const helper = join(dist, 'chrome-sandbox');
  if (!existsSync(helper)) return false;
  const { uid, mode } = statSync(helper);
  return uid === 0 && (mode & 0o4001) === 0o4001;
}

/**
 * Why Chromium cannot sandbox its processes here, as one sentence for the person; undefined where it can.
 * @param {string} dist Electron's folder
 */
export function sandboxOffReason(dist) {
  if (process.platform !== 'linux') return undefined;
  if (isRoot) return 'Chromium refuses its sandbox when started by root.';
  if (hasSandboxHelper(dist)) return undefined;
  const closed =
    kernelSetting('apparmor_restrict_unprivileged_userns') === '1' ||
    kernelSetting('unprivileged_userns_clone') === '0';
  if (!closed) return undefined;
  const helper = join(dist, 'chrome-sandbox');
  return (
    'This system keeps programs from making user namespaces, which Chromium needs for its sandbox. ' +
    `To turn it on: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`
  );
}
