import { type BigIntStats, constants, lstatSync } from 'node:fs';
import { link, rename, unlink } from 'node:fs/promises';
import {
  existsFailure,
  type Failure,
  failure,
  notRegular,
  readOnly,
  staleFailure,
  systemCode,
  systemFailure,
} from '../failure';
import type { HeldDirectory } from './guard';
import { Handle } from './handle';
import { newTemporaryName, release } from './temporaries';

/** Read and write for the owner, read for others, before the process's umask applies. */
const NEW_FILE_MODE = 0o644;
const OWNER_MAY_WRITE = 0o200;
const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** Other systems have no such flag, or (macOS) it does not reach the disk as a separate flush does. */
const WRITES_CAN_FLUSH = process.platform === 'linux';

/**
 * Checks what is at a name before a write: a regular file, nothing, or a reason not to write. Synchronous: the folder was
 * just opened and the name looked up with it, so the kernel has the answer in memory.
 */
export function targetOf(parent: HeldDirectory, name: string, path: string): Target {
  try {
    const stat = lstatSync(parent.child(name), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? { stat: null } : judge(stat, path);
  } catch (thrown) {
    return systemFailure(thrown, path);
  }
}

type Target = { stat: BigIntStats | null } | Failure;

function judge(stat: BigIntStats, path: string): Target {
  if (stat.isSymbolicLink())
    return failure('denied', `Cannot write to ${path} because it is a symlink. Symlinks are not allowed.`);
  if (stat.isDirectory()) return failure('special', `'${path}' is a directory, not a file.`);
  return stat.isFile() ? { stat } : notRegular(path);
}

/** An exact mark of a file's content without reading it: any write changes at least one of these. */
export const statMark = (stat: BigIntStats): string =>
  `${stat.dev}-${stat.ino}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}`;

/**
 * Replaces a file with `pieces`, in order, in one step: writes them beside it, flushes, renames over it, and keeps mode and
 * owner. On any failure the file is unchanged and nothing is left behind. `before`: what `targetOf` saw. A file that has
 * changed since is not replaced (`stale`), and with `createOnly` a new file is not overwritten (`conflict`). A file without
 * write permission is not replaced, though the system would allow it.
 */
export async function replaceFile(
  parent: HeldDirectory,
  name: string,
  pieces: readonly Uint8Array[],
  options: {
    path: string;
    before: BigIntStats | null;
    createOnly?: boolean;
    signal: AbortSignal | undefined;
  },
): Promise<Failure | null> {
  const { path, before } = options;
  if (before !== null && (Number(before.mode) & OWNER_MAY_WRITE) === 0) return readOnly(path);
  const temporaryName = newTemporaryName(name);
  const temporary = parent.child(temporaryName);
  try {
    await writeTemporary(temporary, pieces, before);
    options.signal?.throwIfAborted();
    const now = targetOf(parent, name, path);
    if ('error' in now) return await discard(temporary, now);
    if (!sameFile(before, now.stat)) {
      const changed = options.createOnly ? existsFailure(path) : staleFailure(path);
      return await discard(temporary, changed);
    }
    if (options.createOnly) await putNew(temporary, parent.child(name));
    else await rename(temporary, parent.child(name));
    return null;
  } catch (thrown) {
    await discard(temporary, null);
    if (options.signal?.aborted) throw thrown;
    if (options.createOnly && systemCode(thrown) === 'EEXIST') return existsFailure(path);
    return systemFailure(thrown, path);
  } finally {
    release(temporaryName);
  }
}

async function writeTemporary(
  temporary: string | Buffer,
  pieces: readonly Uint8Array[],
  before: BigIntStats | null,
): Promise<void> {
  // A single write flushes itself, which saves a trip through the thread pool.
  const flushes = WRITES_CAN_FLUSH && pieces.length === 1;
  const handle = await Handle.open(temporary, flushes ? MAKE | constants.O_SYNC : MAKE, modeToMake(before));
  try {
    // First, so that the flush of the content covers them.
    if (before !== null) await keepOwnerAndMode(handle, before);
    await writeAll(handle, pieces);
    if (!flushes) await handle.sync();
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
  await handle.closeNow();
}

/** Others cannot read the new file until it has the mode and owner of the one it replaces. */
function modeToMake(before: BigIntStats | null): number {
  if (before === null) return NEW_FILE_MODE;
  const isOurs = Number(before.uid) === process.geteuid?.() && Number(before.gid) === process.getegid?.();
  return isOurs ? Number(before.mode) & 0o777 : 0o600;
}

async function writeAll(handle: Handle, pieces: readonly Uint8Array[]): Promise<void> {
  for (const bytes of pieces)
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, at, bytes.length - at);
      at += bytesWritten;
    }
}

async function keepOwnerAndMode(handle: Handle, before: BigIntStats): Promise<void> {
  const made = handle.statNow();
  const isAnothers = made.uid !== before.uid || made.gid !== before.gid;
  if (isAnothers)
    try {
      await giveTo(handle, Number(before.uid), Number(before.gid));
    } catch (thrown) {
      // It is a group that this process is not in.
      if (systemCode(thrown) !== 'EPERM') throw thrown;
    }
  // A change of owner clears some mode bits.
  if (isAnothers || made.mode !== before.mode) await handle.chmod(Number(before.mode) & 0o7777);
}

/**
 * Only root may give files away. Otherwise the new file is ours, as with every editor that replaces files, but others of its
 * group keep their access.
 */
async function giveTo(handle: Handle, uid: number, gid: number): Promise<void> {
  try {
    await handle.chown(uid, gid);
  } catch (thrown) {
    if (systemCode(thrown) !== 'EPERM') throw thrown;
    await handle.chown(Number(handle.statNow().uid), gid);
  }
}

/** Unlike a rename, a link fails if the name exists. File systems without hard links get the rename. */
async function putNew(temporary: string | Buffer, target: string | Buffer): Promise<void> {
  try {
    await link(temporary, target);
  } catch (thrown) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemCode(thrown))) throw thrown;
    await rename(temporary, target);
    return;
  }
  await unlink(temporary);
}

async function discard<T>(temporary: string | Buffer, answer: T): Promise<T> {
  try {
    await unlink(temporary);
  } catch (thrown) {
    // It was never created, or was deleted with its folder.
    if (systemCode(thrown) === '') throw thrown;
  }
  return answer;
}

function sameFile(before: BigIntStats | null, now: BigIntStats | null): boolean {
  if (before === null || now === null) return before === now;
  return statMark(before) === statMark(now);
}
