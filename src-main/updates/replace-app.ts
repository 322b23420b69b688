import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FeedFile } from './feed';
import { problem } from './problem';

/** Bytes that are copied at a time. */
const PIECE = 4_000_000;

/** The new file beside the app, until it takes the app's place. */
export const stagedPath = (app: string): string => join(dirname(app), `.${basename(app)}.deepdesk-update`);

/** Throws an `UpdateProblem` if the app's file cannot be replaced. Links are followed: the file that they name is replaced. */
export function replaceable(app: string): string {
  let real: string;
  try {
    real = realpathSync(app);
    if (!lstatSync(real).isFile()) throw problem('update_app_moved');
  } catch {
    throw problem('update_app_moved');
  }
  try {
    accessSync(dirname(real), constants.W_OK);
    accessSync(real, constants.W_OK);
  } catch {
    throw problem('update_folder_read_only', { folder: dirname(real) });
  }
  return real;
}

/**
 * Puts a downloaded file in the app's place. The last step is one rename, so that a kill or a power loss leaves the old app
 * or the new one. electron-updater itself removes the old file first, and copies where the two are on different disks.
 * Checks the contents once more: hours may have passed since the download. Throws an `UpdateProblem` or the system's error.
 */
export function replaceApp(app: string, downloaded: string, { size, sha512 }: FeedFile): void {
  const target = replaceable(app);
  const staged = stagedPath(target);
  rmSync(staged, { force: true });
  try {
    copyVerified(downloaded, staged, { size, sha512 });
    renameSync(staged, target);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

function copyVerified(from: string, to: string, { size, sha512 }: Pick<FeedFile, 'size' | 'sha512'>): void {
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const target = openSync(to, 'wx', 0o755);
    try {
      const hash = createHash('sha512');
      const piece = Buffer.allocUnsafe(PIECE);
      let copied = 0;
      for (let read = readSync(source, piece); read > 0; read = readSync(source, piece)) {
        copied += read;
        if (copied > size) break;
        hash.update(piece.subarray(0, read));
        for (let written = 0; written < read; ) written += writeSync(target, piece, written, read - written);
      }
      if (copied !== size || hash.digest('base64') !== sha512) throw problem('update_wrong_contents');
      fsyncSync(target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** Some file systems cannot flush a folder; the rename is done either way. */
function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {}
}
