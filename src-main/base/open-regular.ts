import { close, constants, type Dirent, fstat, open, read, type Stats, stat } from 'node:fs';
import { promisify } from 'node:util';
import { openNames, realPathOf, systemPath, textOfLatin1 } from './path-names';
import {
  askedPath,
  DESCRIPTORS_HAVE_PATHS,
  FIND,
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
const ENTRIES_AT_ONCE = 512;

export interface RegularFile {
  readonly fd: number;
  readonly stats: Stats;
  /** Where it really is. */
  readonly place: string;
  close(): Promise<void>;
}

export interface ReadOptions extends Within {
  /** Bytes. What is beyond them is never read. */
  maxBytes: number;
  /** The beginning of a larger file will do. Default false: a larger file is refused. */
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
 * Opens a regular file of a folder that anybody may have filled, for reading: never waits for a pipe, opens no device,
 * follows no link out of the folder. What was opened is what was checked. Close it.
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

/** The bytes of a regular file, as `openRegular` opens it. */
export async function readRegular(path: string, options: ReadOptions): Promise<Buffer | Refused> {
  const file = await openRegular(path, options);
  if (isRefused(file)) return file;
  try {
    return await readOpened(file, options);
  } finally {
    await file.close();
  }
}

/** All of an open file, whatever size it says it has. */
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

/** The same as text in UTF-8, without a byte order mark; what is not UTF-8 becomes replacement characters. */
export async function readRegularText(path: string, options: ReadOptions): Promise<TextRead> {
  const bytes = await readRegular(path, options);
  return isRefused(bytes) ? bytes : { text: new TextDecoder().decode(bytes) };
}

/** Entries of a directory of such a folder. `more`: there are more than that. */
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

/** Finds a place and looks at it, without reading it. Throws system errors. */
async function find(path: string, within: Within, flags = 0): Promise<RegularFile | Refused> {
  const { root: named, links = 'inside' } = within;
  const root = named === null ? null : await realPathOf(systemPath(named));
  const asked = askedPath(path, named, root);
  if (!DESCRIPTORS_HAVE_PATHS) return findByName(asked, root, links);
  const fd = await openAsync(systemPath(asked), FIND(links) | flags);
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

/** Where descriptors have no paths: what was opened must be what has the real path. */
async function findByName(asked: string, root: string | null, links: Links): Promise<RegularFile | Refused> {
  const place = await realPathOf(systemPath(asked));
  const named = await namedStat(place);
  const refused = refusedPlace(place, root, asked, links);
  if (refused !== null) return refused;
  // Looked at before: opening a device may act.
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
  const directory = await openNames(systemPath(place), ENTRIES_AT_ONCE);
  // The loop closes it, also where it is left.
  for await (const entry of directory) {
    if (entries.length >= maxEntries) return { entries, more: true };
    // The name as text, as paths have it.
    entry.name = textOfLatin1(entry.name);
    entries.push(entry);
  }
  return { entries, more: false };
}
