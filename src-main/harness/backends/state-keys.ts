import { isFailure } from './failure';
import { checkPath } from './paths';

/**
 * The path of a file in the state. Programs, and the published package for a model, may have put it under another form of its
 * path: `a.txt`, `/a//b.txt`. It keeps that key, so that they find it again.
 */
export function pathOfKey(key: string): string {
  const at = checkPath(key);
  return isFailure(at) ? key : at.path;
}

/** The files by their paths. Of several with the same path, the one whose key is the path. */
export function byPath<T>(files: Record<string, T>): Record<string, T> {
  const all = Object.entries(files);
  if (all.every(([key]) => pathOfKey(key) === key)) return files;
  const found: Record<string, T> = {};
  for (const [key, data] of all) {
    const path = pathOfKey(key);
    if (path === key || !Object.hasOwn(found, path)) found[path] = data;
  }
  return found;
}

/** The key of a file, or the path of a new one. */
export const keyOf = (files: Record<string, unknown>, path: string): string =>
  Object.hasOwn(files, path) ? path : (Object.keys(files).find((key) => pathOfKey(key) === path) ?? path);
