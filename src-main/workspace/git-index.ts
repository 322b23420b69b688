import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitFolderOf, hashLengthOf } from '../base/git-folder';
import { type IndexEntry, parseIndex } from '../base/git-index';
import { readRegularSync } from '../base/open-regular-sync';
import { isRefused } from '../base/regular-file';

export interface Repository {
  /** The root of the working tree. */
  top: string;
  /** The folder that contains the index. */
  gitFolder: string;
}

/** Maximum size in bytes of an index: about two million files. */
const MAX_INDEX = 256 * 1024 * 1024;

/** The repository that contains a folder, or null. Runs no program. */
export function repositoryOf(folder: string): Repository | null {
  for (let top = folder; ; top = dirname(top)) {
    const found = gitFolderOf(top);
    if (found !== null) return { top, gitFolder: found };
    if (dirname(top) === top) return null;
  }
}

/** The files in git's index, or null if the index is missing or depends on other files. */
export function readIndex({ gitFolder }: Repository): IndexEntry[] | null {
  const bytes = readRegularSync(join(gitFolder, 'index'), { root: gitFolder, maxBytes: MAX_INDEX });
  return isRefused(bytes) ? null : parseIndex(bytes, hashLengthOf(gitFolder));
}

/** Whether a file certainly matches the index, by its times and size. Null if only its content can tell. */
export function isUnchanged(entry: IndexEntry, stat: BigIntStats): boolean | null {
  const isLink = (entry.mode & 0o170000) === 0o120000;
  if (stat.isSymbolicLink() !== isLink || (!isLink && !stat.isFile())) return false;
  if (Number(stat.size % 2n ** 32n) !== entry.size) return false;
  const seconds = stat.mtimeNs / 1_000_000_000n;
  const rest = Number(stat.mtimeNs % 1_000_000_000n);
  const sameTime =
    Number(seconds % 2n ** 32n) === entry.mtimeSeconds &&
    (entry.mtimeNanoseconds === 0 || entry.mtimeNanoseconds === rest);
  return sameTime ? true : null;
}

/** Whether the content matches the blob, even if git stores it with other line ends. Runs no filter. */
export function isBlob(bytes: Buffer, hash: string): boolean {
  const kind = hash.length === 64 ? 'sha256' : 'sha1';
  const hashOf = (content: Buffer) =>
    createHash(kind).update(`blob ${content.length}\0`).update(content).digest('hex');
  if (hashOf(bytes) === hash) return true;
  return (
    bytes.includes('\r\n') &&
    hashOf(Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')) === hash
  );
}
