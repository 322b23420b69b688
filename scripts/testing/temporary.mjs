// One folder for all temporary files of a test run, so that the run leaves nothing behind.
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../runtime/at-exit.mjs';
import { isAlive } from '../runtime/cache.mjs';

/** Restores the owner's permission to remove what a test closed. @param {string} folder */
function open(folder) {
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) open(path);
  }
}

/** Removes a folder and its contents, even if a test removed the permissions. @param {string} folder */
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
 * Creates a folder for this run and removes it when the process exits, for any reason. The next run removes the folder of a
 * killed one.
 * @param {string} prefix the start of its name; the id of this process follows
 * @param {string} [place] the parent folder
 * @returns {{ folder: string, remove: () => void }}
 */
export function runFolder(prefix, place = tmpdir()) {
  removeAbandoned(place, prefix);
  // Short, because a socket path has at most 107 bytes, and a card in a low window shows a path on one line.
  const folder = mkdtempSync(join(place, `${prefix}${process.pid}-`));
  // Like the system's: a test that runs as another user needs its files.
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

/** Makes a subfolder the temporary folder of this process and its children. @param {string} folder */
export function makeTemporaryFolder(folder) {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o1777);
  // Windows uses the other two.
  Object.assign(process.env, { TMPDIR: folder, TMP: folder, TEMP: folder });
}
