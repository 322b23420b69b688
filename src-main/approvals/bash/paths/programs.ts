import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, normalize, resolve } from 'node:path';
import { isBelow } from '../../../base/is-below';
import type { KnownPlaces, PlacesOnDisk } from './places';

/**
 * Finds programs as the shell will, in the commands' search path. For a program in the folder, even one that is reached
 * through a link in it, it returns the path below the folder, so that it never counts as a system program.
 */
export function programFinder(
  searchPath: string,
  folder: string,
): Required<Pick<PlacesOnDisk, 'findProgram' | 'isTrustedSearch'>> {
  const entries = searchPath.split(':');
  const find = async (name: string): Promise<{ path: string; at: number } | null> => {
    if (name === '' || name.includes('/')) return null;
    for (const [at, entry] of entries.entries()) {
      // An empty or relative entry is resolved against the command's start directory.
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

/** Whether the agent may put a program there: the entry is relative to the folder, in it, or world-writable. */
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
 * Runs `analyze` on shell lines with the programs currently on the disk. It repeats until every program that `analyze`
 * requests has been looked up, since only reading the lines shows which words name programs. `likely` lists names that it
 * will probably request, which saves a run.
 */
export async function withPrograms<T>(
  { findProgram, isTrustedSearch, ...places }: PlacesOnDisk,
  likely: Iterable<string>,
  analyze: (places: KnownPlaces) => T | Promise<T>,
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
    const result = await analyze({
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

/** The first word of a line, which is usually a program. */
export const likelyProgram = (line: string): string[] => /^\s*([\w.-]+)(?=\s|$)/.exec(line)?.slice(1) ?? [];
