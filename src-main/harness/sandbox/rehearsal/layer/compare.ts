import type { BigIntStats } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { systemPath } from '../../../../base/path-names';
import { optional } from '../../../../contract/shared/optional';
import { entryAt, hashOf, inParallel, type Mark, markOf, statAt } from './entry';
import { isIndex, isSameIndex } from './git-index';
import { namesIn, PARTS } from './layer';
import type { Change, ChangeKind, Entry } from './shapes';

/** A change with the kernel's status of both sides when it was found. */
export interface Recorded extends Change {
  /** In the folder; null: it did not exist. */
  was: Mark | null;
  /** In the layer; null: it does not exist. */
  is: Mark | null;
  /** Nanoseconds of the last change in the folder; `0` if it did not exist. */
  changedAt: string;
  /** A file in the layer with the previous content. */
  saved?: string;
}

/** A file of the folder as it was when the command first touched it. */
export interface Seen {
  was: Mark;
  changedAt: string;
  size: number;
  mode: number;
  /** Its copy in the layer. None if the file changed before it was copied. */
  saved?: string;
}

/** A path that differs between the two sides. */
interface Pair {
  path: string;
  upper: BigIntStats | null;
  lower: BigIntStats | null;
  /** The mode that the command set in the layer, if it had to be changed to read the entry. */
  mode?: number;
}

/** A folder on both sides. `missing`: the names that only the folder below has, which may or may not still be visible. */
interface Both {
  path: string;
  missing: string[];
}

export interface Compared {
  folder: string;
  place: string;
  /** Which paths, relative to the folder, exist with the layer on top. */
  stillThere: (paths: readonly string[]) => Promise<boolean[]>;
  /** Whether contents are compared and hashed; otherwise a different size or time counts as a change. */
  isHashed: (path: string) => Promise<boolean>;
  /** Whether so many further bytes may be read: files with holes cost nothing to make. Absent: any number. */
  mayRead?: (bytes: number) => boolean;
  /** Files of the folder that were saved when the command touched them. */
  seen: ReadonlyMap<string, Seen>;
}

/**
 * The differences with the layer on top of the folder. The layer only shows where to look: the kernel's mark on a recreated
 * folder is unreadable here, so a mount shows whether the entries below are visible.
 */
export async function changesIn(compared: Compared): Promise<{
  changes: Recorded[];
  /** Files and folders that exist on both sides, also if nothing that is compared here changed. */
  copied: string[];
}> {
  const pairs: Pair[] = [];
  const both: Both[] = [];
  await walk(compared, '', true, { pairs, both });
  for (const path of await deletedIn(both, compared)) await addDeleted(compared, path, pairs);
  const changes = await inParallel(pairs, (pair) => changeOf(compared, pair));
  return {
    changes: changes
      .filter((change) => change !== null)
      .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    copied: pairs.flatMap(({ path, upper, lower }) => (isSameKind(upper, lower) ? [path] : [])),
  };
}

const isSameKind = (upper: BigIntStats | null, lower: BigIntStats | null): boolean =>
  (upper?.isFile() === true && lower?.isFile() === true) ||
  (upper?.isDirectory() === true && lower?.isDirectory() === true);
const isWhiteout = (stats: BigIntStats) => stats.isCharacterDevice() && stats.rdev === 0n;
const isSpecial = (stats: BigIntStats) => !stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink();
const below = (path: string, name: string) => (path === '' ? name : `${path}/${name}`);

interface Found {
  pairs: Pair[];
  both: Both[];
}

/** `isBoth`: it is also a folder in the project. Entries behind a link there do not count. */
async function walk(compared: Compared, path: string, isBoth: boolean, found: Found): Promise<void> {
  const { folder, place } = compared;
  const upperPath = join(place, PARTS.upper, path);
  const names = await namesIn(upperPath);
  const pairs = await inParallel(names, async (name) => ({
    path: below(path, name),
    ...(await readableAt(`${upperPath}/${name}`)),
    lower: isBoth ? await statAt(`${folder}/${below(path, name)}`) : null,
  }));
  for (const pair of pairs) await take(compared, pair, found);
  // The top folder cannot be recreated.
  if (!isBoth || path === '') return;
  const here = new Set(names);
  const missing = (await namesIn(join(folder, path))).filter((name) => !here.has(name));
  if (missing.length > 0) found.both.push({ path, missing });
}

const isRoot = process.getuid?.() === 0;

/** An entry of the layer. A mode that locks out its owner is changed there: the folder gets the command's mode. */
async function readableAt(path: string): Promise<Pick<Pair, 'upper' | 'mode'>> {
  const upper = await statAt(path);
  const needed = upper?.isDirectory() === true ? 0o700 : upper?.isFile() === true ? 0o400 : 0;
  const mode = Number(upper?.mode ?? 0) & 0o7777;
  if (isRoot || (mode & needed) === needed) return { upper };
  await chmod(systemPath(path), mode | needed);
  return { upper: await statAt(path), mode };
}

async function take(compared: Compared, pair: Pair, found: Found): Promise<void> {
  const { path, upper, lower } = pair;
  if (upper === null) return;
  if (isWhiteout(upper)) {
    if (lower !== null) await addDeleted(compared, path, found.pairs);
    return;
  }
  // A pipe or a socket is useless without the program that created it, so only what it replaced counts.
  if (isSpecial(upper) && (lower === null || !isSpecial(lower))) {
    if (lower !== null) await addDeleted(compared, path, found.pairs);
    return;
  }
  found.pairs.push(pair);
  const isFolder = lower?.isDirectory() === true;
  if (upper.isDirectory()) return walk(compared, path, isFolder, found);
  if (!isFolder) return;
  for (const name of await namesIn(`${compared.folder}/${path}`))
    await addDeleted(compared, below(path, name), found.pairs);
}

/** Adds an entry of the folder and everything below it. */
async function addDeleted(compared: Compared, path: string, pairs: Pair[]): Promise<void> {
  const lower = await statAt(`${compared.folder}/${path}`);
  if (lower === null) return;
  pairs.push({ path, upper: null, lower });
  if (lower.isDirectory())
    for (const name of await namesIn(`${compared.folder}/${path}`))
      await addDeleted(compared, below(path, name), pairs);
}

/** Paths that only the folder has and that are no longer visible. One name per folder answers for all. */
async function deletedIn(both: readonly Both[], compared: Compared): Promise<string[]> {
  const deleted: string[] = [];
  let left = both.map((one) => ({ ...one, at: 0 }));
  while (left.length > 0) {
    const asked = left.map(({ path, missing, at }) => below(path, missing[at] ?? ''));
    const there = await compared.stillThere(asked);
    const again: typeof left = [];
    for (const [index, one] of left.entries()) {
      if (there[index]) continue;
      // Another program may have just removed that one from the folder.
      const isGone = (await statAt(`${compared.folder}/${asked[index]}`)) === null;
      if (!isGone) deleted.push(...one.missing.map((name) => below(one.path, name)));
      else if (one.at + 1 < one.missing.length) again.push({ ...one, at: one.at + 1 });
    }
    left = again;
  }
  return deleted;
}

const bytesOf = (stats: BigIntStats | null): number => (stats?.isFile() === true ? Number(stats.size) : 0);

/** Null if there is no relevant difference. */
export async function changeOf(compared: Omit<Compared, 'stillThere'>, pair: Pair): Promise<Recorded | null> {
  const { folder, place, isHashed, seen } = compared;
  const { path, upper, lower } = pair;
  const early = seen.get(path);
  if (early !== undefined && (lower === null || markOf(lower) !== early.was))
    return changeOfSeen(compared, pair, early);
  const [upperPath, lowerPath] = [`${place}/${PARTS.upper}/${path}`, `${folder}/${path}`];
  const isRead = compared.mayRead?.(bytesOf(upper) + bytesOf(lower)) ?? true;
  const hashed = isRead && (await isHashed(path));
  const upperRoot = join(place, PARTS.upper);
  const isFile = upper?.isFile() === true && lower?.isFile() === true && upper.size === lower.size;
  const isSame =
    isFile &&
    isRead &&
    ((await hashOf(upperPath, upperRoot)) === (await hashOf(lowerPath, folder)) ||
      (isIndex(path) && (await isSameIndex([lowerPath, folder], [upperPath, upperRoot]))));
  const [before, after] = await Promise.all([
    lower === null ? undefined : entryAt(lowerPath, lower, hashed ? folder : null),
    upper === null ? undefined : entryAt(upperPath, upper, hashed ? upperRoot : null),
  ]);
  if (after !== undefined) after.mode = pair.mode ?? after.mode;
  if (before?.type === 'file' && lower !== null && lower.nlink > 1n) before.names = Number(lower.nlink);
  const kind = kindOf(before, after, isSame);
  if (kind === null) return null;
  return {
    path,
    kind,
    ...optional({ before, after }),
    was: lower === null ? null : markOf(lower),
    is: upper === null ? null : markOf(upper),
    changedAt: String(lower?.ctimeNs ?? 0n),
    ...optional({ saved: early?.saved }),
  };
}

/** The folder's file changed after the command had touched it: what the command saw is the previous content. */
async function changeOfSeen(
  { place }: Pick<Compared, 'place'>,
  { path, upper, mode: setMode }: Pair,
  { was, changedAt, size, mode, saved }: Seen,
): Promise<Recorded> {
  const sha256 = saved === undefined ? undefined : await hashOf(join(place, saved), place);
  const before: Entry = { type: 'file', size, mode, ...optional({ sha256 }) };
  const upperRoot = join(place, PARTS.upper);
  const after = upper === null ? undefined : await entryAt(`${upperRoot}/${path}`, upper, upperRoot);
  if (after !== undefined) after.mode = setMode ?? after.mode;
  return {
    path,
    kind: kindOf(before, after, sha256 !== undefined && after?.sha256 === sha256) ?? 'changed',
    before,
    ...optional({ after }),
    was,
    is: upper === null ? null : markOf(upper),
    changedAt,
    ...optional({ saved }),
    conflict: 'changed',
  };
}

function kindOf(before: Entry | undefined, after: Entry | undefined, isSame: boolean): ChangeKind | null {
  if (before === undefined) return 'created';
  if (after === undefined) return 'deleted';
  if (before.type !== after.type) return 'type';
  if (after.type === 'link') return before.target === after.target ? null : 'link';
  if (after.type === 'file' && !isSame) return 'changed';
  return before.mode === after.mode ? null : 'mode';
}
