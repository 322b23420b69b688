import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isBelow } from '../../../../base/is-below';
import { CACHES, PARTS } from '../layer/layer';

/** Below the home folder: downloads and build output of package managers. No settings or personal files. */
const IN_HOME = [
  '.cache/go-build',
  '.cache/node/corepack',
  '.cache/pip',
  '.cache/pnpm',
  '.cache/pypoetry',
  '.cache/uv',
  '.cache/yarn',
  '.bundle/cache',
  '.cargo/git',
  '.cargo/registry',
  '.gradle/caches',
  '.gradle/wrapper',
  '.ivy2/cache',
  '.local/share/pnpm/store',
  '.m2/repository',
  '.npm/_cacache',
  '.nuget/packages',
  'go/pkg/mod',
];
/** Characters with a meaning in mount options. */
const SPECIAL = /[\\:,\s]/;

export interface LayeredCache {
  path: string;
  merged: string;
}

/** Puts a layer over each existing cache, so that it is readable and writable. The home layer covers missing ones. */
export async function layerCaches(
  place: string,
  home: string,
  folder: string,
  hidden: readonly string[],
): Promise<LayeredCache[]> {
  const paths = IN_HOME.map((name) => join(home, name));
  const usable = await Promise.all(
    paths.map(async (path) => {
      if (SPECIAL.test(path) || isBelow(folder, path) || isBelow(path, folder)) return false;
      if (hidden.some((one) => isBelow(path, one) || isBelow(one, path))) return false;
      const stats = await lstat(path).catch(() => null);
      return stats?.isDirectory() === true && (process.getuid?.() === 0 || stats.uid === process.getuid?.());
    }),
  );
  const found = paths.filter((_, index) => usable[index]);
  return Promise.all(
    found.map(async (path, index) => {
      const own = join(place, CACHES, String(index));
      const parts = [PARTS.upper, PARTS.work, PARTS.merged].map((name) => join(own, name));
      await Promise.all(parts.map((part) => mkdir(part, { recursive: true, mode: 0o755 })));
      return { path, merged: join(own, PARTS.merged) };
    }),
  );
}
