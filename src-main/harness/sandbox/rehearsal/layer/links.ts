import { readlink } from 'node:fs/promises';
import { dirname, posix } from 'node:path';
import { isBelow } from '../../../../base/is-below';
import { systemPath, textOfLatin1 } from '../../../../base/path-names';
import { statAt } from './entry';
import { PARTS } from './layer';
import type { Change } from './shapes';

/** The kernel's limit. */
const MAX_LINKS = 40;

/** Whether a new link leads out of the folder, even through other links, as they are with the layer on top. */
export async function leadsOut(
  { path, after }: Change,
  places: { folder: string; place: string },
): Promise<boolean> {
  if (after?.type !== 'link') return false;
  const { folder } = places;
  const left = (after.target ?? '').split('/');
  let at = left[0] === '' ? '/' : dirname(posix.join(folder, path));
  let links = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const next = posix.join(at, name);
    const target = ['', '.', '..'].includes(name) ? null : await targetAt(next, places);
    if (target === null) at = next;
    else if (++links >= MAX_LINKS) return false;
    else {
      left.unshift(...target.split('/'));
      if (target.startsWith('/')) at = '/';
    }
  }
  return !isBelow(at, folder);
}

/** The target of a link; null if there is none. */
async function targetAt(
  path: string,
  { folder, place }: { folder: string; place: string },
): Promise<string | null> {
  const inLayer =
    isBelow(path, folder) && path !== folder
      ? `${place}/${PARTS.upper}/${posix.relative(folder, path)}`
      : null;
  // A target may be too long for a path: then nothing is there.
  const [upper, lower] = await Promise.all(
    [inLayer, path].map((at) => (at === null ? null : statAt(at).catch(() => null))),
  );
  const found = upper == null ? path : inLayer;
  const stats = upper ?? lower;
  if (found === null || stats?.isSymbolicLink() !== true) return null;
  return textOfLatin1(await readlink(systemPath(found), 'latin1'));
}
