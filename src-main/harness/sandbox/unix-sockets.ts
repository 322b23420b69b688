import { lstat, readFile, realpath } from 'node:fs/promises';

/** Sockets of one machine that are looked up; a machine has hundreds. */
const MAX_SOCKETS = 5_000;

/**
 * Paths of sockets that programs listen on, links followed. A read-only mount does not keep a command from connecting to
 * one, and a filter of system calls sees no path. Those without a path are of the network, which is another one inside.
 */
export async function socketPaths(isShown: (path: string) => boolean): Promise<string[]> {
  const text = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const named = new Set<string>();
  for (const [, path] of text.matchAll(/^(?:\S+ +){7}(\/.*)$/gm)) if (path !== undefined) named.add(path);
  const found = await Promise.all(
    [...named].slice(0, MAX_SOCKETS).map(async (path) => {
      try {
        const real = await realpath(path);
        return isShown(real) && (await lstat(real)).isSocket() ? real : null;
      } catch {
        // Gone, or behind a folder that keeps this user out.
        return null;
      }
    }),
  );
  return [...new Set(found.filter((path) => path !== null))];
}
