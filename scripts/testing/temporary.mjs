// One folder for all that a test run puts into the system's temporary folder, so that its end leaves nothing there.
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../runtime/at-exit.mjs';
import { isAlive } from '../runtime/cache.mjs';

/** Lets its owner remove what a test closed. @param {string} folder */
function open(folder) {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) open(path);
  }
}

/** Removes a folder with all in it, also where a test took the permission for that away. @param {string} folder */
export function removeFolder(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    open(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the folders of runs that were killed. @param {string} place @param {string} prefix */
function removeAbandoned(place, prefix) {
  for (const name of readdirSync(place)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : 0;
    if (!(pid > 0) || isAlive(pid)) continue;
    try {
      removeFolder(join(place, name));
    } catch {
      // It belongs to another user.
    }
  }
}

/**
 * Makes a folder for this run, which is removed when the process ends, whichever way. A run that was killed leaves its
 * folder to the next one.
 * @param {string} prefix what its name begins with; the number of this process follows
 * @param {string} [place] the folder in which it is made
 * @returns {{ folder: string, remove: () => void }}
 */
export function runFolder(prefix, place = tmpdir()) {
  removeAbandoned(place, prefix);
  // Short, because a socket path is at most 107 bytes, and a card in a low window shows a path on one line.
  const folder = mkdtempSync(join(place, `${prefix}${process.pid}-`));
  // As the system's: a test that runs as another user reaches its files.
  chmodSync(folder, 0o711);
  const forget = atExit(() => removeFolder(folder));
  return {
    folder,
    remove: () => {
      forget();
      removeFolder(folder);
    },
  };
}

/** Gives this process, and what it starts, a folder below another one as the temporary folder. @param {string} folder */
export function makeTemporaryFolder(folder) {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o1777);
  // Windows has the other two.
  Object.assign(process.env, { TMPDIR: folder, TMP: folder, TEMP: folder });
}
