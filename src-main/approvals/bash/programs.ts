import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, resolve } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { KnownPlaces, PlacesOnDisk } from './places';

/**
 * Finds programs as the shell will, in the search path that commands are given. A program of the folder, also one that
 * only a link there leads to, is answered as the path below the folder, so that it is never taken for one of the system.
 */
export function programFinder(
  searchPath: string,
  folder: string,
): Required<Pick<PlacesOnDisk, 'findProgram' | 'isTrustedSearch'>> {
  const entries = searchPath.split(':');
  const find = async (name: string): Promise<{ path: string; at: number } | null> => {
    if (name === '' || name.includes('/')) return null;
    for (const [at, entry] of entries.entries()) {
      // An empty or relative entry is a place in the folder that the command starts in.
      const path = join(resolve(folder, entry), name);
      const real = await runnable(path);
      if (real !== null) return { path: isBelow(path, folder) ? path : real, at };
    }
    return null;
  };
  return {
    findProgram: async (name) => (await find(name))?.path ?? null,
    isTrustedSearch: async (name) => {
      const last = (await find(name))?.at ?? entries.length;
      const open = await Promise.all(entries.slice(0, last + 1).map((entry) => isOpen(entry, folder)));
      return !open.includes(true);
    },
  };
}

/** Whether the agent may put a program there: a place relative to the folder or in it, or one where everybody writes. */
async function isOpen(entry: string, folder: string): Promise<boolean> {
  if (!isAbsolute(entry) || isBelow(normalize(entry), folder)) return true;
  const real = await realpath(entry).catch(() => null);
  if (real === null) return false;
  const root = await realpath(folder).catch(() => folder);
  if (isBelow(real, root)) return true;
  const found = await stat(real).catch(() => null);
  return found !== null && (found.mode & 0o002) !== 0;
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
  { findProgram, isTrustedSearch, ...places }: PlacesOnDisk,
  likely: Iterable<string>,
  analyse: (places: KnownPlaces) => T | Promise<T>,
): Promise<T> {
  const found = new Map<string, string | null>();
  const untrusted = new Set<string>();
  let wanted = new Set(likely);
  for (;;) {
    await Promise.all(
      [...wanted].map(async (name) => {
        found.set(name, await findProgram(name));
        if ((await isTrustedSearch?.(name)) === false) untrusted.add(name);
      }),
    );
    wanted = new Set();
    const result = await analyse({
      ...places,
      resolveBinary: (name) => {
        const program = found.get(name);
        if (program === undefined) wanted.add(name);
        return program ?? null;
      },
      isTrusted: (name) => !untrusted.has(name),
    });
    if (wanted.size === 0) return result;
  }
}

/** The first word of a line, which names a program more often than not. */
export const likelyProgram = (line: string): string[] => /^\s*([\w.-]+)(?=\s|$)/.exec(line)?.slice(1) ?? [];
