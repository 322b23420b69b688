import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { copyOpened } from '../../base/copy-opened';
import { openRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { codeOf } from '../system';
import { leavesOf, repositoryOutside } from './own-repositories';
import { entriesBelow } from './walk';

interface Amount {
  files: number;
  bytes: number;
}

export interface Measured {
  /** What git does not ignore, with the repository's own files. */
  own: Amount;
  ignored: Amount;
  /** The file system shares the content, so the copy needs hardly any space. */
  clones: boolean;
  /** Free bytes where the copy is stored. */
  free: number;
}

/** Counts what a copy would contain, without copying. `store` is created if missing. */
export async function measureCopy(from: string, store: string, signal?: AbortSignal): Promise<Measured> {
  const own = { files: 0, bytes: 0 };
  const ignored = { files: 0, bytes: 0 };
  let clones: boolean | null = null;
  await mkdir(store, { recursive: true, mode: 0o700 });
  for await (const { path, stats, excluded } of entriesBelow(from, () => false, signal)) {
    if (stats.isDirectory()) continue;
    const isGit = path.split('/').includes('.git');
    const size = stats.isFile() ? stats.size : 0;
    const amount = excluded && !isGit ? ignored : own;
    amount.files += 1;
    amount.bytes += size;
    if (basename(path) === '.git' && stats.isFile()) await addRepository(own, from, path, signal);
    if (clones === null && size > 0) clones = await canClone(from, path, store);
  }
  const { bavail, bsize } = await statfs(store);
  return { own, ignored, clones: clones ?? true, free: bavail * bsize };
}

/** A repository elsewhere is copied too. */
async function addRepository(own: Amount, from: string, path: string, signal?: AbortSignal): Promise<void> {
  const found = await repositoryOutside(from, path);
  if (found === null) return;
  const leaves = leavesOf(found);
  for await (const entry of entriesBelow(found.shared, () => false, signal)) {
    if (leaves(entry) || !entry.stats.isFile()) continue;
    own.files += 1;
    own.bytes += entry.stats.size;
  }
}

/** Tries it with one file. Null if that file cannot be read. */
async function canClone(from: string, path: string, store: string): Promise<boolean | null> {
  const probe = join(store, `.probe-${randomUUID()}`);
  const file = await openRegular(`${from}/${path}`, { root: from, links: 'none' });
  if (isRefused(file)) return null;
  try {
    await copyOpened(file, probe, true);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    return false;
  } finally {
    await file.close();
    await rm(probe, { force: true });
  }
}
