import { isBelow } from '../../base/is-below';
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
 * The pattern as a backend mounted at `prefix` should see it, or null if it can match nothing there. Models write full paths
 * as patterns, so a pattern that starts with the searched folder or with the mount is taken as relative to it.
 */
export function patternWithin(pattern: string, searched: string, target: Mount): string | null {
  const mount = target.prefix === '/' ? '' : target.prefix.slice(0, -1);
  const place = target.inner === '/' ? mount : `${mount}${target.inner}`;
  for (const folder of [place, searched === '/' ? '' : searched])
    if (folder !== '' && pattern.startsWith(`${folder}/`)) return pattern.slice(folder.length);
  // The search starts above the mount: a pattern anchored elsewhere cannot match here. One that starts with `**`, or is a
  // base name, can.
  const anchored = pattern.includes('/') && !/^\/?\*\*\//.test(pattern);
  if (!anchored || isBelow(searched, place) || place === '') return pattern;
  const relative = searched === '/' ? place : place.slice(searched.length);
  const rest = pattern.startsWith('/') ? pattern : `/${pattern}`;
  return rest.startsWith(`${relative}/`) ? rest.slice(relative.length) : null;
}

/** The visibility callback expects paths outside the mount. */
export function inward<O extends CallOptions>(options: O | undefined, target: Mount): O | undefined {
  const sees = options?.sees;
  if (options === undefined || sees === undefined || target.prefix === '/') return options;
  const mount = target.prefix.slice(0, -1);
  return { ...options, sees: (path: string) => sees(mount + path) };
}

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
