// The cache for files made once per machine: outside the repository, readable by every user.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir, tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { atExit } from './at-exit.mjs';

export const isRoot = process.getuid?.() === 0;

/** Candidates for the cache folder, best first. */
function candidates() {
  if (process.env.DEEPDESK_CACHE) return [process.env.DEEPDESK_CACHE];
  const own =
    process.platform === 'win32'
      ? join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'deepdesk', 'cache')
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches', 'deepdesk')
        : join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'deepdesk');
  const temporary = join(tmpdir(), `deepdesk-cache-${process.getuid?.() ?? 'user'}`);
  // Root's home is closed to others, and an app that root starts in a test runs as another user.
  return [...(isRoot && process.platform === 'linux' ? ['/var/cache/deepdesk'] : []), own, temporary];
}

/** The cache folder, created if missing: the first writable candidate. */
export function cacheFolder() {
  const problems = [];
  for (const folder of candidates()) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK | constants.X_OK);
      makeReadable(folder);
      return folder;
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no folder for the cache (set DEEPDESK_CACHE to one): ${problems.join('; ')}`);
}

/** Lets every user enter and read a folder or run a file, whatever the umask was. @param {string} path */
export function makeReadable(path) {
  chmodSync(path, 0o755);
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Takes the lock file, or returns false if another process holds it. @param {string} file */
function take(file) {
  let lock;
  try {
    lock = openSync(file, 'wx');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (isLeft(file)) rmSync(file, { force: true });
    return false;
  }
  try {
    writeSync(lock, String(process.pid));
    return true;
  } catch (error) {
    // The disk is full.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(lock);
  }
}

/** Milliseconds that a holder may take to write its number into its lock. */
const WRITTEN_WITHIN = 10_000;

/** Whether a lock's holder is gone. After a restart of the computer, another process can have its number. @param {string} file */
function isLeft(file) {
  try {
    const { mtimeMs } = statSync(file);
    const holder = Number(readFileSync(file, 'utf8'));
    if (!(holder > 0)) return mtimeMs < Date.now() - WRITTEN_WITHIN;
    return !isAlive(holder) || mtimeMs < Date.now() - uptime() * 1_000;
  } catch {
    // It has just been released.
    return false;
  }
}

/** Milliseconds between checks of a lock that another process holds. */
const LOOK_AGAIN = 200;

/**
 * Runs `work` while no other process on this machine runs work with the same name: two checkouts that start simultaneously download and compile each thing once. @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(name, work) {
  const file = join(cacheFolder(), `${name}.lock`);
  while (!take(file)) await after(LOOK_AGAIN);
  const release = () => rmSync(file, { force: true });
  const forget = atExit(release);
  try {
    return await work();
  } finally {
    forget();
    release();
  }
}
