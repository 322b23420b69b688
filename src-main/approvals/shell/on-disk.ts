import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Touched } from '../../contract/control';
import { type GitFiles, readGitIndex } from './git-index';
import { isBelow, type ShellPlaces } from './places';
import { type Target, targetsOf } from './touches';

/** Places shown of one command. */
const MAX_SHOWN = 50;
/** Files counted below one place. */
const MAX_FILES = 10_000;
/** Milliseconds for looking at all of them. */
const WITHIN = 400;

/**
 * What a command line would change, as it is on the disk now: how many files and bytes, whether outside the folder,
 * whether git could bring them back. Only names, sizes and times are looked at; nothing is opened but git's index.
 */
export async function touchedBy(
  source: string,
  places: ShellPlaces,
  signal: AbortSignal,
): Promise<{ touches: Touched[]; cut: boolean }> {
  const until = performance.now() + WITHIN;
  const targets = targetsOf(source, places);
  if (targets.length === 0) return { touches: [], cut: false };
  const git = await readGitIndex(places.folder);
  const folder = await realpath(places.folder).catch(() => places.folder);
  const touches: Touched[] = [];
  let cut = false;
  for (const target of targets) {
    signal.throwIfAborted();
    if (!target.known) {
      touches.push({ does: target.does, path: target.path, kind: 'unknown', outside: false });
      continue;
    }
    const paths = target.glob ? await expand(target.path) : [target.path];
    if (paths.length === 0)
      touches.push({ does: target.does, path: target.path, kind: 'nothing', outside: false });
    for (const path of paths.slice(0, MAX_SHOWN - touches.length))
      touches.push(await measure({ ...target, path }, { folder, git, until }));
    cut ||= touches.length >= MAX_SHOWN;
  }
  return { touches: touches.slice(0, MAX_SHOWN), cut };
}

interface Around {
  folder: string;
  git: GitFiles | 'unknown' | null;
  until: number;
}

async function measure(target: Target, { folder, git, until }: Around): Promise<Touched> {
  const { does, path, deep } = target;
  const above = await realpath(dirname(path)).catch(() => dirname(path));
  const outside = !isBelow(join(above, basename(path)), folder);
  const base = { does, path, outside };
  const found = await lstat(path).catch(() => null);
  if (found === null)
    return { ...base, kind: 'nothing', ...(does === 'overwrite' ? { does: 'create' as const } : {}) };
  if (found.isSymbolicLink()) return { ...base, kind: 'link' };
  if (found.isFile()) {
    const file = { ...base, kind: 'file' as const, files: 1, bytes: found.size };
    return git === 'unknown' ? file : { ...file, notInGit: git?.has(path, found) === true ? 0 : 1 };
  }
  if (!found.isDirectory()) return { ...base, kind: 'other' };
  if (!deep) return { ...base, kind: 'folder' };
  return { ...base, kind: 'folder', ...(await below(path, git, until)) };
}

async function below(
  folder: string,
  git: GitFiles | 'unknown' | null,
  until: number,
): Promise<{ files: number; bytes: number; notInGit?: number; more?: boolean }> {
  const counted: { files: number; bytes: number; notInGit?: number } = { files: 0, bytes: 0 };
  let lost = 0;
  const sum = () => (git === 'unknown' ? counted : { ...counted, notInGit: lost });
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = await opendir(next).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      const stats = await statOf(entry, path);
      if (stats === null) continue;
      counted.files++;
      counted.bytes += stats.size;
      if (git !== 'unknown' && git?.has(path, stats) !== true) lost++;
      if (counted.files >= MAX_FILES || performance.now() > until) return { ...sum(), more: true };
    }
  }
  return sum();
}

const statOf = (entry: Dirent, path: string): Promise<Stats | null> | null =>
  entry.isDirectory() ? null : lstat(path).catch(() => null);

/** The paths that a pattern stands for, as the shell has it: `*` leaves hidden names out. */
async function expand(pattern: string): Promise<string[]> {
  let paths = ['/'];
  for (const name of pattern.split('/').filter((part) => part !== '')) {
    if (!/[*?[]/.test(name)) {
      paths = paths.map((path) => join(path, name));
      continue;
    }
    const fits = namePattern(name);
    const next: string[] = [];
    for (const path of paths) {
      const names = await readdir(path).catch(() => []);
      for (const own of names.sort()) if (fits(own) && next.length <= MAX_SHOWN) next.push(join(path, own));
    }
    paths = next;
  }
  return paths;
}

function namePattern(glob: string): (name: string) => boolean {
  const source = glob
    .replace(/[.+^$()|{}\\]/g, (character) => `\\${character}`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replace(/\[!/g, '[^');
  let pattern: RegExp | null = null;
  try {
    pattern = new RegExp(`^${source}$`, 's');
  } catch {
    // A bracket that is never closed stands for itself.
    return (name) => name === glob;
  }
  const hidden = glob.startsWith('.');
  return (name) => (hidden || !name.startsWith('.')) && pattern.test(name);
}
