import { lstat, readlink } from 'node:fs/promises';
import { posix } from 'node:path';

/** Maximum links followed for one path, as on Linux. */
const MAX_LINKS = 40;

/**
 * Resolves a path as the kernel does: name by name, following each link before `..` goes up from its target. A missing part
 * keeps its written path. `path` is absolute and may contain `..`. Returns null if links form a circle or a folder cannot be
 * searched. With `keepLast`, a link in the last position is not followed, as for `rm`.
 */
export async function realPathOf(path: string, { keepLast = false } = {}): Promise<string | null> {
  const open = namesOf(path).reverse();
  const endsInFolder = /\/\.{0,2}$/.test(path);
  let at = '/';
  let links = 0;
  let isInLink = false;
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === '..') {
      at = posix.dirname(at);
      continue;
    }
    const next = at === '/' ? `/${name}` : `${at}/${name}`;
    if (keepLast && open.length === 0 && !isInLink && !endsInFolder) return next;
    const target = await linkAt(next);
    if (target === null) return null;
    if (target === undefined) {
      at = next;
      continue;
    }
    if (++links > MAX_LINKS) return null;
    // A last name that comes from a link is not the last name as written.
    isInLink ||= open.length === 0;
    if (target.startsWith('/')) at = '/';
    open.push(...namesOf(target).reverse());
  }
  return at;
}

const namesOf = (path: string) => path.split('/').filter((name) => name !== '' && name !== '.');

/** The target of a link; undefined if there is no link; null if that cannot be determined. */
async function linkAt(path: string): Promise<string | null | undefined> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : null;
  }
}
