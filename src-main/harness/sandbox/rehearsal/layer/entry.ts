import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, read } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { openRegular } from '../../../../base/open-regular';
import { systemPath, textOfLatin1 } from '../../../../base/path-names';
import { isRefused } from '../../../../base/regular-file';
import { yieldToEventLoop } from '../../../../base/yield-to-event-loop';
import type { Entry } from './shapes';

const readAsync = promisify(read);

/** Bytes per read. */
const PIECE = 256 * 1024;

/** The kernel's status of an entry, which changes with every write. For a folder, only its identity. */
export type Mark = string;

export const markOf = (stats: BigIntStats): Mark => markBy(whoOf(stats), stats);

/**
 * Names an entry on its disk. The device number is not part of it: it may change when the machine starts again or the disk
 * is plugged in again. The time of creation tells entries apart that got the same inode number one after another; some
 * file systems have none.
 */
export const whoOf = ({ ino, birthtimeNs }: BigIntStats): string =>
  birthtimeNs > 0n ? `${ino}@${birthtimeNs}` : `${ino}`;

/** As older versions stored it in layers. */
const olderWhoOf = ({ dev, ino }: BigIntStats): string => `${dev}-${ino}`;

const markBy = (who: string, stats: BigIntStats): Mark =>
  stats.isDirectory() ? `folder-${who}` : `${who}-${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}`;

/** Whether an entry has this mark, which an older version may have stored. */
export const hasMark = (stats: BigIntStats, mark: Mark): boolean =>
  markOf(stats) === mark || markBy(olderWhoOf(stats), stats) === mark;

/**
 * For a file with several names: removing one, or writing through it, changes the others. Excludes what depends only on the
 * number of names.
 */
export const linkedMarkOf = (stats: BigIntStats): Mark => linkedMarkBy(whoOf(stats), stats);
const linkedMarkBy = (who: string, stats: BigIntStats): Mark =>
  `${LINKED}${who}-${stats.size}-${stats.mtimeNs}`;
const LINKED = 'linked-';

/** Whether an entry matches a mark. `byIdentity`: for a file with several names, only its identity counts. */
export function isMarked(stats: BigIntStats | null, mark: Mark | null, byIdentity: boolean): boolean {
  if (stats === null || mark === null) return stats === null && mark === null;
  if (!mark.startsWith(LINKED)) return hasMark(stats, mark);
  return [whoOf(stats), olderWhoOf(stats)].some((who) =>
    byIdentity ? mark.startsWith(`${LINKED}${who}-`) : mark === linkedMarkBy(who, stats),
  );
}

/** Null if nothing exists there. */
export async function statAt(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(systemPath(path), { bigint: true });
  } catch (thrown) {
    return nothingAt(thrown);
  }
}

/**
 * The same for a path that was looked up a moment ago: the kernel has the answer in memory, and the thread pool costs ten
 * times that.
 */
export async function statAgain(path: string): Promise<BigIntStats | null> {
  await yieldToEventLoop();
  try {
    return lstatSync(systemPath(path), { bigint: true });
  } catch (thrown) {
    return nothingAt(thrown);
  }
}

function nothingAt(thrown: unknown): null {
  // A link to itself leads nowhere.
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return null;
  throw thrown;
}

const typeOf = (stats: BigIntStats): Entry['type'] => {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() ? 'link' : 'other';
};

/** `root`: hashes the content of a file below it. */
export async function entryAt(path: string, stats: BigIntStats, root: string | null): Promise<Entry> {
  const type = typeOf(stats);
  const entry: Entry = {
    type,
    size: type === 'file' ? Number(stats.size) : 0,
    mode: Number(stats.mode) & 0o7777,
  };
  if (type === 'link') entry.target = textOfLatin1(await readlink(systemPath(path), 'latin1'));
  if (type === 'file' && root !== null) entry.sha256 = await hashOf(path, root);
  return entry;
}

/** SHA-256 of a regular file below `root`, hexadecimal. No part of the path may be a link. */
export async function hashOf(path: string, root: string): Promise<string> {
  const file = await openRegular(path, { root, links: 'none' });
  if (isRefused(file)) throw new Error(`'${path}' could not be read: ${file.refused} ${file.code}`);
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE, file.stats.size)));
    for (let at = 0; ; ) {
      const { bytesRead } = await readAsync(file.fd, buffer, 0, buffer.length, at);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

/** Processes items with limited concurrency and returns the results in order. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  most = CONCURRENCY,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}

const CONCURRENCY = 16;
