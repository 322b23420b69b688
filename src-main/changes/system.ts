import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { join } from 'node:path';

/** Linux can name what a handle holds, which closes every race. */
const HANDLES_HAVE_PATHS = existsSync('/proc/self/fd');
const OPEN_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const OPEN_FOLDER = OPEN_FILE | (constants.O_DIRECTORY ?? 0);

/** The code of an error of the system or of zlib; '' for anything else, which is a bug. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';

/** The bytes of a regular file; null where it is gone, no file, or may not be read. Opens no pipe and follows no link. */
export function readRegular(path: string, maxBytes: number): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, OPEN_FILE);
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    return null;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > maxBytes) return null;
    return readFileSync(fd);
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    return null;
  } finally {
    closeSync(fd);
  }
}

/** Whether every folder above `path` (relative) is a real one, no link: else it is not a path of the folder. */
export function hasRealParents(root: string, path: string): boolean {
  const names = path.split('/').slice(0, -1);
  let at = root;
  for (const name of names) {
    if (name === '..' || name === '.' || name === '') return false;
    at = join(at, name);
    if (!lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) return false;
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
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return true;
    if (!stat.isDirectory()) return false;
  }
  return true;
}

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
    held = openSync(folder, OPEN_FOLDER);
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    return null;
  }
  try {
    if (readlinkSync(`/proc/self/fd/${held}`) !== folder) return null;
    return use(`/proc/self/fd/${held}`);
  } finally {
    closeSync(held);
  }
}
