import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isInGenerated } from '../../../../base/generated';
import { isBelow } from '../../../../base/is-below';
import { isObeyed } from '../../../../base/protected-paths';
import { type IsSecret, lookInto } from '../../in-folder';
import { isApplying } from '../keep/journal';
import { changesAttributes } from './attributes';
import { saveBases } from './base';
import { type Compared, changesIn, type Recorded } from './compare';
import { hashOf, inParallel } from './entry';
import { gitFacts } from './git-facts';
import { inNewRepository, trackedIn } from './git-places';
import { type IsIgnored, ignoredIn } from './ignored';
import { MANIFEST, PARTS, placeOf, writeWhole } from './layer';
import { leadsOut } from './links';
import type { ConflictReason, Manifest } from './shapes';

/** A manifest as stored in the layer. */
export interface StoredManifest extends Manifest {
  changes: readonly Recorded[];
  /** The machine's start during which it was written. */
  boot: string;
}

export interface ReadOptions {
  place: string;
  layer: string;
  folder: string;
  /** Nanoseconds: later changes in the folder are not what the command saw. */
  since: bigint;
  stillThere: (paths: readonly string[]) => Promise<boolean[]>;
  isSecret: IsSecret;
  seen: Compared['seen'];
  /** Bytes read to compare files; the sizes and times of all others decide. */
  maxRead: number;
}

/** Determines what a command did and records it in its layer. `setsAttributes`: it also did what a layer cannot hand over. */
export async function makeManifest(
  options: ReadOptions,
): Promise<{ manifest: StoredManifest; setsAttributes: boolean }> {
  const { place, layer, folder, since, stillThere, seen } = options;
  const isIgnored = ignoredIn(folder);
  const isHashed = async (path: string) => !(await isOfTools(path, isIgnored));
  let left = options.maxRead;
  const mayRead = (bytes: number) => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  const { changes: found, copied } = await changesIn({ folder, place, stillThere, isHashed, mayRead, seen });
  const isProtected = await protectedIn(options, found);
  const isInNewRepository = await inNewRepository(found, { folder, place });
  const isTracked = trackedIn(folder);
  const marked = await Promise.all(
    found.map(async (change): Promise<Recorded> => {
      const isKept = isProtected(change.path) || isInNewRepository(change);
      const own: Recorded = { ...change, ...ofGit(change.path) };
      if (isKept) own.protected = true;
      const isFolder = (change.after ?? change.before)?.type === 'folder';
      const isLeftOut = !isKept && (await isIgnored(change.path, isFolder));
      const mayBeTracked = change.before !== undefined && (isLeftOut || isInGenerated(change.path));
      if (mayBeTracked && (await isTracked(change.path))) own.tracked = true;
      else if (isLeftOut) own.ignored = true;
      if (await leadsOut(change, { folder, place })) own.leadsOutside = true;
      const conflict = conflictSince(change, since);
      if (conflict !== null) own.conflict = conflict;
      return own;
    }),
  );
  const changes = await saveBases(marked, folder, place);
  const units = new Map<string, Recorded[]>();
  for (const change of changes)
    if (change.git !== undefined) units.set(change.git, [...(units.get(change.git) ?? []), change]);
  const git = await Promise.all(
    [...units].map(async ([path, own]) => ({ path, facts: await gitFacts(path, own, { folder, place }) })),
  );
  return {
    manifest: await sealManifest({ place, layer, folder, changes, git }),
    setsAttributes: await changesAttributes(copied, folder, join(place, PARTS.upper)),
  };
}

const isOfTools = async (path: string, isIgnored: IsIgnored): Promise<boolean> =>
  !isObeyed(path) && (path.split('/').some((name) => name === 'node_modules') || isIgnored(path, false));

/** Any change inside a folder changes the folder too, so only its type counts. */
function conflictSince(change: Recorded, since: bigint): ConflictReason | null {
  const isFolder = change.before?.type === 'folder';
  return !isFolder && change.was !== null && BigInt(change.changedAt) > since ? 'changed' : null;
}

/** The topmost `.git` that a path belongs to. */
function ofGit(path: string): { git: string } | object {
  const names = path.split('/');
  const at = names.indexOf('.git');
  return at < 0 ? {} : { git: names.slice(0, at + 1).join('/') };
}

/** Names that other programs load, new files with names of secrets, and what a repository's configuration runs. */
async function protectedIn(
  { folder, isSecret }: ReadOptions,
  found: readonly Recorded[],
): Promise<(path: string) => boolean> {
  if (found.length === 0) return isObeyed;
  const { protection } = await lookInto(folder, isSecret);
  const places = [...protection.readOnly, ...protection.closed, ...protection.compared];
  // Packages bring such files for their own tests.
  const isOwnSecret = (path: string) => !isInGenerated(path) && isSecret(posix.join(folder, path), 'file');
  return (path) =>
    isObeyed(path) || isOwnSecret(path) || places.some((place) => isBelow(posix.join(folder, path), place));
}

/** Completes a manifest and stores it in its layer. */
export async function sealManifest(found: Omit<StoredManifest, 'hash' | 'boot'>): Promise<StoredManifest> {
  const bare = { ...found, boot: await bootId() };
  const manifest = { hash: hashOfManifest(bare), ...bare };
  // Without changes, there is nothing to approve.
  await writeWhole(join(bare.place, MANIFEST), JSON.stringify(manifest), bare.changes.length > 0);
  return manifest;
}

const hashOfManifest = ({ layer, folder, changes, git, boot }: Omit<StoredManifest, 'hash'>): string =>
  createHash('sha256').update(JSON.stringify({ layer, folder, changes, git, boot })).digest('hex');

/** Empty if the system has none. */
const bootId = (): Promise<string> =>
  readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (id) => id.trim(),
    () => '',
  );

/**
 * Whether the layer has what the command wrote. It is not flushed to disk, so that a power failure may have emptied files:
 * since then, only files that match their hashes count.
 */
async function isWhole({ changes, boot, place }: StoredManifest): Promise<boolean> {
  if ((await bootId()) === boot) return true;
  const upper = join(place, PARTS.upper);
  const written = changes.filter(({ kind, after }) => kind !== 'mode' && after?.type === 'file');
  const same = await inParallel(written, async ({ path, after }) => {
    const now = await hashOf(`${upper}/${path}`, upper).catch(() => null);
    return now !== null && now === after?.sha256;
  });
  return same.every(Boolean);
}

/** Null if the layer is gone or does not match its manifest. */
export async function loadManifest(place: string): Promise<StoredManifest | null> {
  try {
    const read = JSON.parse(await readFile(join(place, MANIFEST), 'utf8')) as StoredManifest;
    if (hashOfManifest(read) !== read.hash) return null;
    const stored = { ...read, place };
    // An interrupted keep has flushed its files, and has moved some away.
    return (await isApplying(place)) || (await isWhole(stored)) ? stored : null;
  } catch {
    // Missing or truncated.
    return null;
  }
}

/**
 * The manifest of a layer. Null if the layer is gone or no longer contains what the command wrote. Throws if `layer` cannot be
 * the name of a layer.
 */
export const readManifest = (layersFolder: string, layer: string): Promise<Manifest | null> =>
  loadManifest(placeOf(layersFolder, layer));
