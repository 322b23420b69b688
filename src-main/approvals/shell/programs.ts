import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isBelow, type KnownPlaces, type PlacesOnDisk } from './places';

/**
 * Finds a program as the shell will, in the search path that commands are given. A program of the folder, also one that
 * only a link there leads to, is answered as the path below the folder, so that it is never taken for one of the system.
 */
export function programFinder(searchPath: string, folder: string): PlacesOnDisk['findProgram'] {
  // An empty or relative entry is a place in the folder that the command starts in.
  const places = searchPath.split(':').map((entry) => resolve(folder, entry));
  return async (name) => {
    if (name === '' || name.includes('/')) return null;
    for (const place of places) {
      const path = join(place, name);
      const real = await runnable(path);
      if (real === null) continue;
      return isBelow(path, folder) ? path : real;
    }
    return null;
  };
}

async function runnable(path: string): Promise<string | null> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? await realpath(path) : null;
  } catch {
    return null;
  }
}

/**
 * What `analyse` makes of shell lines, with each program that it asks for as it is on the disk now. It is run again until
 * it asks for none that was not looked up: which words name programs is only known once the lines are read. `likely`:
 * names that it will ask for, which saves a run.
 */
export async function withPrograms<T>(
  { findProgram, ...places }: PlacesOnDisk,
  likely: Iterable<string>,
  analyse: (places: KnownPlaces) => T | Promise<T>,
): Promise<T> {
  const found = new Map<string, string | null>();
  let wanted = new Set(likely);
  for (;;) {
    await Promise.all([...wanted].map(async (name) => found.set(name, await findProgram(name))));
    wanted = new Set();
    const result = await analyse({
      ...places,
      resolveBinary: (name) => {
        const program = found.get(name);
        if (program === undefined) wanted.add(name);
        return program ?? null;
      },
    });
    if (wanted.size === 0) return result;
  }
}

/** The first word of a line, which names a program more often than not. */
export const likelyProgram = (line: string): string[] => /^\s*([\w.-]+)(?=\s|$)/.exec(line)?.slice(1) ?? [];
