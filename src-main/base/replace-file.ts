import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a kill leaves of `replacePrivateFile`. */
const PART = /^\.[0-9a-f-]{36}\.part$/;
/** Milliseconds for which such a file may still be in use. */
const GRACE = 3_600_000;
/** What systems and disks answer that cannot flush a folder. The rename is done either way. */
const CANNOT_FLUSH = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * Replaces or creates a private file of the app, with its missing folders. After a full disk, a kill or a power failure, it has the
 * old content or the new one, and what succeeded stays. Throws system errors.
 */
export async function replacePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(path);
  await makeFlushedFolder(folder);
  const part = join(folder, `.${randomUUID()}.part`);
  try {
    await writeFile(part, content, { flag: 'wx', mode: 0o600, flush: true });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  await flushNames(folder);
}

/** Creates a private folder and its missing parents, which survive a power failure. */
export async function makeFlushedFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = folder; at.length >= first.length && at !== dirname(at); at = dirname(at))
    await flushNames(dirname(at));
}

/** Flushes the content of a file to disk. */
export async function flushFile(path: string | Buffer): Promise<void> {
  // Windows flushes only what is open for writing, which elsewhere needs the permission.
  const file = await open(path as string, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes the names in a folder to disk, where the system can. */
export async function flushNames(folder: string | Buffer): Promise<void> {
  await flushFolder(folder).catch(passIfImpossible);
}

/** The same at startup, when nothing can wait. */
export function flushNamesSync(folder: string): void {
  let opened: number | undefined;
  try {
    opened = openSync(folder, 'r');
    fsyncSync(opened);
  } catch (error) {
    passIfImpossible(error as NodeJS.ErrnoException);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function passIfImpossible(error: NodeJS.ErrnoException): void {
  if (!CANNOT_FLUSH.has(error.code ?? '')) throw error;
}

/** Flushes the names in a folder to disk. Throws where the system cannot. */
export async function flushFolder(path: string | Buffer): Promise<void> {
  const folder = await open(path as string, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Removes what killed processes left of `replacePrivateFile` in a folder, which may be missing. */
export async function removeParts(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!PART.test(name)) continue;
    const part = join(folder, name);
    const stats = await stat(part).catch(() => null);
    if (stats !== null && now - stats.mtimeMs > GRACE) await rm(part, { force: true });
  }
}
