import { constants, existsSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { textOfLatin1 } from './path-names';

/**
 * Linux can name the file behind a descriptor, which prevents every race. Other systems compare the identity after opening.
 */
export const DESCRIPTORS_HAVE_PATHS = existsSync('/proc/self/fd');
/**
 * Linux only, the same on all processors; Node does not define it. Finds the file without opening it, so no device acts and
 * no pipe waits.
 */
const O_PATH = 0o10000000;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/** Flags to find a place, with or without following links. */
export const FIND = (links: Links): number => O_PATH | (links === 'none' ? NOFOLLOW : 0);
/** Flags for reading. A pipe without a writer must not block one of the few file system threads. */
export const READ = constants.O_RDONLY | NOFOLLOW | NONBLOCK;
/** The same through a descriptor's path, which is a link. */
export const READ_FOUND = constants.O_RDONLY | NONBLOCK;
/** Bytes of the first read if a file reports that it is empty. */
const FIRST_READ = 4096;

/** `inside` (default): links are followed if they stay in the folder. `none`: no part of the path may be a link. */
export type Links = 'inside' | 'none';

export interface Within {
  /** The folder that must really contain the file. Null: anywhere, for a file that the person named or the app's own. */
  root: string | null;
  links?: Links;
}

/** `unavailable`: a system error, in `code`. */
export type Refusal = 'missing' | 'outside' | 'not_regular' | 'too_large' | 'denied' | 'unavailable';

/** Why something was not read, as a value. */
export interface Refused {
  refused: Refusal;
  /** The system's code, such as `ENOENT`; '' if there was no system error. */
  code: string;
}

export const refuse = (refused: Refusal, code = ''): Refused => ({ refused, code });

export function isRefused(value: object): value is Refused {
  return 'refused' in value;
}

/** Converts a system error to a value. Rethrows anything else, since that is a bug. */
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

/** The location of a descriptor's file. The kernel answers from memory. */
export function placeOf(fd: number, isDeleted: boolean): string {
  const place = textOfLatin1(readlinkSync(`/proc/self/fd/${fd}`, 'latin1'));
  const suffix = ' (deleted)';
  return isDeleted && place.endsWith(suffix) ? place.slice(0, -suffix.length) : place;
}

/** A path with the root's real path, since a link may lead to the root. */
export const askedPath = (path: string, named: string | null, root: string | null): string =>
  named === null || root === null ? resolve(path) : join(root, relative(resolve(named), resolve(path)));

/** Finds the root itself, whatever its name means a moment later. */
export const FIND_ROOT = O_PATH;

/**
 * The path of a file below an open root, and where the file must be. A real path would not do here: the system resolves it
 * name by name, even for a root like `/proc/self/fd/9`, so a link in place of the root's own name would lead elsewhere.
 */
export function belowRoot(
  path: string,
  named: string,
  rootFd: number,
): { host: string; asked: string; root: string } {
  const root = placeOf(rootFd, false);
  const below = relative(resolve(named), resolve(path));
  // Not joined, since that would resolve a leading `..` against the descriptor's own folder.
  return { host: `/proc/self/fd/${rootFd}/${below || '.'}`, asked: join(root, below), root };
}

/** Found without following it. */
export const refusedLink = (stats: Stats): Refused | null =>
  stats.isSymbolicLink() ? refuse('outside') : null;

/** Why a place is refused. `root` and `asked` are real paths, except for the part of `asked` below the root. */
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

/** Files that the kernel generates on reading: they can hold other processes' secrets, be endless, or have side effects. */
const isOfKernel = (place: string): boolean =>
  process.platform === 'linux' &&
  // Pipes and the like have no path.
  (!isAbsolute(place) || (/^\/(proc|sys|dev)(\/|$)/.test(place) && !place.startsWith('/dev/shm/')));

export function contains(root: string, place: string): boolean {
  const path = relative(root, place);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}

/** Collects the bytes read from a file up to a limit, whatever its reported size. */
export class LimitedBytes {
  private buffer: Buffer;
  private filled = 0;

  constructor(
    size: number,
    private readonly maxBytes: number,
  ) {
    this.buffer = Buffer.alloc(Math.min(size, maxBytes) + 1 || FIRST_READ);
  }

  /** The buffer for the next bytes; null once the limit is exceeded. */
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

  /** `cut`: drops the part beyond the limit. Otherwise a larger file has no result. */
  result(cut: boolean): Buffer | Refused {
    if (this.filled > this.maxBytes && !cut) return refuse('too_large');
    return this.buffer.subarray(0, Math.min(this.filled, this.maxBytes));
  }
}
