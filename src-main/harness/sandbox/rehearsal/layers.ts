import { realpath } from 'node:fs/promises';
import { removeLayer, sweepLayers } from './layer';
import { measure } from './limits';
import type { Manifest } from './shapes';

/** Deletes a layer with everything in it. */
export const discard = ({ place }: Pick<Manifest, 'place'>): Promise<void> => removeLayer(place);

/** Removes all layers except the named ones. */
export const sweep = (layersFolder: string, keep: ReadonlySet<string>): Promise<void> =>
  sweepLayers(layersFolder, keep);

/** Disk bytes of all layers. */
export async function sizeOfLayers(layersFolder: string): Promise<number> {
  const usage = { bytes: 0, files: 0 };
  const real = await realpath(layersFolder).catch(() => null);
  if (real !== null) await measure(real, usage, Number.POSITIVE_INFINITY);
  return usage.bytes;
}
