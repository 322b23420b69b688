import { closeSync, constants, existsSync, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../base/names';
import { readRegularSync } from '../base/open-regular-sync';
import { systemPath, textOfLatin1 } from '../base/path-names';
import { isRefused } from '../base/regular-file';

/** Linux can name the object behind an open handle, which prevents every race. */
const HANDLES_HAVE_PATHS = existsSync('/proc/self/fd');
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OPEN_FOLDER = READ_ONLY | (constants.O_DIRECTORY ?? 0);

/** The code of a system or zlib error. '' for anything else, which is a bug. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** The bytes of a regular file in the folder. Null if it is missing, not a file, too large, or behind a link. */
export function readInside(root: string, path: string, maxBytes: number): Buffer | null {
  const bytes = readRegularSync(join(root, path), { root, links: 'none', maxBytes });
  return isRefused(bytes) ? null : bytes;
}

/** Whether every folder above `path` (relative) is real and not a link. Otherwise the path is not inside the folder. */
export function hasRealParents(root: string, path: string): boolean {
  const names = path.split('/').slice(0, -1);
  let at = root;
  for (const name of names) {
    if (name === '..' || name === '.' || name === '') return false;
    at = join(at, name);
    if (!lstatSync(systemPath(at), { throwIfNoEntry: false })?.isDirectory()) return false;
  }
  return true;
}

/** Whether a path names something inside the folder, as far as its words say. */
export const staysInside = (path: string): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .every((name) => name !== '..' && name !== '.' && name !== '');

/** Like `hasRealParents`, but folders may be missing or not readable. */
export function isPathOf(root: string, path: string): boolean {
  if (!staysInside(path)) return false;
  const names = path.split('/').slice(0, -1);
  let at = root;
  for (const name of names) {
    at = join(at, name);
    try {
      const stat = lstatSync(systemPath(at), { throwIfNoEntry: false });
      if (stat === undefined) return true;
      if (!stat.isDirectory()) return false;
    } catch (thrown) {
      if (codeOf(thrown) === '') throw thrown;
      return true;
    }
  }
  return true;
}

/** What `Spelling` needs from a system. */
export interface Disk {
  /** Identity of a file; null if there is none. */
  identityOf(path: string): string | null;
  namesIn(folder: string): string[];
}

const HERE: Disk = {
  identityOf: (path) => {
    const stat = lstatSync(systemPath(path), { throwIfNoEntry: false });
    return stat === undefined ? null : `${stat.dev}-${stat.ino}`;
  },
  namesIn: (folder) => readdirSync(systemPath(folder), 'latin1').map(textOfLatin1),
};

/**
 * Tells paths with the names as the disk spells them. Some systems treat names as equal that differ in case or accent
 * composition; there, changes recorded under one spelling are found under each, and a file that is there under another name
 * was renamed. It tries the names out, because systems differ by disk and folder. Missing paths are returned unchanged. What
 * it has read of a folder it does not read again.
 */
export class Spelling {
  private readonly folds = new Map<string, boolean>();
  private readonly names = new Map<string, string[]>();

  constructor(
    private readonly root: string,
    private readonly disk: Disk = HERE,
  ) {}

  of(path: string): string {
    const names = path.split('/');
    let at = this.root;
    for (const [index, name] of names.entries()) {
      const other = otherCase(name);
      if (other !== name && this.folds.get(at) !== false) {
        const identity = this.disk.identityOf(join(at, name));
        if (identity === null) break;
        const isSame = (one: string) => this.disk.identityOf(join(at, one)) === identity;
        const folds = isSame(other);
        this.folds.set(at, folds);
        if (folds) names[index] = this.nameIn(at, name, isSame);
      }
      at = join(at, names[index] ?? name);
    }
    return names.join('/');
  }

  private nameIn(folder: string, name: string, isSame: (one: string) => boolean): string {
    const there = this.names.get(folder) ?? this.disk.namesIn(folder);
    this.names.set(folder, there);
    if (there.includes(name)) return name;
    const wanted = foldName(name);
    return there.find((one) => foldName(one) === wanted && isSame(one)) ?? name;
  }
}

const otherCase = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();

/**
 * Runs `use` with a name for the parent folder of `path`. The name keeps referring to that folder even if it is replaced (on
 * Linux; elsewhere it was checked just before). Null if a link is on the way or the folder is missing.
 */
export function inParent<T>(root: string, path: string, use: (parent: string) => T): T | null {
  if (!hasRealParents(root, path)) return null;
  const cut = path.lastIndexOf('/');
  const folder = cut < 0 ? root : join(root, ...path.slice(0, cut).split('/'));
  if (!HANDLES_HAVE_PATHS) return use(folder);
  let held: number;
  try {
    held = openSync(systemPath(folder), OPEN_FOLDER);
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    return null;
  }
  try {
    if (textOfLatin1(readlinkSync(`/proc/self/fd/${held}`, 'latin1')) !== folder) return null;
    return use(`/proc/self/fd/${held}`);
  } finally {
    closeSync(held);
  }
}
