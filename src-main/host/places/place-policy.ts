import type { Machine } from '../../approvals/machines';
import type { Place, PlaceOptions, RemoteOptions } from '../../contract/places';
import type { BackendProtocol, FilesystemOperation, FilesystemPermission } from '../../harness';
import { PermissionBackend, PermissionRules, PolicyBackend } from '../../harness/backends';

/** Milliseconds of the rate limit. */
const MINUTE = 60_000;

type Policed = Pick<Place, 'path' | 'policy'>;

/** The place's mount without the final slash. */
export const mountOfPlace = ({ path }: Pick<Place, 'path'>): string => path.slice(0, -1);

/**
 * The rules of a place by the paths of the agent's tools. Writing that asks is left out: the gate asks about every change,
 * with the change on the card.
 */
export function permissionsOf({ path, policy }: Policed): FilesystemPermission[] {
  return permissionsBelow(path, policy, (effect, operation) =>
    effect === 'ask' ? (operation === 'read' ? 'interrupt' : 'allow') : effect,
  );
}

/** Whether a change at a path of the place needs the person. Denied changes do not get that far. */
export function asksToWrite({ path, policy }: Policed): (changed: string) => boolean {
  const rules = new PermissionRules(
    permissionsBelow(path, policy, (effect) => (effect === 'ask' ? 'interrupt' : effect)),
  );
  return (changed) => rules.judge('write', changed).mode !== 'allow';
}

/** Whether the agent may run commands there. They reach any file, so a place that keeps it from some runs none. */
export const runsCommands = (place: Pick<Place, 'path' | 'policy' | 'options'>): boolean =>
  isRemote(place.options) && permissionsOf(place).length === 0;

/** The computer of a place as the person knows it. */
export const machineName = (options: RemoteOptions): string =>
  options.kind === 'ssh' ? options.host : options.container;

/** Whether a place is a folder on another computer or in a container. */
const isRemote = (options: PlaceOptions): options is RemoteOptions =>
  options.kind === 'ssh' || options.kind === 'container';

/** The machine of a place that runs commands; empty for another. */
export const machineOfPlace = (place: Place): Machine[] =>
  isRemote(place.options) && runsCommands(place)
    ? [{ place: place.path, name: machineName(place.options), folder: place.options.folder }]
    : [];

/**
 * A place's backend with its rules and its rate limit, whoever calls it. What asks was asked before. `counted`: the times of
 * the latest calls, of every thread.
 */
export function policed(backend: BackendProtocol, place: Policed, counted: number[]): BackendProtocol {
  const own = permissionsOf({ path: '/', policy: place.policy });
  const guarded = own.length === 0 ? backend : new PermissionBackend(backend, own, { interrupt: 'allow' });
  const { callsPerMinute } = place.policy;
  if (callsPerMinute === null) return guarded;
  return new PolicyBackend(guarded, { rateLimit: { calls: callsPerMinute, perMs: MINUTE, counted } });
}

function permissionsBelow(
  root: string,
  { rules, reading, writing }: Place['policy'],
  modeOf: (
    effect: 'allow' | 'ask' | 'deny',
    operation: FilesystemOperation,
  ) => NonNullable<FilesystemPermission['mode']>,
): FilesystemPermission[] {
  const one = (glob: string, operation: FilesystemOperation, effect: 'allow' | 'ask' | 'deny') => ({
    operations: [operation],
    paths: [globBelow(root, glob)],
    mode: modeOf(effect, operation),
  });
  const all = [
    ...rules.flatMap(({ glob, operations, effect }) => operations.map((at) => one(glob, at, effect))),
    one('/**', 'read', reading),
    one('/**', 'write', writing),
  ];
  // Without rules that do anything, the backend does not need a guard.
  return all.every(({ mode }) => mode === 'allow') ? [] : all;
}

/** A glob without a slash means a name at any depth, as in `.gitignore`. */
function globBelow(root: string, glob: string): string {
  const inner = glob.replace(/^\/+/, '');
  return glob.includes('/') ? `${root}${inner}` : `${root}**/${inner}`;
}

/** Whether all globs can be read. */
export function wrongGlob(policy: Place['policy']): string | null {
  for (const { glob } of policy.rules)
    try {
      new PermissionRules([{ operations: ['read'], paths: [globBelow('/', glob)] }]);
    } catch {
      return glob;
    }
  return null;
}
