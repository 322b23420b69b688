import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRETS_OF_HOME, SECRETS_OF_SYSTEM } from '../../base/secret-paths';

/** A path that commands cannot see. */
export interface HiddenPlace {
  /** With links resolved: a mount over a link would miss its target. */
  path: string;
  /** What the sandbox shows in its place: an empty file or an empty folder. */
  kind: 'file' | 'folder';
}

/** The existing secret places, links resolved, each once. `own`: additional hidden folders. */
export async function hiddenPlaces(home: string, own: readonly string[]): Promise<HiddenPlace[]> {
  const wanted = [...SECRETS_OF_HOME.map((name) => join(home, name)), ...SECRETS_OF_SYSTEM, ...own];
  const found = await Promise.all(wanted.map(placeAt));
  const places = new Map<string, HiddenPlace>();
  for (const place of found) if (place !== null) places.set(place.path, place);
  return [...places.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Null if there is nothing that this user can access. */
export async function placeAt(path: string): Promise<HiddenPlace | null> {
  try {
    const real = await realpath(path);
    return { path: real, kind: (await lstat(real)).isDirectory() ? 'folder' : 'file' };
  } catch {
    // Missing, or behind a folder closed to this user, and so to its commands too.
    return null;
  }
}
