import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readRegularText } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';

/** Maximum bytes that are read of a file that names a folder or a commit, of the configuration, and of all packed refs. */
const MAX_LINK = 4_096;
const MAX_CONFIG = 100_000;
const MAX_PACKED = 4 * 1024 * 1024;

/** A name that git accepts for a branch, and that stands for nothing else, such as `HEAD~1` or a part of a hash. */
const NAME = /^(?![0-9a-f]{4,64}$)\w[\w-]*([./]\w[\w-]*)*$/;
/** Git ignores a ref that is anything else. */
const ID = /^(?!0+$)([0-9a-f]{40}|[0-9a-f]{64})$/;
/** Variables with which git uses another repository. */
const ELSEWHERE = /\bGIT_(DIR|WORK_TREE|COMMON_DIR|NAMESPACE|CEILING_DIRECTORIES|DISCOVERY_\w+|CONFIG\w*)\b/;

/**
 * Whether `git checkout name` switches to a branch or tag of that name, even if there is also a file or folder with it: git
 * restores files only if no local ref has the name. `source`: the whole line. False if that is not certain.
 */
export async function switchesTo(name: string, directory: string, source: string): Promise<boolean> {
  if (!NAME.test(name) || name.endsWith('.lock') || ELSEWHERE.test(source)) return false;
  const git = await gitFolder(directory);
  if (git === null || /refstorage/i.test((await textOf(join(git, 'config'), git, MAX_CONFIG)) ?? ''))
    return false;
  for (const ref of [`refs/tags/${name}`, `refs/heads/${name}`]) {
    const found = await textOf(join(git, ref), git, MAX_LINK);
    if (found !== null) {
      if (ID.test(found.trim())) return true;
    } else if (await isPacked(ref, git)) return true;
  }
  return false;
}

async function isPacked(ref: string, git: string): Promise<boolean> {
  // A folder or an odd file in its place is not a missing one.
  if ((await stat(join(git, ref)).catch(() => null))?.isDirectory() === false) return false;
  const text = (await textOf(join(git, 'packed-refs'), git, MAX_PACKED)) ?? '';
  return text.split('\n').some((line) => {
    const [id = '', name] = line.split(' ');
    return name === ref && ID.test(id);
  });
}

/** The folder with the refs of the repository around a folder; null if there is none. */
async function gitFolder(directory: string): Promise<string | null> {
  for (let root = directory; ; root = dirname(root)) {
    const git = join(root, '.git');
    const found = await stat(git).catch(() => null);
    if (found?.isDirectory() === true) return git;
    if (found !== null) {
      const linked = /^gitdir: (.+)/.exec((await textOf(git, root, MAX_LINK)) ?? '')?.[1]?.trim();
      if (linked === undefined) return null;
      const own = resolve(root, linked);
      const common = (await textOf(join(own, 'commondir'), own, MAX_LINK))?.trim();
      return common === undefined ? own : resolve(own, common);
    }
    if (dirname(root) === root) return null;
  }
}

/** Null if it is missing or not a regular file. */
async function textOf(path: string, root: string, maxBytes: number): Promise<string | null> {
  const read = await readRegularText(path, { root, maxBytes });
  return isRefused(read) ? null : read.text;
}
