// A disk in memory for the temporary files of the unit tests. They create and remove tens of thousands of small files and
// databases, which on a real disk takes a fifth of their processor time and makes them wait as long again. The disk belongs
// to a mount namespace of the run, so nothing of it is left when the run ends, even if it is killed.
import { mkdirSync } from 'node:fs';
import { freemem, release } from 'node:os';
import { join } from 'node:path';
import { run } from '../process.mjs';
import { cacheFolder, isRoot } from '../runtime/cache.mjs';

/** Names the mounted folder for `unit-setup.mjs`. */
export const MEMORY_DISK = 'DEEPDESK_UNIT_MEMORY';

const GIBIBYTE = 2 ** 30;
/** What the temporary files of all workers may take together: several times as much as they do. */
const SIZE = 3 * GIBIBYTE;
/** Free memory below which the disk stays what it is. */
const NEEDED = 2 * SIZE;

/** Older kernels keep no extended attributes of users in memory. @param {string} kernel its release, as `os` tells it */
export function keepsAttributes(kernel) {
  const [major = 0, minor = 0] = kernel.split('.').map(Number);
  return major > 6 || (major === 6 && minor >= 6);
}

const MOUNT = `mount -t tmpfs -o mode=1777,size=${SIZE} deepdesk-unit "$1" && shift && exec "$@"`;

/**
 * The command with a disk in memory, and the variable that tells it. The same command where the machine allows no such
 * disk: then the tests use the real one.
 * @param {string[]} command
 * @returns {Promise<{ command: string[], env: Record<string, string> }>}
 */
export async function onMemoryDisk(command) {
  const as = { command, env: {} };
  if (process.platform !== 'linux' || !isRoot) return as;
  if (!keepsAttributes(release()) || freemem() < NEEDED) return as;
  const folder = join(cacheFolder(), 'memory');
  mkdirSync(folder, { recursive: true });
  const within = (/** @type {string[]} */ inner) => ['-m', 'sh', '-c', MOUNT, 'sh', folder, ...inner];
  const trial = await run('unshare', within(['true']));
  if (trial.code !== 0) return as;
  return { command: ['unshare', ...within(command)], env: { [MEMORY_DISK]: folder } };
}
