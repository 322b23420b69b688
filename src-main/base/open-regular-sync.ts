import {
  closeSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { resolve } from 'node:path';
import type { ReadOptions } from './open-regular';
import { systemPath, textOfLatin1 } from './path-names';
import {
  askedPath,
  belowRoot,
  DESCRIPTORS_HAVE_PATHS,
  FIND,
  FIND_ROOT,
  isRefused,
  LimitedBytes,
  type Links,
  placeOf,
  READ,
  READ_FOUND,
  type Refused,
  refusalOf,
  refuse,
  refusedLink,
  refusedPlace,
  type Within,
} from './regular-file';

const SLASH = Buffer.from('/');

export interface OpenedFile {
  fd: number;
  stats: Stats;
  place: string;
}

/** `openRegular` for workers. The path is in the text form of `path-names.ts`. Close the descriptor afterwards. */
export function openRegularSync(path: string, within: Within): OpenedFile | Refused {
  try {
    const { root: named, links = 'inside' } = within;
    if (!DESCRIPTORS_HAVE_PATHS) {
      const root =
        named === null ? null : textOfLatin1(realpathSync.native(systemPath(named), { encoding: 'latin1' }));
      return openByName(askedPath(path, named, root), root, links);
    }
    if (named === null) return openFound({ host: resolve(path), asked: resolve(path), root: null }, links);
    const rootFd = openSync(systemPath(resolve(named)), FIND_ROOT);
    try {
      return openFound(belowRoot(path, named, rootFd), links);
    } finally {
      closeSync(rootFd);
    }
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

/** `readRegular` for workers, where blocking the thread is fine. */
export function readRegularSync(path: string, options: ReadOptions): Buffer | Refused {
  const file = openRegularSync(path, options);
  if (isRefused(file)) return file;
  try {
    return readOpenedSync(file, options);
  } catch (thrown) {
    return refusalOf(thrown);
  } finally {
    closeSync(file.fd);
  }
}

/** Reads all of an open file, whatever its reported size. Throws system errors. */
function readOpenedSync(
  { fd, stats }: { fd: number; stats: { size: number } },
  { maxBytes, cut = false }: Pick<ReadOptions, 'maxBytes' | 'cut'>,
): Buffer | Refused {
  if (stats.size > maxBytes && !cut) return refuse('too_large');
  const bytes = new LimitedBytes(stats.size, maxBytes);
  let position = 0;
  for (let room = bytes.room(); room !== null; room = bytes.room()) {
    const got = readSync(fd, room.buffer, room.at, room.length, position);
    if (got === 0) break;
    position += got;
    bytes.took(got);
  }
  return bytes.result(cut);
}

function openFound(
  { host, asked, root }: { host: string; asked: string; root: string | null },
  links: Links,
): OpenedFile | Refused {
  const found = openSync(systemPath(host), FIND(links));
  try {
    const stats = fstatSync(found);
    const place = placeOf(found, stats.nlink === 0);
    const refused = refusedPlace(place, root, asked, links) ?? refusedLink(stats);
    if (refused !== null) return refused;
    if (!stats.isFile()) return refuse('not_regular');
    return { fd: openSync(`/proc/self/fd/${found}`, READ_FOUND), stats, place };
  } finally {
    closeSync(found);
  }
}

function openByName(asked: string, root: string | null, links: Links): OpenedFile | Refused {
  const place = realpathSync.native(asked);
  const named = statSync(place);
  const refused = refusedPlace(place, root, asked, links);
  if (refused !== null) return refused;
  if (!named.isFile()) return refuse('not_regular');
  const fd = openSync(place, READ);
  const stats = fstatSync(fd);
  const isSame = realpathSync.native(asked) === place && stats.ino === named.ino && stats.dev === named.dev;
  if (isSame) return { fd, stats, place };
  closeSync(fd);
  return refuse('outside');
}

/**
 * Reads a regular file by a path in bytes, which need not be UTF-8. `root` is a real path, also in bytes. Follows links that
 * stay in it.
 */
export function readRegularBytesSync(path: Buffer, root: Buffer, maxBytes: number): Buffer | Refused {
  // Other systems use text names.
  if (!DESCRIPTORS_HAVE_PATHS) return readRegularSync(String(path), { root: String(root), maxBytes });
  try {
    const found = openSync(path, FIND('inside'));
    try {
      const stats = fstatSync(found);
      const place = readlinkSync(`/proc/self/fd/${found}`, { encoding: 'buffer' });
      const above = root.equals(SLASH) ? root : Buffer.concat([root, SLASH]);
      if (!place.subarray(0, above.length).equals(above)) return refuse('outside');
      const refused = refusedPlace(place.toString('latin1'), null, '', 'inside');
      if (refused !== null) return refused;
      if (!stats.isFile()) return refuse('not_regular');
      const fd = openSync(`/proc/self/fd/${found}`, READ_FOUND);
      try {
        return readOpenedSync({ fd, stats }, { maxBytes });
      } finally {
        closeSync(fd);
      }
    } finally {
      closeSync(found);
    }
  } catch (thrown) {
    return refusalOf(thrown);
  }
}
