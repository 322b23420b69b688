import { dirname, join, resolve } from 'node:path';
import { hashLengthIn, MAX_CONFIG } from '../../../../base/git-folder';
import { differsInStatOnly } from '../../../../base/git-index';
import { readRegular, readRegularText } from '../../../../base/open-regular';
import { isRefused } from '../../../../base/regular-file';

/** Maximum bytes of an index that is parsed. */
export const MAX_INDEX = 64 * 1024 * 1024;

const INDEX = /(^|\/)\.git\/((modules|worktrees)\/.+\/)?index$/;
/** Whether a path in a project is git's index. */
export const isIndex = (path: string): boolean => INDEX.test(path);

/** A file, and the folder that it must be in. */
type Side = readonly [path: string, root: string];

/** Whether two versions of an index say the same: git renews the times in it even for a `diff`. `before`: in the folder. */
export async function isSameIndex(before: Side, other: Side): Promise<boolean> {
  const [one, two] = await Promise.all(
    [before, other].map(([path, root]) => readRegular(path, { root, links: 'none', maxBytes: MAX_INDEX })),
  );
  if (one === undefined || two === undefined || isRefused(one) || isRefused(two)) return false;
  return differsInStatOnly(one, two, await hashLengthAt(dirname(before[0])));
}

/** Bytes of a hash in an index. `git`: the folder with the index. */
export async function hashLengthAt(git: string): Promise<number> {
  const common = (await textIn(git, 'commondir'))?.trim();
  return hashLengthIn(await textIn(common === undefined ? git : resolve(git, common), 'config'));
}

async function textIn(git: string, name: string): Promise<string | null> {
  const read = await readRegularText(join(git, name), { root: git, maxBytes: MAX_CONFIG, cut: true });
  return isRefused(read) ? null : read.text;
}
