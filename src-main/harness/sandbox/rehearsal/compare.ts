import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { entryAt, hashOf, inParallel, type Mark, markOf, statAt } from './entry';
import { namesIn, PARTS } from './layer';
import type { Change, ChangeKind, Entry } from './shapes';

/** A change with what the kernel said of both sides when it was found. */
export interface Recorded extends Change {
  /** In the folder; null: nothing was there. */
  was: Mark | null;
  /** In the layer; null: nothing is there. */
  is: Mark | null;
  /** Nanoseconds of the last change in the folder; `0` where nothing was there. */
  changedAt: string;
  /** A file of the layer with the content before. */
  saved?: string;
}

/** A path where one side or both have something else than the other. */
interface Pair {
  path: string;
  upper: BigIntStats | null;
  lower: BigIntStats | null;
}

/** A folder that is in both: whether what only the folder has is still seen there. `witness`: one such name. */
interface Both {
  path: string;
  missing: string[];
}

export interface Compared {
  folder: string;
  place: string;
  /** Of paths relative to the folder: which of them are there with the layer over it. */
  stillThere: (paths: readonly string[]) => Promise<boolean[]>;
  /** Whether contents are compared and hashed; without it a file of another size or time is a changed one. */
  isHashed: (path: string) => Promise<boolean>;
}

/**
 * What is different with the layer over the folder. The layer only says where to look: a mark of the kernel on a folder
 * that was made anew cannot be read here, so whether a folder shows what is below it is asked of a mount.
 */
export async function changesIn(compared: Compared): Promise<Recorded[]> {
  const pairs: Pair[] = [];
  const both: Both[] = [];
  await walk(compared, '', true, { pairs, both });
  for (const path of await deletedIn(both, compared)) await addDeleted(compared, path, pairs);
  const changes = await inParallel(pairs, (pair) => changeOf(compared, pair));
  return changes
    .filter((change) => change !== null)
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

const isWhiteout = (stats: BigIntStats) => stats.isCharacterDevice() && stats.rdev === 0n;
const below = (path: string, name: string) => (path === '' ? name : `${path}/${name}`);

interface Found {
  pairs: Pair[];
  both: Both[];
}

/** `isBoth`: it is a folder in the folder too. What lies below a link there is something else. */
async function walk(compared: Compared, path: string, isBoth: boolean, found: Found): Promise<void> {
  const { folder, place } = compared;
  const upperPath = join(place, PARTS.upper, path);
  const names = await namesIn(upperPath);
  const pairs = await inParallel(names, async (name) => ({
    path: below(path, name),
    upper: await statAt(`${upperPath}/${name}`),
    lower: isBoth ? await statAt(`${folder}/${below(path, name)}`) : null,
  }));
  for (const pair of pairs) await take(compared, pair, found);
  // The top cannot be made anew.
  if (!isBoth || path === '') return;
  const here = new Set(names);
  const missing = (await namesIn(join(folder, path))).filter((name) => !here.has(name));
  if (missing.length > 0) found.both.push({ path, missing });
}

async function take(compared: Compared, pair: Pair, found: Found): Promise<void> {
  const { path, upper, lower } = pair;
  if (upper === null) return;
  if (isWhiteout(upper)) {
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

/** An entry of the folder and all below it. */
async function addDeleted(compared: Compared, path: string, pairs: Pair[]): Promise<void> {
  const lower = await statAt(`${compared.folder}/${path}`);
  if (lower === null) return;
  pairs.push({ path, upper: null, lower });
  if (lower.isDirectory())
    for (const name of await namesIn(`${compared.folder}/${path}`))
      await addDeleted(compared, below(path, name), pairs);
}

/** Paths that only the folder has and that are not seen any more. One name of each folder says it for all of them. */
async function deletedIn(both: readonly Both[], compared: Compared): Promise<string[]> {
  const deleted: string[] = [];
  let left = both.map((one) => ({ ...one, at: 0 }));
  while (left.length > 0) {
    const asked = left.map(({ path, missing, at }) => below(path, missing[at] ?? ''));
    const there = await compared.stillThere(asked);
    const again: typeof left = [];
    for (const [index, one] of left.entries()) {
      if (there[index]) continue;
      // Somebody else may have removed that one in the folder just now.
      const isGone = (await statAt(`${compared.folder}/${asked[index]}`)) === null;
      if (!isGone) deleted.push(...one.missing.map((name) => below(one.path, name)));
      else if (one.at + 1 < one.missing.length) again.push({ ...one, at: one.at + 1 });
    }
    left = again;
  }
  return deleted;
}

/** Null where nothing that counts is different. */
async function changeOf({ folder, place, isHashed }: Compared, pair: Pair): Promise<Recorded | null> {
  const { path, upper, lower } = pair;
  const [upperPath, lowerPath] = [`${place}/${PARTS.upper}/${path}`, `${folder}/${path}`];
  const hashed = await isHashed(path);
  const upperRoot = join(place, PARTS.upper);
  const isFile = upper?.isFile() === true && lower?.isFile() === true && upper.size === lower.size;
  const isSame = isFile && (await hashOf(upperPath, upperRoot)) === (await hashOf(lowerPath, folder));
  const [before, after] = await Promise.all([
    lower === null ? undefined : entryAt(lowerPath, lower, hashed ? folder : null),
    upper === null ? undefined : entryAt(upperPath, upper, hashed ? upperRoot : null),
  ]);
  const kind = kindOf(before, after, isSame);
  // A pipe or a socket is of no use without the program that made it.
  if (kind === null || (after?.type === 'other' && before === undefined)) return null;
  return {
    path,
    kind,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    was: lower === null ? null : markOf(lower),
    is: upper === null ? null : markOf(upper),
    changedAt: String(lower?.ctimeNs ?? 0n),
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
