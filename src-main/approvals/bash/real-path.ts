import { lstat, readlink } from 'node:fs/promises';
import { posix } from 'node:path';

/** Links that are followed for one path, as on Linux. */
const MAX_LINKS = 40;

/**
 * Where a path leads as the kernel goes it: name by name, each link followed before `..` goes up from where it leads. What
 * is not there is where the path says. `path` is absolute and may have `..` in it. Null where it cannot be told: links in
 * a circle, or a folder that cannot be searched. `keepLast`: a link that stands last is not followed, as by `rm`.
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
    // A last name that a link brings in is no longer the one that is written last.
    isInLink ||= open.length === 0;
    if (target.startsWith('/')) at = '/';
    open.push(...namesOf(target).reverse());
  }
  return at;
}

const namesOf = (path: string) => path.split('/').filter((name) => name !== '' && name !== '.');

/** What a link says; undefined for what is no link or not there; null where that cannot be told. */
async function linkAt(path: string): Promise<string | null | undefined> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : null;
  }
}
