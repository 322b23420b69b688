import type { BigIntStats } from 'node:fs';
import { saveBases } from './base';
import { changeOf } from './compare';
import { inParallel, statAt } from './entry';
import { foldersAbove } from './folders-above';
import { makeLayer, PARTS, removeLayer } from './layer';
import { sealManifest } from './manifest';
import type { Manifest } from './shapes';

/** Options of `prepareLayer`. */
export interface PrepareOptions {
  /** Folder with all layers; never in the project. */
  layersFolder: string;
  /** As for `rehearse`. */
  layer: string;
  /** The folder that the layer is for. */
  folder: string;
  /**
   * Puts the new entries into the given folder, at their paths relative to it. Returns the paths that change: those without
   * an entry there are deleted.
   */
  fill: (upper: string) => Promise<readonly string[]>;
}

/** A layer with changes that no command made, to apply them like a command's: all or nothing, never over newer changes. */
export async function prepareLayer(options: PrepareOptions): Promise<Manifest> {
  const { layersFolder, layer, folder } = options;
  const place = await makeLayer(layersFolder, layer, folder);
  try {
    return await fillLayer(options, place);
  } catch (error) {
    await removeLayer(place);
    throw error;
  }
}

async function fillLayer({ layer, folder, fill }: PrepareOptions, place: string): Promise<Manifest> {
  const paths = await fill(`${place}/${PARTS.upper}`);
  const compared = { folder, place, isHashed: async () => true, seen: new Map() };
  const found = await inParallel([...paths].sort(), async (path) => {
    const [upper, lower] = await Promise.all([
      statAt(`${place}/${PARTS.upper}/${path}`),
      lowerAt(folder, path),
    ]);
    return upper === null && lower === null ? null : changeOf(compared, { path, upper, lower });
  });
  const changes = await saveBases(
    found.filter((change) => change !== null),
    folder,
    place,
  );
  return sealManifest({ place, layer, folder, changes, git: [] });
}

/** Null also below a link: what is found there is elsewhere. */
async function lowerAt(folder: string, path: string): Promise<BigIntStats | null> {
  for (const above of foldersAbove(path))
    if ((await statAt(`${folder}/${above}`))?.isDirectory() !== true) return null;
  return statAt(`${folder}/${path}`);
}
