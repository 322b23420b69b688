import { lstat as lstatWithCallback, type Stats } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { systemPath } from '../../../base/path-names';

const lstat = promisify(lstatWithCallback);

/** A point in time by both system clocks. */
export interface Moment {
  /** Milliseconds since 1970. */
  wall: number;
  /** Milliseconds of a clock that nobody can set. */
  steady: number;
}

export const thisMoment = (): Moment => ({ wall: Date.now(), steady: performance.now() });

/** Milliseconds by which file times may lag behind the clock: the system updates them by its own tick. */
const TICK = 100;
/** Milliseconds by which the two clocks may differ before one counts as having been set. */
const MAX_SET = 40;
/** Folders checked at once. The thread pool has four threads. */
const CONCURRENCY = 64;

/** Linux file systems (statfs types) on which a folder's change time comes from the clock, and nobody can set it. */
export const KEEP_TIME: ReadonlySet<number> = new Set([
  0xef53, // ext2, 3, 4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
]);

/**
 * Which folders below a held one may have changed since a moment. A program that opened a name in them may have opened
 * another file, or a link. If no such folder is on the path, the opened file was the one that the path names now. Paths are
 * relative, '' for the held folder. Call this after the program opened the files.
 */
export async function unsteadyFolders(
  held: string,
  folders: ReadonlySet<string>,
  since: Moment,
): Promise<{ has(folder: string): boolean }> {
  const byDepth = withParents(folders);
  const top = await stat(`${held}/.`);
  if (!(await keepsTime(held, top))) return { has: () => true };
  const changed = new Set<string>();
  const isSteady = (found: Stats) =>
    found.isDirectory() && found.dev === top.dev && found.ctimeMs < since.wall - TICK;
  // Deepest first: a folder is checked before its parents, so that it is certain which folder that was.
  for (const level of byDepth.toReversed())
    for (let from = 0; from < level.length; from += CONCURRENCY)
      await Promise.all(
        level.slice(from, from + CONCURRENCY).map(async (folder) => {
          const found = await lstat(systemPath(`${held}/${folder}`)).catch(() => null);
          if (found === null || !isSteady(found)) changed.add(folder);
        }),
      );
  const wasSet = Math.abs(Date.now() - since.wall - (performance.now() - since.steady)) > MAX_SET;
  if (wasSet || !isSteady(await stat(`${held}/.`))) return { has: () => true };
  for (const level of byDepth)
    for (const folder of level) if (changed.has(parentOf(folder))) changed.add(folder);
  return changed;
}

/** The folders and all their parents, by depth and without gaps, without the held folder. */
function withParents(folders: ReadonlySet<string>): string[][] {
  const all = new Set<string>();
  for (const folder of folders)
    for (let at = folder; at !== '' && !all.has(at); at = parentOf(at)) all.add(at);
  const byDepth: string[][] = [];
  for (const folder of all) {
    let depth = 0;
    for (let at = folder.indexOf('/'); at >= 0; at = folder.indexOf('/', at + 1)) depth += 1;
    const level = byDepth[depth];
    if (level === undefined) byDepth[depth] = [folder];
    else level.push(folder);
  }
  return byDepth;
}

/** '' for entries directly in the held folder. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

async function keepsTime(held: string, top: Stats): Promise<boolean> {
  if (process.platform === 'linux') return KEEP_TIME.has(Number((await statfs(held)).type));
  // The disk of the home folder is the system disk.
  return process.platform === 'darwin' && (await stat(homedir())).dev === top.dev;
}
