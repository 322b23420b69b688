import type { PlaceKind, PlaceOptions } from '../../contract/places';
import type { Result } from '../../contract/result';
import { bucketPlace } from './bucket';
import { containerPlace } from './container';
import { folderPlace } from './folder';
import { hubPlace } from './hub';
import { modulePlace } from './module';
import type { ConnectContext, ConnectedPlace, PlaceKindModule } from './place-kind';
import { sshPlace } from './ssh';
import { teamPlace } from './team';

const KINDS: { [K in PlaceKind]: PlaceKindModule<K> } = {
  folder: folderPlace,
  ssh: sshPlace,
  container: containerPlace,
  team: teamPlace,
  bucket: bucketPlace,
  hub: hubPlace,
  module: modulePlace,
};

/** Connects to a place of any kind. */
export function connectPlace<K extends PlaceKind>(
  options: Extract<PlaceOptions, { kind: K }>,
  context: ConnectContext,
): Promise<Result<ConnectedPlace>> {
  const kind: PlaceKindModule<K> = KINDS[options.kind as K];
  return kind.connect(options, context);
}
