import { type BigIntStats, constants } from 'node:fs';
import { copyFile, lchown, lutimes, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemPath } from '../../../../base/path-names';
import { flushFolder } from '../../../../base/replace-file';
import type { HeldDirectory } from '../../../backends/disk/guard';
import { Handle } from '../../../backends/disk/handle';
import type { Recorded } from '../layer/compare';
import { hasMark, inParallel, statAt } from '../layer/entry';
import { foldersAbove } from '../layer/folders-above';
import { PARTS } from '../layer/layer';
import { LayerChanged } from '../layer/shapes';

const COPY = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
/** Setuid and setgid: running such a file gives the rights of its owner or group. */
const DROPPED = 0o6000;

export const keptMode = ({ after }: Recorded): number =>
  after?.type === 'file' ? after.mode & ~DROPPED : (after?.mode ?? 0);

/** Content that replaces the command's if only a part is kept. */
export type Replaced = string | Uint8Array | undefined;

/** A file in the staging folder, and its final mode if it has another one. */
export interface Staged {
  name: string;
  mode: number | null;
}

/**
 * Prepares a file or link as the command left it, except for its mode and for flushing. Null for a link. Throws if the layer
 * has changed.
 */
export async function stage(
  change: Recorded,
  replaced: Replaced,
  { place, folder, into, name }: { place: string; folder: string; into: HeldDirectory; name: string },
): Promise<Staged | null> {
  const source = `${place}/${PARTS.upper}/${change.path}`;
  const stats = await statAt(source);
  if (stats === null || change.is === null || !hasMark(stats, change.is)) throw new LayerChanged(change.path);
  const target = into.child(name);
  if (change.after?.type === 'link') await symlink(systemPath(change.after.target ?? ''), target);
  else if (replaced === undefined) await copyFile(systemPath(source), target, COPY);
  else await writeFile(target, replaced, { flag: 'wx', mode: 0o600 });
  await keepOwner(
    target,
    stats,
    change.before === undefined ? null : await statAt(`${folder}/${change.path}`),
  );
  if (change.after?.type === 'link') return null;
  if (replaced === undefined) await keepTimes(target, stats);
  // A copy keeps the original's mode until its owner changes.
  const isCopied = process.getuid?.() !== 0 && replaced === undefined;
  const mode = keptMode(change);
  return { name, mode: isCopied && (Number(stats.mode) & 0o7777) === mode ? null : mode };
}

/**
 * Sets the modes of staged files and flushes them to disk, all after they are written: the disk then does most of the work
 * once.
 */
export async function flushStaged(into: HeldDirectory, files: readonly Staged[]): Promise<void> {
  await inParallel(files, ({ name, mode }) => flushFile(into.child(name), mode));
}

/** Flushes files of the layer to disk, and then their names. */
export async function flushInLayer(place: string, paths: ReadonlySet<string>): Promise<void> {
  const upper = join(place, PARTS.upper);
  await inParallel([...paths], (path) => flushFile(systemPath(`${upper}/${path}`), null));
  const above = new Set([...paths].flatMap((path) => ['.', ...foldersAbove(path)]));
  await inParallel([...above], (path) => flushFolder(systemPath(`${upper}/${path}`)));
}

async function flushFile(path: string | Buffer, mode: number | null): Promise<void> {
  const file = await Handle.open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (mode !== null) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.closeNow();
  }
}

/** Only root may change owners; for anybody else everything is theirs. */
async function keepOwner(
  target: string | Buffer,
  made: BigIntStats,
  before: BigIntStats | null,
): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = before ?? made;
  // It already belongs to root.
  if (uid === 0n && gid === 0n) return;
  await lchown(target, Number(uid), Number(gid));
}

const keepTimes = (target: string | Buffer, { atimeNs, mtimeNs }: BigIntStats): Promise<void> =>
  lutimes(target, Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9);
