import { constants, existsSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { textOfLatin1 } from './path-names';

/** Linux can name what a descriptor holds, which closes every race; elsewhere identity is compared after opening. */
export const DESCRIPTORS_HAVE_PATHS = existsSync('/proc/self/fd');
/** Of Linux, the same on all its processors; Node does not name it. The file is found, not opened: no device acts, no pipe waits. */
const O_PATH = 0o10000000;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/** Flags for finding a place, with links followed or not. */
export const FIND = (links: Links): number => O_PATH | (links === 'none' ? NOFOLLOW : 0);
/** Flags for reading: a pipe that nobody writes to must not hold one of the few threads of the file system. */
export const READ = constants.O_RDONLY | NOFOLLOW | NONBLOCK;
/** The same through a descriptor's own name, which is a link. */
export const READ_FOUND = constants.O_RDONLY | NONBLOCK;
/** Bytes that are read at first where a file says that it is empty. */
const FIRST_READ = 4096;

/**
 * `inside` (default): links are followed where they stay in the folder. `none`: no name on the way, nor the last one,
 * may be a link.
 */
export type Links = 'inside' | 'none';

export interface Within {
  /** The folder that the file must really be in. Null: anywhere, for a file that the person named, or the app's own. */
  root: string | null;
  links?: Links;
}

/** `unavailable`: the system says so, in `code`. */
export type Refusal = 'missing' | 'outside' | 'not_regular' | 'too_large' | 'denied' | 'unavailable';

/** Why something was not read, as a value. */
export interface Refused {
  refused: Refusal;
  /** Of the system, as `ENOENT`; '' where it had nothing against it. */
  code: string;
}

export const refuse = (refused: Refusal, code = ''): Refused => ({ refused, code });

export function isRefused(value: object): value is Refused {
  return 'refused' in value;
}

/** What the system threw, as a value. Throws again what is not a system error, since that is a bug. */
export function refusalOf(thrown: unknown): Refused {
  const code =
    thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  switch (code) {
    case '':
      throw thrown;
    case 'ENOENT':
    case 'ENOTDIR':
      return refuse('missing', code);
    case 'ELOOP':
    case 'EMLINK':
      return refuse('outside', code);
    case 'EACCES':
    case 'EPERM':
      return refuse('denied', code);
    case 'EISDIR':
    case 'ENXIO':
    case 'ENODEV':
      return refuse('not_regular', code);
    default:
      return refuse('unavailable', code);
  }
}

/** Where a descriptor's file is. The kernel answers from memory. */
export function placeOf(fd: number, isDeleted: boolean): string {
  const place = textOfLatin1(readlinkSync(`/proc/self/fd/${fd}`, 'latin1'));
  const suffix = ' (deleted)';
  return isDeleted && place.endsWith(suffix) ? place.slice(0, -suffix.length) : place;
}

/** A path with the real path of the root, which may itself be reached by a link. */
export const askedPath = (path: string, named: string | null, root: string | null): string =>
  named === null || root === null ? resolve(path) : join(root, relative(resolve(named), resolve(path)));

/** Found without following it. */
export const refusedLink = (stats: Stats): Refused | null =>
  stats.isSymbolicLink() ? refuse('outside') : null;

/** What of a place speaks against it. `root` and `asked` are real paths but for what is below the root. */
export function refusedPlace(
  place: string,
  root: string | null,
  asked: string,
  links: Links,
): Refused | null {
  if (isOfKernel(place)) return refuse('not_regular');
  if (root !== null && !contains(root, place)) return refuse('outside');
  return links === 'none' && place !== asked ? refuse('outside') : null;
}

/** What the kernel makes up when it is read: other processes' secrets, and files that are endless or act when read. */
const isOfKernel = (place: string): boolean =>
  process.platform === 'linux' &&
  // Pipes and the like have no path.
  (!isAbsolute(place) || (/^\/(proc|sys|dev)(\/|$)/.test(place) && !place.startsWith('/dev/shm/')));

export function contains(root: string, place: string): boolean {
  const path = relative(root, place);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}

/** Gathers what is read of a file up to a limit, whatever size the file says it has. */
export class LimitedBytes {
  private buffer: Buffer;
  private filled = 0;

  constructor(
    size: number,
    private readonly maxBytes: number,
  ) {
    this.buffer = Buffer.alloc(Math.min(size, maxBytes) + 1 || FIRST_READ);
  }

  /** Where the next bytes go; null once there is more than the limit. */
  room(): { buffer: Buffer; at: number; length: number } | null {
    if (this.filled > this.maxBytes) return null;
    if (this.filled === this.buffer.length) {
      const larger = Buffer.alloc(Math.min(Math.max(this.filled * 2, FIRST_READ), this.maxBytes + 1));
      this.buffer.copy(larger);
      this.buffer = larger;
    }
    return { buffer: this.buffer, at: this.filled, length: this.buffer.length - this.filled };
  }

  took(bytes: number): void {
    this.filled += bytes;
  }

  /** `cut`: what is beyond the limit is left out; else there is nothing of a file that is larger. */
  result(cut: boolean): Buffer | Refused {
    if (this.filled > this.maxBytes && !cut) return refuse('too_large');
    return this.buffer.subarray(0, Math.min(this.filled, this.maxBytes));
  }
}
