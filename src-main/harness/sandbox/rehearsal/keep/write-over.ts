import { type BigIntStats, constants } from 'node:fs';
import { chmod, type FileHandle, open, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Op } from './journal';

/** Bytes per read or write. */
const PIECE = 256 * 1024;
const NOFOLLOW = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Overwrites a file in place, so that its other names and attributes stay. False if the file is not `now`. If it cannot be
 * written to the end, as on a full disk, it gets its previous content again.
 */
export async function writeOverOrRestore(
  { target, staged, now }: { target: string | Buffer; staged: string | Buffer; now: BigIntStats },
  { saved }: Pick<Op, 'saved'>,
  place: string,
): Promise<boolean> {
  try {
    return await writeOver(target, staged, now.ino);
  } catch (thrown) {
    if (saved === undefined) throw thrown;
    // Its blocks are still its own, so this does not need space. If it fails too, the next start tries again.
    const isRestored = await writeOver(target, join(place, saved), now.ino).catch(() => false);
    if (!isRestored) throw new Error('A file could not be written, and not be restored.', { cause: thrown });
    await chmod(target, Number(now.mode) & 0o7777);
    await utimes(target, Number(now.atimeNs) / 1e9, Number(now.mtimeNs) / 1e9);
    throw thrown;
  }
}

/** False if the file is not `ino`. */
async function writeOver(target: string | Buffer, staged: string | Buffer, ino: bigint): Promise<boolean> {
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

/** Bytes that a disk writes as a whole. */
const SECTOR = 512;

/**
 * Whether a file looks like an interrupted `writeOver`: each of its sectors has the new content or the old. A killed process
 * leaves the new content first; a loss of power leaves any combination. Anything else was written by somebody else.
 */
export async function isTornWrite(
  target: string | Buffer,
  staged: string | Buffer,
  { saved }: Pick<Op, 'saved'>,
  place: string,
): Promise<boolean> {
  if (saved === undefined) return false;
  const files = await Promise.all(
    [target, staged, join(place, saved)].map((path) => open(path as string, constants.O_RDONLY | NOFOLLOW)),
  );
  const [now, after, before] = files as [FileHandle, FileHandle, FileHandle];
  try {
    const [size = 0, ...sizes] = await Promise.all(files.map(async (file) => (await file.stat()).size));
    if (size < Math.min(...sizes) || size > Math.max(...sizes)) return false;
    for (let at = 0; at < size; at += PIECE) {
      const piece = await pieceOf(now, at);
      if (!hasSectorsOf(piece, [await pieceOf(after, at), await pieceOf(before, at)])) return false;
    }
    return true;
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}

async function pieceOf(file: FileHandle, at: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE);
  const { bytesRead } = await file.read(piece, 0, PIECE, at);
  return piece.subarray(0, bytesRead);
}

/** Whether each sector begins as one content and continues as the other, which it may do from its first byte on. */
function hasSectorsOf(piece: Buffer, [after, before]: readonly [Buffer, Buffer]): boolean {
  for (let at = 0; at < piece.length; at += SECTOR) {
    const sector = piece.subarray(at, at + SECTOR);
    let from = 0;
    while (from < sector.length && sector[from] === after[at + from]) from += 1;
    if (!sector.subarray(from).equals(before.subarray(at + from, at + sector.length))) return false;
  }
  return true;
}
