import { isBelow } from '../../base/is-below';
import { optional } from '../../contract/shared/optional';
import { isFailure } from './failure';
import { asDirectory, checkPath } from './paths';
import type { BackendProtocol, CallOptions, FileInfo, GrepMatch } from './protocol';

/** A path of the tree, in the backend that is mounted there. */
export interface Mount {
  backend: BackendProtocol;
  /** The backend's own path. */
  inner: string;
  /** Ends with `/`. The default has `/`. */
  prefix: string;
}

/** A programmer writes the prefix: a wrong one is a bug. */
export function checkRoot(path: string): string {
  const at = checkPath(path);
  if (isFailure(at)) throw new Error(`artifactsRoot '${path}': ${at.error}`);
  return at.path;
}

export function checkPrefix(prefix: string): string {
  const at = checkPath(prefix);
  if (isFailure(at)) throw new Error(`Route prefix '${prefix}': ${at.error}`);
  if (at.segments.length === 0) throw new Error('The root is the default backend, not a route.');
  return asDirectory(at.path);
}

/**
 * The options of a search in one of several mounts. The visibility callback expects paths outside the mount. Files in the place
 * of another mount are hidden by it: nobody can read them.
 */
export function inward<O extends CallOptions>(
  options: O | undefined,
  target: Mount,
  mounts: readonly Mount[],
): O | undefined {
  const mount = target.prefix.slice(0, -1);
  const { sees } = options ?? {};
  if (!hasOthers(target, mounts)) {
    if (sees === undefined || mount === '') return options;
    return { ...options, sees: (path: string) => sees(mount + path) } as O;
  }
  const isVisible = (path: string) => isOwn(path, target, mounts) && (sees?.(path) ?? true);
  return { ...options, sees: (path: string) => isVisible(mount + path) } as O;
}

/** The found files and matches that no other mount hides. Not every backend leaves them out itself. */
export function visible<R extends { files?: FileInfo[]; matches?: GrepMatch[] }>(
  answer: R,
  target: Mount,
  mounts: readonly Mount[],
): R {
  if (!hasOthers(target, mounts)) return answer;
  const own = ({ path }: { path: string }) => isOwn(path, target, mounts);
  const { files, matches } = answer;
  return { ...answer, ...optional({ files: files?.filter(own), matches: matches?.filter(own) }) };
}

const isInside = ({ prefix }: Mount, target: Mount): boolean =>
  prefix !== target.prefix && prefix.startsWith(target.prefix);

const hasOthers = (target: Mount, mounts: readonly Mount[]): boolean =>
  mounts.some((mount) => isInside(mount, target));

const isOwn = (path: string, target: Mount, mounts: readonly Mount[]): boolean =>
  !mounts.some((mount) => isInside(mount, target) && isBelow(path, mount.prefix));

/** Adds the mount's prefix to every path of an answer, including the ones quoted in its error. */
export function outward<
  R extends { error?: string; path?: string; files?: FileInfo[]; matches?: GrepMatch[] },
>(answer: R, target: Mount): R {
  if (target.prefix === '/') return answer;
  const mount = target.prefix.slice(0, -1);
  const out = { ...answer };
  if (out.path !== undefined) out.path = mount + out.path;
  if (out.files !== undefined) out.files = out.files.map((file) => ({ ...file, path: mount + file.path }));
  // Not a copy: there may be hundreds of thousands, and nobody else holds them.
  for (const match of out.matches ?? []) match.path = mount + match.path;
  if (out.error !== undefined)
    out.error = out.error.replace(/'(\/[^']*)'/g, (_, path: string) => `'${mount}${path}'`);
  return out;
}
