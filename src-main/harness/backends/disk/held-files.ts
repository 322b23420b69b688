import { constants } from 'node:fs';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { systemPath, textOfLatin1 } from '../../../base/path-names';
import { READ } from '../../../base/regular-file';
import { type Failure, failure, isFailure, staleFailure, systemFailure } from '../failure';
import type { CheckedPath } from '../paths';
import { versionOf } from '../text/text';
import { readUpTo, WHOLE_LIMIT } from '../text/text-file';
import { statMark } from './atomic-write';
import type { HeldDirectory, OpenFile, RootGuard } from './guard';
import { Handle } from './handle';

/** Opens a name in a held folder for reading, and checks it again after opening. */
export async function openHeld(
  parent: HeldDirectory,
  name: string,
  path: string,
): Promise<OpenFile | Failure> {
  let handle: Handle;
  try {
    handle = await Handle.open(parent.child(name), READ);
  } catch (thrown) {
    return systemFailure(thrown, path);
  }
  const stat = await handle.stat();
  if (stat.isFile()) return { handle, stat };
  await handle.close();
  return failure('special', `'${path}' is not a regular file.`);
}

/** Why a file is not the one that a caller has read. Null if it is, or if no version was expected. */
export async function checkVersion(
  parent: HeldDirectory,
  name: string,
  stat: OpenFile['stat'] | null,
  path: string,
  expected: string | undefined,
): Promise<Failure | null> {
  if (expected === undefined) return null;
  if (stat === null) return failure('not_found', `Error: File '${path}' not found`);
  // A file of unknown content can still have a known stat.
  if (isStatMark(stat, expected)) return statMark(stat) === expected ? null : staleFailure(path);
  const file = await openHeld(parent, name, path);
  if (isFailure(file)) return file;
  try {
    return (await isVersion(file, expected)) ? null : staleFailure(path);
  } finally {
    await file.handle.close();
  }
}

/** The same for what `read` would return: a link has the version of the file it leads to, and a folder has none. */
export async function checkVersionToDelete(
  guard: RootGuard,
  at: CheckedPath,
  expected: string | undefined,
): Promise<Failure | null> {
  if (expected === undefined) return null;
  const file = await guard.openFile(at);
  if (isFailure(file))
    return file.kind === 'not_found' ? failure('not_found', `Error: '${at.path}' not found`) : file;
  try {
    return (await isVersion(file, expected)) ? null : staleFailure(at.path);
  } finally {
    await file.handle.close();
  }
}

/** Whether an open file still is the expected version. */
async function isVersion({ handle, stat }: OpenFile, expected: string): Promise<boolean> {
  if (isStatMark(stat, expected)) return statMark(stat) === expected;
  return versionOf(await readUpTo(handle, Number(stat.size))) === expected;
}

/** Small files are marked by hash, others by their stat. A mark of the other kind means another state. */
const isStatMark = ({ size }: OpenFile['stat'], expected: string): boolean =>
  size > WHOLE_LIMIT || expected.includes('-');

/** Deletes a file, a link (never its target) or a folder with everything below. Holds each folder while it is emptied. */
export async function removeTree(
  parent: HeldDirectory,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const path = parent.child(name);
  if (!(await lstat(path)).isDirectory()) return unlink(path);
  const handle = await Handle.open(path, READ | (constants.O_DIRECTORY ?? 0));
  const inside = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : `${path}`;
  const held: HeldDirectory = {
    ...parent,
    path: systemPath(inside).toString(),
    child: (entry) => systemPath(`${inside}/${entry}`),
  };
  try {
    for (const entry of await readdir(held.path, 'latin1'))
      await removeTree(held, textOfLatin1(entry), signal);
  } finally {
    await handle.close();
  }
  await rmdir(path);
}
