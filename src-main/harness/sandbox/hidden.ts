import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRETS_OF_HOME, SECRETS_OF_SYSTEM } from '../../base/secret-paths';

export interface HiddenPlace {
  /** With links followed: a mount over a link would miss what it leads to. */
  path: string;
  kind: 'file' | 'folder';
}

/** Those of the secret places that are there now; links followed, each once. `own`: folders that are hidden beside. */
export async function hiddenPlaces(home: string, own: readonly string[]): Promise<HiddenPlace[]> {
  const wanted = [...SECRETS_OF_HOME.map((name) => join(home, name)), ...SECRETS_OF_SYSTEM, ...own];
  const found = await Promise.all(wanted.map(placeAt));
  const places = new Map<string, HiddenPlace>();
  for (const place of found) if (place !== null) places.set(place.path, place);
  return [...places.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Null where there is nothing, or nothing that this user could come at. */
export async function placeAt(path: string): Promise<HiddenPlace | null> {
  try {
    const real = await realpath(path);
    return { path: real, kind: (await lstat(real)).isDirectory() ? 'folder' : 'file' };
  } catch {
    // Not there, or behind a folder that keeps this user out: a command is kept out as well.
    return null;
  }
}
