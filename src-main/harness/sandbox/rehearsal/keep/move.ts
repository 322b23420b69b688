import { link, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldDirectory } from '../../../backends/disk/guard';
import { attributesOf, isOwnAttribute } from '../layer/attributes';
import type { Recorded } from '../layer/compare';
import { hasMark, inParallel, statAgain, statAt } from '../layer/entry';
import { PARTS } from '../layer/layer';
import { LayerChanged } from '../layer/shapes';
import { keptMode } from './stage';

interface Places {
  place: string;
  folder: string;
  /** A folder inside the project folder. */
  into: HeldDirectory;
}

/**
 * The files that the layer can hand over as they are, so that nothing is copied: those with one name on the folder's disk
 * that have the owner, mode and attributes that a copy would get. Throws if the layer has changed.
 */
export async function movable(changes: readonly Recorded[], places: Places): Promise<Set<string>> {
  const files = changes.filter(({ after }) => after?.type === 'file');
  if (files.length === 0) return new Set();
  const { place, folder, into } = places;
  const upper = join(place, PARTS.upper);
  const paths = files.map(({ path }) => `${upper}/${path}`);
  const fresh = into.child(FRESH);
  await writeFile(fresh, '', { flag: 'wx' });
  try {
    const own = await statAt(`${into.place}/${FRESH}`);
    if (own === null || !(await canMove(fresh, join(place, FRESH)))) return new Set();
    // An overlay marks what it copied from the folder. A folder may give new files an access list, and the system a label.
    const attributes = await attributesOf([...paths, `${into.place}/${FRESH}`]);
    const ofFresh = [...(attributes?.pop()?.keys() ?? [])];
    if (attributes === null || !ofFresh.every(isOwnAttribute)) return new Set();
    const found = await inParallel(files, async (change, index) => {
      const names = [...(attributes[index]?.keys() ?? [])];
      // A new file has what the command or its folder gave it.
      if (change.before === undefined ? !names.every(isOwnAttribute) : names.length + ofFresh.length > 0)
        return [];
      const stats = await statAgain(paths[index] ?? '');
      if (stats === null || change.is === null || !hasMark(stats, change.is))
        throw new LayerChanged(change.path);
      const { uid, gid } = (change.before && (await statAgain(`${folder}/${change.path}`))) ?? own;
      const isOwned = uid === stats.uid && gid === stats.gid;
      const isSame = stats.nlink === 1n && (Number(stats.mode) & 0o7777) === keptMode(change);
      return isOwned && isSame ? [change.path] : [];
    });
    return new Set(found.flat());
  } finally {
    await unlink(fresh);
  }
}

/** A new file in the folder, to compare with. */
const FRESH = 'fresh';

/** Device numbers do not tell: a link between two mounts of one disk fails. */
async function canMove(from: string | Buffer, to: string): Promise<boolean> {
  try {
    await link(from, to);
  } catch {
    return false;
  }
  await unlink(to);
  return true;
}
