import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isBelow } from './places';

/**
 * Finds a program as the shell will, in the search path that commands are given. A program of the folder, also one that
 * only a link there leads to, is answered as the path below the folder, so that it is never taken for one of the system.
 */
export function programFinder(searchPath: string, folder: string): (name: string) => string | null {
  // An empty or relative entry is a place in the folder that the command starts in.
  const places = searchPath.split(':').map((entry) => resolve(folder, entry));
  return (name) => {
    if (name === '' || name.includes('/')) return null;
    for (const place of places) {
      const path = join(place, name);
      const real = runnable(path);
      if (real === null) continue;
      return isBelow(path, folder) ? path : real;
    }
    return null;
  };
}

function runnable(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}
