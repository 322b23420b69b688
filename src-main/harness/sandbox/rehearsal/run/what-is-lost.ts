import { chmod, symlink, unlink, writeFile } from 'node:fs/promises';
import { newTemporaryName, release } from '../../../backends/disk/temporaries';
import { HeldFolders } from '../keep/apply';
import { statAt } from '../layer/entry';
import type { UnavailableReason } from '../layer/shapes';

type Lost = Extract<UnavailableReason, 'no_modes' | 'no_links'>;

/** Permission bits that a file system without permissions cannot tell apart. */
const MODES = [0o700, 0o600, 0o640];

/**
 * What a folder's file system loses of what commands make, found by trying with a hidden file that is gone afterwards. Null:
 * nothing, or this user cannot create files there.
 */
export async function whatIsLost(folder: string): Promise<Lost | null> {
  const folders = new HeldFolders(folder);
  const name = newTemporaryName('trial');
  try {
    const top = await folders.parentOf(name);
    if (typeof top === 'string') return null;
    return await tried(top.child(name), `${folder}/${name}`);
  } finally {
    await folders.close();
    release(name);
  }
}

/** `path`: the same file, for reading its status. */
async function tried(at: string | Buffer, path: string): Promise<Lost | null> {
  try {
    await writeFile(at, '', { flag: 'wx' });
  } catch {
    return null;
  }
  try {
    for (const mode of MODES) {
      await chmod(at, mode).catch(() => undefined);
      if ((Number((await statAt(path))?.mode) & 0o777) !== mode) return 'no_modes';
    }
  } finally {
    await unlink(at);
  }
  try {
    await symlink('file', at);
  } catch {
    return 'no_links';
  }
  await unlink(at);
  return null;
}
