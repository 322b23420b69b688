import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { isHeld } from './placeholders';
import { isTodo, type Protection, runsSteps } from './repositories';

/** Maximum bytes of a file whose content is compared; for a larger one, times and size are. */
const MAX_BYTES = 256 * 1024;
/** Maximum number of entries compared per folder, and the depth. */
const MAX_ENTRIES = 200;
const DEPTH = 3;
/** Maximum number of cached hashes. */
const MAX_KNOWN = 5_000;

/** Hashes by the file's status from the kernel: nobody can set the change time. */
const known = new Map<string, string>();

/** The state of each protected path as text that changes with it. */
export type Identities = ReadonlyMap<string, string>;

export async function identitiesOf(paths: Iterable<string>): Promise<Identities> {
  const all = [...new Set(paths)];
  const found = await Promise.all(all.map((path) => identityOf(path, DEPTH)));
  return new Map(all.map((path, index) => [path, found[index] ?? '']));
}

async function identityOf(path: string, depth: number): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => null);
  if (stats === null) return 'missing';
  const place = `${stats.dev}:${stats.ino}:${stats.mode}`;
  if (stats.isSymbolicLink()) return `link ${await readlink(path).catch(() => '')}`;
  if (stats.isFile()) return `file ${place} ${await contentOf(path, place, stats)}`;
  if (!stats.isDirectory()) return `other ${place}`;
  if (depth === 0) return `folder ${place}`;
  // If we cannot list a folder, a command cannot change it either.
  const names = (await readdir(path).catch(() => [])).toSorted().slice(0, MAX_ENTRIES);
  const inside = await Promise.all(names.map((name) => identityOf(join(path, name), depth - 1)));
  return `folder ${place} ${names.map((name, index) => JSON.stringify([name, inside[index]])).join()}`;
}

async function contentOf(path: string, place: string, stats: BigIntStats): Promise<string> {
  const state = `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  // A placeholder is identified by its creation time.
  if (stats.size > MAX_BYTES || isHeld(path)) return state;
  const key = `${place} ${state}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const read = await readRegular(path, { root: dirname(path), maxBytes: MAX_BYTES });
  if (isRefused(read)) return state;
  const hash = createHash('sha256').update(read).digest('hex');
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, hash);
  return hash;
}

/** Paths compared before and after a command. */
export const comparedPaths = ({ readOnly, compared }: Protection): string[] => [...readOnly, ...compared];

/** Paths that have changed. */
export async function changedSince(before: Identities): Promise<string[]> {
  const after = await identitiesOf(before.keys());
  const changed: string[] = [];
  for (const [path, was] of before) {
    if (after.get(path) === was) continue;
    // The steps of a rebase change normally; they matter only if they run something.
    if (!isTodo(path) || (await runsSteps(path))) changed.push(path);
  }
  return changed;
}
