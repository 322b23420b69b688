import { lstatSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SHA1, SHA256 } from './git-index';
import { readRegularSync } from './open-regular-sync';
import { contains, isRefused } from './regular-file';

/** Bytes read of a file that names a folder, and of a configuration. */
export const MAX_LINK = 10_000;
export const MAX_CONFIG = 100_000;

/** What makes git take a folder with any name for a repository. */
export const OF_BARE: readonly string[] = ['HEAD', 'objects', 'refs'];

/** Where the repository of a working tree is stored, or null if its root has none. Runs no program. */
export function gitFolderOf(top: string): string | null {
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

/** Bytes of a hash in the index of a repository, which may be a worktree's. */
export function hashLengthOf(gitFolder: string): number {
  const common = textOf(join(gitFolder, 'commondir'), gitFolder, MAX_LINK)?.trim();
  const folder = common === undefined ? gitFolder : resolve(gitFolder, common);
  return hashLengthIn(textOf(join(folder, 'config'), folder, MAX_CONFIG));
}

/** The same by a repository's configuration; null: it cannot be read. */
export const hashLengthIn = (config: string | null): number =>
  /objectformat\s*=\s*sha256/iu.test(config ?? '') ? SHA256 : SHA1;

/** Null if it cannot be read. */
export const textOf = (path: string, root: string, maxBytes: number): string | null => {
  const bytes = readRegularSync(path, { root, maxBytes, cut: true });
  return isRefused(bytes) ? null : bytes.toString('utf8');
};
