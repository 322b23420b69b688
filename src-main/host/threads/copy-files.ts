import { copyFile, link, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushNames, makeFlushedFolder } from '../../base/replace-file';
import { fail, ok, type Result } from '../../contract/result';

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Copies the files of a folder that may not exist to a new one, for a fork. They never change, so hard links are enough. They
 * survive a power failure. Errors: `storage`, after which the new folder is gone.
 */
export async function copyFiles(from: string, to: string): Promise<Result<object>> {
  try {
    const names = await readdir(from).catch((error: unknown) => {
      if (isGone(error)) return [];
      throw error;
    });
    if (names.length === 0) return ok({});
    await makeFlushedFolder(to);
    for (const name of names) await copyOne(join(from, name), join(to, name));
    await flushNames(to);
    return ok({});
  } catch (error) {
    await rm(to, { recursive: true, force: true }).catch(() => undefined);
    return fail('storage', 'fork_files_not_copied', {}, String(error));
  }
}

/** Not every file system has hard links. A file deleted in between is missing in both threads. */
const copyOne = (source: string, target: string): Promise<void> =>
  link(source, target)
    .catch(() => copyFlushed(source, target))
    .catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });

async function copyFlushed(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  const copy = await open(target, 'r+');
  await copy.sync().finally(() => copy.close());
}
