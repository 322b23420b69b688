import { rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { copyOpened } from '../../../../base/copy-opened';
import { openRegular } from '../../../../base/open-regular';
import { isRefused } from '../../../../base/regular-file';
import type { Recorded } from './compare';
import { inParallel, type Mark, markOf, statAt } from './entry';
import { BASE } from './layer';

/** Total bytes saved when a command ends; the rest is saved when it is kept. */
const MAX_SAVED_BYTES = 256 * 1024 * 1024;

const hasContent = ({ before }: Recorded): boolean => before?.type === 'file';

/**
 * Saves the previous content of changed files that have none yet, so that the diff can be shown and undone even if the folder changes. Ignored
 * files are saved when they are kept. A file that changes during the copy no longer matches what the command saw.
 */
export async function saveBases(
  changes: readonly Recorded[],
  folder: string,
  place: string,
): Promise<Recorded[]> {
  let left = MAX_SAVED_BYTES;
  const wanted = new Set(
    changes.filter((change) => {
      if (!hasContent(change) || change.saved !== undefined) return false;
      if (change.ignored === true || change.conflict !== undefined) return false;
      left -= change.before?.size ?? 0;
      return left >= 0;
    }),
  );
  return inParallel(changes, async (change) => {
    if (!wanted.has(change)) return change;
    const saved = await saveBase(change, folder, place);
    return saved === null ? { ...change, conflict: 'changed' } : { ...change, saved };
  });
}

/** The name of the copy in the layer; null if the file has changed. */
export const saveBase = ({ path, was }: Recorded, folder: string, place: string): Promise<string | null> =>
  copyUnchanged(path, was, folder, place);

/** Copies a file of the folder into the layer and returns the copy's name; null if the file is not as marked. */
export async function copyUnchanged(
  path: string,
  mark: Mark | null,
  folder: string,
  place: string,
): Promise<string | null> {
  const name = `${BASE}/${nextName()}`;
  const copy = join(place, `${name}.part`);
  const source = `${folder}/${path}`;
  const file = await openRegular(source, { root: folder, links: 'none' });
  if (isRefused(file)) return null;
  try {
    await copyOpened(file, copy);
  } finally {
    await file.close();
  }
  const stats = await statAt(source);
  if (stats === null || markOf(stats) !== mark) {
    await unlink(copy);
    return null;
  }
  // Only a whole copy of the right version has the name.
  await rename(copy, join(place, name));
  return name;
}

let count = 0;
/** Unique in this process; only one process reads and keeps a layer at a time. */
const nextName = () => `${process.pid}-${Date.now()}-${count++}`;
