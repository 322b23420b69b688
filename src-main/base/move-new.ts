import { constants } from 'node:fs';
import { copyFile, link, lstat, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { flushFile } from './replace-file';

/** What systems and disks without hard links answer. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * Moves a file, link or folder to a name where nothing is, also if something appears there meanwhile: throws `EEXIST`. `shown`: the
 * target in that error. Only a folder on another disk cannot be moved.
 */
export async function moveNew(from: string | Buffer, to: string | Buffer, shown: string): Promise<void> {
  const source = await lstat(from);
  const taken = await lstat(to).catch(() => null);
  // Only the case of the name changes, on a case-insensitive disk. Another name of the file (a hard link) is taken.
  const isOneName = taken !== null && (taken.isDirectory() || taken.nlink === 1);
  const isSame = isOneName && taken.ino === source.ino && taken.dev === source.dev;
  if (taken !== null && !isSame) throw Object.assign(new Error(`${shown} exists`), { code: 'EEXIST' });
  if (source.isFile() && !isSame) {
    // Unlike a rename, a link fails if the name is taken.
    try {
      await link(from, to);
      await unlink(from);
      return;
    } catch (thrown) {
      if (!NO_LINKS.has(codeOf(thrown))) throw thrown;
    }
  }
  if (source.isSymbolicLink() && !isSame) {
    // So does a new symbolic link. It is the same on any disk.
    await symlink(await readlink(from, 'buffer'), to);
    await unlink(from);
    return;
  }
  try {
    // Of folders, a rename replaces at most an empty one.
    await rename(from, to);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EXDEV' || !source.isFile()) throw thrown;
    // Another disk is mounted in the folder.
    await copyFile(from, to, constants.COPYFILE_EXCL);
    // Or else a power failure would leave neither.
    await flushFile(to);
    await unlink(from);
  }
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
