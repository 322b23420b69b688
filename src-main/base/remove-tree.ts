import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { chmod, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { systemPath, textOfLatin1 } from './path-names';

const OPEN = 0o700;
/** Limited: each level of folders has its own workers. */
const CONCURRENCY = 4;
/** Characters below the top. A program that changes into each folder makes longer paths than a system call takes. */
const MAX_LENGTH = 500;

/**
 * Removes everything at a path, which may be missing. Opens each folder before its content: names may not be valid text, and
 * a command, or the sandbox, may have made a folder that is closed even to its owner. Links are removed, not followed.
 */
export const removeTree = (path: string): Promise<void> => removeBelow(path, path);

async function removeBelow(top: string, path: string): Promise<void> {
  const stats = await lstat(systemPath(path)).catch(() => null);
  if (stats === null) return;
  if (!stats.isDirectory()) return unlink(systemPath(path));
  if ((stats.mode & OPEN) !== OPEN) await chmod(systemPath(path), OPEN);
  if (isLong(top, path)) {
    const short = `${top}/${randomUUID()}`;
    await rename(systemPath(path), systemPath(short));
    return removeBelow(top, short);
  }
  const names = (await readdir(systemPath(path), 'latin1')).map(textOfLatin1);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < names.length; at = next++) await removeBelow(top, `${path}/${names[at]}`);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await rmdir(systemPath(path));
}

const isLong = (top: string, path: string): boolean => path.length - top.length > MAX_LENGTH;

/** The same before anything else runs, where nothing can wait. Folders are only opened if the removal fails otherwise. */
export function removeTreeSync(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    open(path, path);
    rmSync(path, { recursive: true, force: true });
  }
}

function open(top: string, folder: string): void {
  const stats = lstatSync(systemPath(folder));
  if (!stats.isDirectory()) return;
  if ((stats.mode & OPEN) !== OPEN) chmodSync(systemPath(folder), OPEN);
  if (isLong(top, folder)) {
    const short = `${top}/${randomUUID()}`;
    renameSync(systemPath(folder), systemPath(short));
    open(top, short);
    return;
  }
  for (const name of readdirSync(systemPath(folder), 'latin1')) open(top, `${folder}/${textOfLatin1(name)}`);
}
