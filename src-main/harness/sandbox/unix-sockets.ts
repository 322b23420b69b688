import { lstat, readFile, realpath } from 'node:fs/promises';

/** Maximum number of sockets checked; a machine has hundreds. */
const MAX_SOCKETS = 5_000;

/**
 * Paths of sockets with a listening program, links resolved. A read-only mount does not prevent connections, and a system
 * call filter sees no path. Sockets without a path belong to the network namespace, which is separate inside.
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
        // Gone, or behind a folder closed to this user.
        return null;
      }
    }),
  );
  return [...new Set(found.filter((path) => path !== null))];
}
