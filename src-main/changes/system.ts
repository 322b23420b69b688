import { closeSync, constants, existsSync, lstatSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../base/names';
import { readRegularSync } from '../base/open-regular-sync';
import { systemPath, textOfLatin1 } from '../base/path-names';
import { isRefused } from '../base/regular-file';

/** Linux can name what a handle holds, which closes every race. */
const HANDLES_HAVE_PATHS = existsSync('/proc/self/fd');
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OPEN_FOLDER = READ_ONLY | (constants.O_DIRECTORY ?? 0);

/** The code of an error of the system or of zlib; '' for anything else, which is a bug. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** The bytes of a regular file of the folder; null where it is gone, no file, too large, or a link is on the way. */
export function readInside(root: string, path: string, maxBytes: number): Buffer | null {
  const bytes = readRegularSync(join(root, path), { root, links: 'none', maxBytes });
  return isRefused(bytes) ? null : bytes;
}

/** Whether every folder above `path` (relative) is a real one, no link: else it is not a path of the folder. */
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

/** As `hasRealParents`, but what is not there yet is no link either. */
export function isPathOf(root: string, path: string): boolean {
  const names = path.split('/').slice(0, -1);
  let at = root;
  for (const name of names) {
    if (name === '..' || name === '.' || name === '') return false;
    at = join(at, name);
    const stat = lstatSync(systemPath(at), { throwIfNoEntry: false });
    if (stat === undefined) return true;
    if (!stat.isDirectory()) return false;
  }
  return true;
}

/** What `spelledOnDisk` asks a system. */
export interface Disk {
  /** Which file it is; null where there is none. */
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
 * A path with the names that its folders have: where a system takes names that differ in case or in how accents
 * are written for one, what is recorded under one spelling is found under each. Found out by trying, since systems
 * differ by disk and folder. What is not there stays as it is.
 */
export function spelledOnDisk(root: string, path: string, disk: Disk = HERE): string {
  const names = path.split('/');
  let at = root;
  for (const [index, name] of names.entries()) {
    const here = join(at, name);
    const identity = disk.identityOf(here);
    if (identity === null) break;
    const other = otherCase(name);
    const isSame = (one: string) => disk.identityOf(join(at, one)) === identity;
    if (other !== name && isSame(other)) {
      const there = disk.namesIn(at);
      const wanted = foldName(name);
      if (!there.includes(name))
        names[index] = there.find((one) => foldName(one) === wanted && isSame(one)) ?? name;
    }
    at = join(at, names[index] ?? name);
  }
  return names.join('/');
}

const otherCase = (name: string): string =>
  name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();

/**
 * Runs `use` with a name for the folder that holds `path`, which stays that folder whatever is put in its place meanwhile
 * (on Linux; elsewhere it was looked at just before). Null where a link is on the way or it is not there.
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
