import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
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

/**
 * The new file beside the app, until it takes the app's place. The process is part of its name: two apps that share the file
 * may quit at once, and one would put what the other has half written in its place.
 */
const stagedName = (app: string, pid: number | string): string => `.${basename(app)}.deepdesk-update-${pid}`;

/** Whether a file beside the app is a new version that was not finished, of a process that is gone. */
export function isLeftover(app: string, name: string): boolean {
  const start = stagedName(app, '');
  return name.startsWith(start) && !isAnotherProcess(Number(name.slice(start.length)));
}

function isAnotherProcess(pid: number): boolean {
  if (!(Number.isInteger(pid) && pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Tells whether somebody replaced a file. */
export function identityOf(file: string): string {
  const { ino, size, mtimeMs } = lstatSync(file);
  return `${ino} ${size} ${mtimeMs}`;
}

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
 * @param before the identity of the app's file at the download: if it is another one now, somebody installed a version that
 *   may be newer
 */
export function replaceApp(app: string, downloaded: string, file: FeedFile, before: string): void {
  const target = replaceable(app);
  if (identityOf(target) !== before) {
    if (hasContents(target, file)) return;
    throw problem('update_app_moved');
  }
  const folder = dirname(target);
  for (const name of readdirSync(folder)) if (isLeftover(target, name)) rmSync(join(folder, name));
  const staged = join(folder, stagedName(target, process.pid));
  try {
    copyVerified(downloaded, staged, file);
    renameSync(staged, target);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
  syncFolder(folder);
}

/** Throws an `UpdateProblem` if a downloaded file has changed since it was verified. */
export function verifyUnchanged(downloaded: string, file: FeedFile): void {
  if (!hasContents(downloaded, file)) throw problem('update_wrong_contents');
}

function copyVerified(from: string, to: string, file: FeedFile): void {
  const target = openSync(to, 'wx', 0o755);
  try {
    const isRight = hasContents(from, file, (piece) => {
      for (let written = 0; written < piece.byteLength; ) written += writeSync(target, piece, written);
    });
    if (!isRight) throw problem('update_wrong_contents');
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
}

/** Reads a file, which must not be a link, and tells whether it is the one that was signed. */
function hasContents(
  path: string,
  { size, sha512 }: FeedFile,
  onPiece: (piece: Buffer) => void = () => undefined,
): boolean {
  const source = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const hash = createHash('sha512');
    const buffer = Buffer.allocUnsafe(PIECE);
    let seen = 0;
    for (let read = readSync(source, buffer); read > 0 && seen <= size; read = readSync(source, buffer)) {
      const piece = buffer.subarray(0, read);
      seen += read;
      hash.update(piece);
      onPiece(piece);
    }
    return seen === size && hash.digest('base64') === sha512;
  } finally {
    closeSync(source);
  }
}

function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // Some file systems cannot flush a folder. The rename is done either way.
  }
}
