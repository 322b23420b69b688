import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { isHeld } from './placeholders';
import { isTodo, type Protection, runsSteps } from './repositories';

/** Bytes of a file whose content is compared; of a larger one the times and the size. */
const MAX_BYTES = 256 * 1024;
/** Entries of one folder that are compared, and how deep. */
const MAX_ENTRIES = 200;
const DEPTH = 3;
/** Hashes that are kept in memory. */
const MAX_KNOWN = 5_000;

/** Hashes by what the kernel says of a file: nobody can set the time of its last change. */
const known = new Map<string, string>();

/** What each protected path is, as text that differs where anything of it does. */
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
  // A folder that cannot be listed by us cannot be changed by a command either.
  const names = (await readdir(path).catch(() => [])).toSorted().slice(0, MAX_ENTRIES);
  const inside = await Promise.all(names.map((name) => identityOf(join(path, name), depth - 1)));
  return `folder ${place} ${names.map((name, index) => JSON.stringify([name, inside[index]])).join()}`;
}

async function contentOf(path: string, place: string, stats: BigIntStats): Promise<string> {
  const state = `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  // What was put there a moment ago is known by when.
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

/** Compared before a command and after it. */
export const comparedPaths = ({ readOnly, compared }: Protection): string[] => [...readOnly, ...compared];

/** Paths that are no longer what they were. */
export async function changedSince(before: Identities): Promise<string[]> {
  const after = await identitiesOf(before.keys());
  const changed: string[] = [];
  for (const [path, was] of before) {
    if (after.get(path) === was) continue;
    // The steps of a rebase come and go; they matter where they run something.
    if (!isTodo(path) || (await runsSteps(path))) changed.push(path);
  }
  return changed;
}
