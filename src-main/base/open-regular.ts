import { close, constants, type Dirent, fstat, open, read, type Stats, stat } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { openNames, realPathOf, systemPath, textOfLatin1 } from './path-names';
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

const openAsync = promisify(open);
const closeAsync = promisify(close);
const statAsync = promisify(fstat);
const namedStat = promisify(stat);
const readAsync = promisify(read);

const DIRECTORY = constants.O_DIRECTORY ?? 0;
const ENTRY_BATCH = 512;

export interface RegularFile {
  readonly fd: number;
  readonly stats: Stats;
  /** Its real location. */
  readonly place: string;
  close(): Promise<void>;
}

export interface ReadOptions extends Within {
  /** Bytes beyond this limit are never read. */
  maxBytes: number;
  /** Accepts the beginning of a larger file. Default false: a larger file is refused. */
  cut?: boolean;
}

export type TextRead = { text: string } | Refused;

export interface ListOptions extends Within {
  maxEntries: number;
}

export interface Listed {
  entries: Dirent[];
  more: boolean;
}

/**
 * Opens a regular file for reading in a folder with untrusted contents. Never waits for a pipe, opens no device, and follows
 * no link out of the folder. The opened file is the checked one. Close it afterwards.
 */
export async function openRegular(path: string, within: Within): Promise<RegularFile | Refused> {
  try {
    const found = await find(path, within);
    if (isRefused(found)) return found;
    if (!found.stats.isFile()) {
      await found.close();
      return refuse('not_regular');
    }
    return DESCRIPTORS_HAVE_PATHS ? await openFound(found) : found;
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

/** Reads a regular file, opened as by `openRegular`. */
export async function readRegular(path: string, options: ReadOptions): Promise<Buffer | Refused> {
  const file = await openRegular(path, options);
  if (isRefused(file)) return file;
  try {
    return await readOpened(file, options);
  } finally {
    await file.close();
  }
}

/** Reads all of an open file, whatever its reported size. */
export async function readOpened(
  { fd, stats }: RegularFile,
  { maxBytes, cut = false }: Pick<ReadOptions, 'maxBytes' | 'cut'>,
): Promise<Buffer | Refused> {
  if (stats.size > maxBytes && !cut) return refuse('too_large');
  const bytes = new LimitedBytes(stats.size, maxBytes);
  let position = 0;
  try {
    for (let room = bytes.room(); room !== null; room = bytes.room()) {
      const { bytesRead } = await readAsync(fd, room.buffer, room.at, room.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      bytes.took(bytesRead);
    }
    return bytes.result(cut);
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

/** The same as UTF-8 text, without a byte order mark. Invalid UTF-8 becomes replacement characters. */
export async function readRegularText(path: string, options: ReadOptions): Promise<TextRead> {
  const bytes = await readRegular(path, options);
  return isRefused(bytes) ? bytes : { text: new TextDecoder().decode(bytes) };
}

/** Lists a directory in such a folder. `more`: there are more entries. */
export async function listRegular(path: string, options: ListOptions): Promise<Listed | Refused> {
  try {
    const found = await find(path, options, DIRECTORY);
    if (isRefused(found)) return found;
    try {
      if (!found.stats.isDirectory()) return refuse('not_regular');
      const place = DESCRIPTORS_HAVE_PATHS ? `/proc/self/fd/${found.fd}` : found.place;
      return await entriesOf(place, options.maxEntries);
    } finally {
      await found.close();
    }
  } catch (thrown) {
    return refusalOf(thrown);
  }
}

/** Finds and checks a place without reading it. Throws system errors. */
async function find(path: string, within: Within, flags = 0): Promise<RegularFile | Refused> {
  const { root: named, links = 'inside' } = within;
  if (!DESCRIPTORS_HAVE_PATHS) {
    const root = named === null ? null : await realPathOf(systemPath(named));
    return findByName(askedPath(path, named, root), root, links);
  }
  if (named === null)
    return findBelow({ host: resolve(path), asked: resolve(path), root: null }, links, flags);
  const rootFd = await openAsync(systemPath(resolve(named)), FIND_ROOT);
  try {
    return await findBelow(belowRoot(path, named, rootFd), links, flags);
  } finally {
    await closeAsync(rootFd);
  }
}

async function findBelow(
  { host, asked, root }: { host: string; asked: string; root: string | null },
  links: Links,
  flags: number,
): Promise<RegularFile | Refused> {
  const fd = await openAsync(systemPath(host), FIND(links) | flags);
  try {
    const stats = await statAsync(fd);
    const place = placeOf(fd, stats.nlink === 0);
    const refused = refusedPlace(place, root, asked, links) ?? refusedLink(stats);
    if (refused === null) return opened(fd, stats, place);
    await closeAsync(fd);
    return refused;
  } catch (thrown) {
    await closeAsync(fd);
    throw thrown;
  }
}

/** For systems where descriptors have no paths: the opened file must be the one at the real path. */
async function findByName(asked: string, root: string | null, links: Links): Promise<RegularFile | Refused> {
  const place = await realPathOf(systemPath(asked));
  const named = await namedStat(place);
  const refused = refusedPlace(place, root, asked, links);
  if (refused !== null) return refused;
  // Checked before opening, since opening a device may have side effects.
  if (!named.isFile() && !named.isDirectory()) return refuse('not_regular');
  const fd = await openAsync(place, READ);
  try {
    const stats = await statAsync(fd);
    const isSame =
      (await realPathOf(systemPath(asked))) === place && stats.ino === named.ino && stats.dev === named.dev;
    if (isSame) return opened(fd, stats, place);
    await closeAsync(fd);
    return refuse('outside');
  } catch (thrown) {
    await closeAsync(fd);
    throw thrown;
  }
}

async function openFound(found: RegularFile): Promise<RegularFile> {
  try {
    return opened(await openAsync(`/proc/self/fd/${found.fd}`, READ_FOUND), found.stats, found.place);
  } finally {
    await found.close();
  }
}

const opened = (fd: number, stats: Stats, place: string): RegularFile => ({
  fd,
  stats,
  place,
  close: () => closeAsync(fd),
});

async function entriesOf(place: string, maxEntries: number): Promise<Listed> {
  const entries: Dirent[] = [];
  const directory = await openNames(systemPath(place), ENTRY_BATCH);
  // The loop also closes it on an early exit.
  for await (const entry of directory) {
    if (entries.length >= maxEntries) return { entries, more: true };
    // The name in the text form that paths use.
    entry.name = textOfLatin1(entry.name);
    entries.push(entry);
  }
  return { entries, more: false };
}
