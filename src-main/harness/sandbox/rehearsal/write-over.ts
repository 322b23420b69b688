import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Op } from './journal';

/** Bytes per read or write. */
const PIECE = 256 * 1024;
const NOFOLLOW = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Overwrites a file in place, so that its other names and attributes stay. False if the file is not `ino`. */
export async function writeOver(
  target: string | Buffer,
  staged: string | Buffer,
  ino: bigint,
): Promise<boolean> {
  const [into, from] = [
    await open(target as string, constants.O_WRONLY | NOFOLLOW),
    await open(staged as string, 'r'),
  ];
  try {
    if ((await into.stat({ bigint: true })).ino !== ino) return false;
    const buffer = Buffer.allocUnsafe(PIECE);
    let at = 0;
    for (;;) {
      const { bytesRead } = await from.read(buffer, 0, PIECE, at);
      if (bytesRead === 0) break;
      await writeAll(into, buffer.subarray(0, bytesRead), at);
      at += bytesRead;
    }
    await into.truncate(at);
    const { mode, atime, mtime } = await from.stat();
    await into.chmod(mode & 0o7777);
    await into.utimes(atime, mtime);
    await into.sync();
    return true;
  } finally {
    await Promise.all([into.close(), from.close()]);
  }
}

async function writeAll(into: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await into.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

/**
 * Whether a file looks like an interrupted `writeOver`: it starts with the new content and continues with the old. Anything
 * else was written by somebody else.
 */
export async function isTornWrite(
  target: string | Buffer,
  staged: string | Buffer,
  { saved }: Op,
  place: string,
): Promise<boolean> {
  if (saved === undefined) return false;
  const files = await Promise.all(
    [target, staged, join(place, saved)].map((path) => open(path as string, constants.O_RDONLY | NOFOLLOW)),
  );
  const [now, after, before] = files as [FileHandle, FileHandle, FileHandle];
  try {
    const [size, newSize, oldSize] = await Promise.all(files.map(async (file) => (await file.stat()).size));
    if (size === undefined || newSize === undefined || oldSize === undefined) return false;
    const written = await sameFrom(now, after, 0, Math.min(size, newSize));
    if (written === size && size === newSize) return true;
    // Fully written but not truncated yet, or partly written.
    const rest = await sameFrom(now, before, written, Math.min(size, oldSize));
    return written + rest === size && size === Math.max(oldSize, written);
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

/** Number of equal bytes from a position up to `end`. */
async function sameFrom(one: FileHandle, other: FileHandle, from: number, end: number): Promise<number> {
  const [a, b] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)];
  let same = 0;
  while (from + same < end) {
    const length = Math.min(PIECE, end - from - same);
    await Promise.all([one.read(a, 0, length, from + same), other.read(b, 0, length, from + same)]);
    if (a.compare(b, 0, length, 0, length) !== 0) {
      let at = 0;
      while (a[at] === b[at]) at += 1;
      return same + at;
    }
    same += length;
  }
  return same;
}
