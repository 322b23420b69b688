import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';

/**
 * The folder with a repository's history if it is outside: `folder` is a worktree or submodule of it. Null if there is none,
 * or if that repository does not list `folder` as its own: a `.git` file comes with the project and must not expose
 * anything.
 */
export async function commonFolder(folder: string): Promise<string | null> {
  const git = join(folder, '.git');
  try {
    if (!(await lstat(git)).isFile()) return null;
    const own = await namedIn(git, /^gitdir: (.+)$/m, folder);
    if (own === null) return null;
    const common = (await namedIn(join(own, 'commondir'), /^(.+)$/m, own)) ?? own;
    const answersBack =
      common === own
        ? (await worktreeIn(join(own, 'config'), own)) === folder
        : (await namedIn(join(own, 'gitdir'), /^(.+)$/m, own)) === git && dirname(dirname(own)) === common;
    return answersBack && (await isRepository(common)) ? common : null;
  } catch {
    return null;
  }
}

/** Maximum bytes of a git file that names a path. */
const MAX_BYTES = 64 * 1024;

/** The path named in a git file, links resolved; null if the file is missing. */
async function namedIn(file: string, pattern: RegExp, base: string): Promise<string | null> {
  const read = await readRegularText(file, { root: dirname(file), links: 'none', maxBytes: MAX_BYTES });
  const named = isRefused(read) ? undefined : pattern.exec(read.text)?.[1]?.trim().replaceAll('"', '');
  return named === undefined || named === '' ? null : realpath(resolve(base, named));
}

const worktreeIn = (config: string, base: string) =>
  namedIn(config, /^[ \t]*worktree[ \t]*=([^\n]*)/im, base);

async function isRepository(path: string): Promise<boolean> {
  const kinds = await Promise.all(
    ['objects', 'refs', 'HEAD'].map((name) => lstat(join(path, name)).catch(() => null)),
  );
  return kinds[0]?.isDirectory() === true && kinds[1]?.isDirectory() === true && kinds[2]?.isFile() === true;
}
