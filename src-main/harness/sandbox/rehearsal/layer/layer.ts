import { chmod, lstat, mkdir, readdir, realpath, rename, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemPath, textOfLatin1 } from '../../../../base/path-names';
import { removeTree } from '../../../../base/remove-tree';

/*
 * A layer is one folder with short names, because names from the project must never appear in mount options:
 *   u, w  the command's writes, and the kernel's work folder    m  the merged view
 *   home  the home folder    shm  /dev/shm    c  layers over caches, by number
 *   base  previous contents    status  bubblewrap's report
 */
export const PARTS = { upper: 'u', work: 'w', merged: 'm' } as const;
export const HOME = 'home';
export const SHARED = 'shm';
export const CACHES = 'c';
export const BASE = 'base';
export const STATUS = 'status';
export const MANIFEST = 'manifest.json';
export const KEEP = 'keep.json';

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
/** Marks a layer that is being removed. */
const REMOVED = '.removed-';

export function placeOf(layersFolder: string, layer: string): string {
  if (!NAME.test(layer)) throw new Error(`'${layer}' is no name of a layer.`);
  return join(layersFolder, layer);
}

/** Creates an empty layer; fails if the name exists. */
export async function makeLayer(layersFolder: string, layer: string, folder: string): Promise<string> {
  const named = placeOf(layersFolder, layer);
  await mkdir(layersFolder, { recursive: true, mode: 0o700 });
  await mkdir(named, { mode: 0o700 });
  const place = await realpath(named);
  const inside = [...Object.values(PARTS), HOME, SHARED, CACHES, BASE];
  await Promise.all(inside.map((name) => mkdir(join(place, name), { mode: 0o700 })));
  const { mode } = await lstat(folder);
  // The top of the layer is the command's folder.
  await chmod(join(place, PARTS.upper), mode & 0o7777);
  await chmod(join(place, SHARED), 0o1777);
  return place;
}

/** The mode of the project folder in the layer. `reset`: then sets this one, so that the layer can be read. */
export async function topMode(place: string, reset?: number): Promise<number> {
  const top = join(place, PARTS.upper);
  const mode = (await lstat(top)).mode & 0o7777;
  if (reset !== undefined && reset !== mode) await chmod(top, reset);
  return mode;
}

/** Removes everything, whatever modes the command set. */
export async function removeLayer(place: string): Promise<void> {
  // Rename first: if the process ends here, the rest no longer counts as a layer.
  const removed = join(dirname(place), `${REMOVED}${basename(place)}`);
  const target = await rename(place, removed).then(
    () => removed,
    () => place,
  );
  await removeTree(target);
}

/** Names in a folder as text; none if it is gone. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(systemPath(path), 'latin1')).map(textOfLatin1);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}

export async function sweepLayers(layersFolder: string, kept: ReadonlySet<string>): Promise<void> {
  const names = await readdir(layersFolder).catch(() => []);
  for (const name of names)
    if ((NAME.test(name) && !kept.has(name)) || name.startsWith(REMOVED))
      await removeLayer(join(layersFolder, name));
}

/** Free bytes for this user on a path's disk. */
export async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Atomic, even if the process or the machine stops. */
export async function writeWhole(path: string, text: string, flush = true): Promise<void> {
  const part = `${path}.part`;
  await writeFile(part, text, { mode: 0o600, flush });
  await rename(part, path);
}
