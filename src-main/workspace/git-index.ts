import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type IndexEntry, parseIndex } from '../base/git-index';
import { readRegularSync } from '../base/open-regular-sync';
import { contains, isRefused } from '../base/regular-file';

export interface Repository {
  /** The root of the working tree. */
  top: string;
  /** The folder that contains the index. */
  gitFolder: string;
}

/** Maximum size in bytes of an index: about two million files. */
const MAX_INDEX = 256 * 1024 * 1024;
/** Bytes read of a file that names a folder, and of a configuration. */
const MAX_LINK = 10_000;
const MAX_CONFIG = 100_000;

/** The repository that contains a folder, or null. Runs no program. */
export function repositoryOf(folder: string): Repository | null {
  for (let top = folder; ; top = dirname(top)) {
    const found = gitFolderOf(top);
    if (found !== null) return { top, gitFolder: found };
    if (dirname(top) === top) return null;
  }
}

function gitFolderOf(top: string): string | null {
  const path = join(top, '.git');
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return path;
  // The repository is a worktree or a submodule.
  const text = textOf(path, top, MAX_LINK);
  const target = /^gitdir: (.+)/.exec(text ?? '')?.[1]?.trim();
  if (target === undefined) return null;
  const folder = resolve(top, target);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
  return belongsTo(folder, top) ? folder : null;
}

/** Whether a repository elsewhere confirms that this is its worktree. A `.git` file alone may point to any repository. */
function belongsTo(gitFolder: string, top: string): boolean {
  const [inside, real] = [realpathSync.native(gitFolder), realpathSync.native(top)];
  if (contains(real, inside)) return true;
  const back = textOf(join(gitFolder, 'gitdir'), gitFolder, MAX_LINK)?.trim();
  if (back !== undefined) return resolve(inside, back) === join(real, '.git');
  const worktree = textOf(join(gitFolder, 'config'), gitFolder, MAX_CONFIG)
    ?.split('\n')
    .map((line) => /^\s*worktree\s*=\s*(\S.*)$/i.exec(line)?.[1]?.trim())
    .find((value) => value !== undefined);
  return worktree !== undefined && resolve(inside, worktree) === real;
}

const textOf = (path: string, root: string, maxBytes: number): string | null => {
  const bytes = readRegularSync(path, { root, maxBytes, cut: true });
  return isRefused(bytes) ? null : bytes.toString('utf8');
};

/** The files in git's index, or null if the index is missing or depends on other files. */
export function readIndex({ gitFolder }: Repository): IndexEntry[] | null {
  const bytes = readRegularSync(join(gitFolder, 'index'), { root: gitFolder, maxBytes: MAX_INDEX });
  return isRefused(bytes) ? null : parseIndex(bytes, usesSha256(gitFolder) ? 32 : 20);
}

function usesSha256(gitFolder: string): boolean {
  const common = textOf(join(gitFolder, 'commondir'), gitFolder, MAX_LINK)?.trim();
  const folder = common === undefined ? gitFolder : resolve(gitFolder, common);
  return /objectformat\s*=\s*sha256/iu.test(textOf(join(folder, 'config'), folder, MAX_CONFIG) ?? '');
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
