import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir, realpath, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import type { Touched } from '../../../contract/control';
import { nameMatcher } from '../parsing/glob';
import type { ShellPlaces } from '../paths/places';
import { realPathOf } from '../paths/real-path';
import { type GitFiles, readGitIndex } from './git-index';
import { type Target, targetsOf } from './touches';

/** Maximum places shown for one command. */
const MAX_PLACES = 50;
/** Maximum files counted below one place. */
const MAX_FILES = 10_000;
/** Time limit for checking all places, in milliseconds. */
const WITHIN = 400;

/**
 * Reports what a command line would change on the disk: how many files and bytes, whether they are outside the folder, and
 * whether git could restore them. It reads only names, sizes and times, and opens only git's index.
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
    const { from } = target;
    if (from !== undefined && (from === null || !(await isFolder(from)))) {
      const { does, written } = target;
      touches.push({ does, path: written, kind: 'unknown', outside: false, dependsOnFolder: true });
      continue;
    }
    const { paths, cut: isCut } = target.glob
      ? await expand(target.path, until)
      : { paths: [target.path], cut: false };
    cut ||= isCut;
    if (paths.length === 0) {
      const kind = isCut || isAwaited(target) ? ('unknown' as const) : ('nothing' as const);
      touches.push({ does: target.does, path: textOf(target.path), kind, outside: false });
    }
    for (const path of paths.slice(0, MAX_PLACES - touches.length))
      touches.push(await measure({ ...target, path }, { folder, git, until }));
    cut ||= touches.length >= MAX_PLACES;
  }
  return { touches: touches.slice(0, MAX_PLACES), cut };
}

/** The contents of a place on the disk that would be deleted. */
export async function touchedByDelete(path: string, places: ShellPlaces): Promise<Touched> {
  const [git, folder] = await Promise.all([
    readGitIndex(places.folder),
    realpath(places.folder).catch(() => places.folder),
  ]);
  const target: Target = {
    does: 'delete',
    path,
    written: path,
    deep: true,
    known: true,
    glob: false,
    mayAppear: false,
  };
  return measure(target, { folder, git, until: performance.now() + WITHIN });
}

const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() === true;

interface Around {
  folder: string;
  git: GitFiles | 'unknown' | null;
  until: number;
}

const textOf = (path: string) => posix.normalize(path).replace(/(?<=.)\/$/, '');

/** To be deleted or moved, and missing now, but an earlier command may create it. */
const isAwaited = ({ does, mayAppear }: Target) => mayAppear && (does === 'delete' || does === 'move');

async function measure(target: Target, { folder, git, until }: Around): Promise<Touched> {
  const { does, deep } = target;
  const real = (await realPathOf(target.path, { keepLast: true })) ?? textOf(target.path);
  const outside = !isBelow(real, folder);
  // With `..` in it, the text does not say where the kernel goes.
  const path = target.path.split('/').includes('..') ? real : textOf(target.path);
  const base = { does, path, outside };
  const found = await lstat(real).catch(() => null);
  if (found === null && isAwaited(target)) return { ...base, kind: 'unknown' };
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

interface Expanded {
  paths: string[];
  /** There may be more. */
  cut: boolean;
}

/** Expands a pattern as the shell does: `*` leaves out hidden names. */
async function expand(pattern: string, until: number): Promise<Expanded> {
  let paths = [''];
  let cut = false;
  for (const name of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    if (!/[*?[]/.test(name)) {
      paths = paths.map((path) => `${path}/${name}`);
      continue;
    }
    const fits = nameMatcher(name);
    const next: string[] = [];
    for (const path of paths) {
      const names = await namesIn(path === '' ? '/' : path, until);
      cut ||= names.cut;
      for (const own of names.all)
        if ((name.startsWith('.') || !own.startsWith('.')) && fits(own)) next.push(`${path}/${own}`);
    }
    next.sort();
    cut ||= next.length > MAX_PLACES;
    paths = next.slice(0, MAX_PLACES + 1);
  }
  return { paths, cut };
}

/** The first names of a folder. */
async function namesIn(folder: string, until: number): Promise<{ all: string[]; cut: boolean }> {
  const all: string[] = [];
  const entries = await opendir(folder).catch(() => null);
  if (entries === null) return { all, cut: false };
  for await (const { name } of entries) {
    if (all.length >= MAX_FILES || performance.now() > until) return { all, cut: true };
    all.push(name);
  }
  return { all, cut: false };
}
