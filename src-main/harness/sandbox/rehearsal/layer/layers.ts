import { removeLayer, sweepLayers } from './layer';
import type { Manifest } from './shapes';

/** Deletes a layer with everything in it. */
export const discard = ({ place }: Pick<Manifest, 'place'>): Promise<void> => removeLayer(place);

/** Removes all layers except the named ones. */
export const sweep = (layersFolder: string, keep: ReadonlySet<string>): Promise<void> =>
  sweepLayers(layersFolder, keep);
