import { join } from 'node:path';
import { isGenerated } from '../../../../base/generated';
import { readRegular } from '../../../../base/open-regular';
import { isRefused } from '../../../../base/regular-file';
import { foldersAbove } from '../layer/folders-above';
import { PARTS } from '../layer/layer';
import { loadManifest } from '../layer/manifest';
import { type Change, type Conflict, type Group, LayerChanged, type Manifest } from '../layer/shapes';
import { conflictsAmong } from './conflicts';
import { isInterrupted } from './journal';

/** Maximum number of rows per folder, or in total, listed one by one. */
const MAX_ROWS = 200;
/** Maximum bytes of a file shown as a diff. */
const MAX_DIFF_BYTES = 4 * 1024 * 1024;

/** The changes as rows: generated and ignored folders are one row each, and all folders are if there are over 200 rows. */
export function rowsOf({ changes }: Manifest): (Change | Group)[] {
  const single: Change[] = [];
  const groups = new Map<string, Change[]>();
  const add = (path: string, change: Change) => {
    const inside = groups.get(path) ?? [];
    inside.push(change);
    groups.set(path, inside);
  };
  const own = changes.filter(({ git }) => git === undefined);
  const filled = new Set(own.flatMap(({ path }) => foldersAbove(path)));
  const files = own.filter((change) => !isToldByOthers(change, filled));
  for (const change of files) {
    const generated = [...foldersAbove(change.path).toReversed()].find(
      (path) => isGenerated(path.slice(path.lastIndexOf('/') + 1)) && !isSource(change),
    );
    if (generated === undefined) single.push(change);
    else add(generated, change);
  }
  if (single.length > MAX_ROWS)
    for (const change of single.splice(0)) {
      const top = foldersAbove(change.path).at(-1);
      if (top === undefined || change.protected === true) single.push(change);
      else add(top, change);
    }
  const rows = [...single, ...[...groups].map(([path, inside]) => groupOf(path, inside))];
  return rows.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A person reads it, whatever its folder is called. */
const isSource = (change: Change): boolean => change.protected === true || change.tracked === true;

/** Whether a folder's content already shows the change. */
const isToldByOthers = (change: Change, filled: ReadonlySet<string>): boolean =>
  (change.after ?? change.before)?.type === 'folder' && change.kind !== 'mode' && filled.has(change.path);

function groupOf(path: string, inside: readonly Change[]): Change | Group {
  const [only] = inside;
  if (inside.length === 1 && only !== undefined) return only;
  const bytes = inside.reduce((sum, { after }) => sum + (after?.size ?? 0), 0);
  return {
    kind: 'group',
    path,
    count: inside.filter(({ before, after }) => (after ?? before)?.type !== 'folder').length,
    bytes,
    ...(inside.every(({ ignored }) => ignored === true) ? { ignored: true } : {}),
    ...(inside.some((one) => one.protected === true) ? { protected: true } : {}),
    ...(inside.some((one) => one.leadsOutside === true) ? { leadsOutside: true } : {}),
    ...(inside.some(({ conflict }) => conflict !== undefined) ? { conflict: true } : {}),
  };
}

/**
 * The contents of a file before and after, for a diff. Default limit of each: 4 MiB. Rejects with `LayerChanged` if the layer
 * is gone, has another manifest or has no change at this path.
 */
export async function readChange(
  manifest: Pick<Manifest, 'place' | 'hash'>,
  path: string,
  maxBytes = MAX_DIFF_BYTES,
): Promise<{
  /** Absent if there was no file, or it cannot be read. */
  before?: Uint8Array;
  /** Absent if there is no file, or it cannot be read. */
  after?: Uint8Array;
  /** At least one of them is longer than `maxBytes` and omitted. */
  tooLarge?: true;
}> {
  const stored = await loadManifest(manifest.place);
  const change = stored?.changes.find((one) => one.path === path);
  if (stored === null || change === undefined || stored.hash !== manifest.hash) throw new LayerChanged();
  const { place, folder } = stored;
  const [before, after] = await Promise.all([
    change.before?.type === 'file'
      ? readRegular(change.saved === undefined ? join(folder, path) : join(place, change.saved), {
          root: change.saved === undefined ? folder : place,
          links: 'none',
          maxBytes,
        })
      : null,
    change.after?.type === 'file'
      ? readRegular(join(place, PARTS.upper, path), { root: place, links: 'none', maxBytes })
      : null,
  ]);
  const isTooLarge = [before, after].some(
    (one) => one !== null && isRefused(one) && one.refused === 'too_large',
  );
  return {
    ...(before === null || isRefused(before) ? {} : { before }),
    ...(after === null || isRefused(after) ? {} : { after }),
    ...(isTooLarge ? { tooLarge: true } : {}),
  };
}

/** The current conflicts: the folder may have changed since the manifest was written. */
export async function conflictsIn(manifest: Pick<Manifest, 'place' | 'hash'>): Promise<Conflict[]> {
  const stored = await loadManifest(manifest.place);
  if (stored === null || stored.hash !== manifest.hash) return [];
  // A part of it is in the folder already; the next keep completes it.
  if (await isInterrupted(stored.place)) return [];
  return conflictsAmong(stored.changes, stored);
}
