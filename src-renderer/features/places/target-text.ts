import type { PlaceKind, PlaceOptions, RemoteOptions } from '@contract/places';

/** What a place is, as it is typed. */
export interface TargetText {
  kind: PlaceKind;
  folder: string;
  host: string;
  engine: 'docker' | 'podman';
  container: string;
  hostKeys: readonly string[];
  address: string;
  bucket: string;
  prefix: string;
  region: string;
  endpoint: string;
  accessKeyId: string;
  server: string;
  repository: string;
  file: string;
  hash: string;
}

export const textOfTarget = (options: PlaceOptions | null): TargetText => ({
  kind: 'folder',
  folder: '',
  host: '',
  engine: 'docker',
  container: '',
  hostKeys: [],
  address: '',
  bucket: '',
  prefix: '',
  region: 'us-east-1',
  endpoint: '',
  accessKeyId: '',
  server: '',
  repository: '',
  file: '',
  hash: '',
  ...options,
});

/** Null: something is missing. */
export function optionsOf(target: TargetText): PlaceOptions | null {
  const { kind } = target;
  const folder = target.folder.trim();
  switch (kind) {
    case 'folder':
      return folder === '' ? null : { kind, folder };
    case 'ssh':
    case 'container':
      return remoteOptionsOf(target);
    case 'team': {
      const address = target.address.trim();
      return address === '' ? null : { kind, address };
    }
    case 'bucket': {
      const [bucket, region] = [target.bucket.trim(), target.region.trim()];
      if (bucket === '' || region === '') return null;
      const [prefix, endpoint] = [target.prefix.trim(), target.endpoint.trim()];
      return { kind, bucket, prefix, region, endpoint, accessKeyId: target.accessKeyId.trim() };
    }
    case 'hub': {
      const repository = target.repository.trim();
      return repository === '' ? null : { kind, server: target.server.trim(), repository };
    }
    case 'module': {
      const { file, hash } = target;
      return hash === '' ? null : { kind, file, hash };
    }
    default:
      return kind satisfies never;
  }
}

/** A field without which a place cannot be found. */
export type MissingField = 'folder' | 'host' | 'container' | 'address' | 'bucket' | 'region' | 'repository';

export interface Missing {
  /** Null: the form has no field for it. */
  field: MissingField | null;
  why: `places.missing_${PlaceKind | 'region'}`;
}

const NEEDED: Record<PlaceKind, MissingField | null> = {
  folder: 'folder',
  ssh: 'host',
  container: 'container',
  team: 'address',
  bucket: 'bucket',
  hub: 'repository',
  module: null,
};

/** What is missing in a target without options. */
export function missingIn({ kind, bucket }: TargetText): Missing {
  if (kind === 'bucket' && bucket.trim() !== '') return { field: 'region', why: 'places.missing_region' };
  return { field: NEEDED[kind], why: `places.missing_${kind}` };
}

/** A folder on another computer or in a container. Null: something is missing. */
export function remoteOptionsOf(target: TargetText): RemoteOptions | null {
  const [host, container] = [target.host.trim(), target.container.trim()];
  const folder = target.folder.trim() === '' ? '~' : target.folder.trim();
  if (target.kind === 'container')
    return container === '' ? null : { kind: 'container', engine: target.engine, container, folder };
  return host === '' ? null : { kind: 'ssh', host, folder, hostKeys: [...target.hostKeys] };
}

/** The mount of a place without a name. */
const MOUNTS: Record<PlaceKind, string> = {
  folder: '/docs/',
  ssh: '/server/',
  container: '/box/',
  team: '/team/',
  bucket: '/bucket/',
  hub: '/hub/',
  module: '/module/',
};

/** A mount after the last name of a folder, or after the host, bucket or repository. */
export function suggestion(target: TargetText): string {
  const plain = nameOf(target)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  return plain === '' ? MOUNTS[target.kind] : `/${plain.toLowerCase()}/`;
}

function nameOf({ kind, folder, host, container, bucket, prefix, repository }: TargetText): string {
  switch (kind) {
    case 'folder':
      return lastNameIn(folder);
    case 'ssh':
      return lastNameIn(folder) || (host.split('@').at(-1) ?? '');
    case 'container':
      return lastNameIn(folder) || container;
    case 'bucket':
      return lastNameIn(prefix) || bucket;
    case 'hub':
      return lastNameIn(repository);
    default:
      return '';
  }
}

function lastNameIn(folder: string): string {
  const names = folder.trim().split(/[\\/]+/u);
  return names.findLast((part) => part !== '' && part !== '~') ?? '';
}
