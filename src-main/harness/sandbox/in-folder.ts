import type { Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { OF_BARE } from '../../base/git-folder';
import { listRegular } from '../../base/open-regular';
import { isObeyed as hasObeyedName, OBEYED_NAMES } from '../../base/protected-paths';
import { isRefused } from '../../base/regular-file';
import { type HiddenPlace, placeAt } from './hidden';
import { isThere } from './placeholders';
import {
  isObeyed,
  noProtection,
  type Protection,
  protectNamed,
  protectPath,
  protectRepository,
} from './repositories';

/**
 * Names at the top of the folder that other programs run or load. They stay unchanged, except `.git`, which commands use.
 */
export const OBEYED = OBEYED_NAMES.filter((name) => name !== '.git');

/** Folders with downloads or build output, which are not scanned. */
const SKIPPED =
  /^(node_modules|\.git|\.hg|\.svn|\.venv|venv|target|dist|build|out|vendor|__pycache__|\.next|\.cache)$/;
/** Maximum number of folders scanned, nearest first, and the depth. Nested repositories and secrets beyond are not found. */
const LOOKED_INTO = 400;
const DEPTH = 5;
/** Maximum number of entries checked per folder. */
const MAX_ENTRIES = 20_000;
/** Maximum number of such names below the top that are read-only; more are only compared, since each mount takes time. */
const MAX_HELD_BELOW = 200;

export interface FolderFindings {
  /** `.git` folders, files and links, and bare repositories. */
  repositories: string[];
  /** Paths with names that other programs run or load, without `.git`. */
  obeyed: string[];
  protection: Protection;
  /** Files with names of secrets. */
  secrets: HiddenPlace[];
  /** Such names that were missing. */
  missing: string[];
}

/** Whether a file, or everything in a folder, is hidden from commands. */
export type IsSecret = (path: string, kind: 'file' | 'folder') => boolean;

/** Finds what a command that ran without asking must not change or read in the folder. */
export async function lookInto(
  folder: string,
  isSecret: IsSecret,
  /** Git configurations besides those of the repositories. */
  configs: readonly string[] = [],
): Promise<FolderFindings> {
  const { repositories, secrets, obeyed } = await search(folder, isSecret);
  const protection = noProtection();
  const named = repositories.length === 0 ? [] : configs;
  const [there] = await Promise.all([
    Promise.all(OBEYED.map((name) => isThere(join(folder, name)))),
    ...repositories.map((git) => protectRepository(git, folder, protection)),
    ...named.map((config) => protectNamed(config, folder, folder, protection)),
  ]);
  const atTop = OBEYED.filter((_, index) => there[index]).map((name) => join(folder, name));
  const held = [...new Set([...atTop, ...obeyed.slice(0, MAX_HELD_BELOW)])];
  await Promise.all(held.map((path) => protectPath(path, folder, protection)));
  for (const path of obeyed.slice(MAX_HELD_BELOW)) protection.compared.add(path);
  return {
    repositories,
    obeyed,
    protection,
    secrets: await placesAt(secrets),
    missing: OBEYED.filter((_, index) => !there[index]),
  };
}

/** Files and folders with names of secrets. */
export async function secretsIn(folder: string, isSecret: IsSecret): Promise<HiddenPlace[]> {
  return placesAt((await search(folder, isSecret)).secrets);
}

async function placesAt(secrets: readonly string[]): Promise<HiddenPlace[]> {
  const places = await Promise.all(secrets.map(placeAt));
  return places.filter((place) => place !== null);
}

/** Repositories, names that other programs run or load, and secrets, nearest first, within the scan limits. */
async function search(
  folder: string,
  isSecret: IsSecret,
): Promise<{ repositories: string[]; obeyed: string[]; secrets: string[] }> {
  const secrets: string[] = [];
  const obeyed: string[] = [];
  const repositories: string[] = [];
  let level = [folder];
  let looked = 0;
  for (let depth = 0; depth < DEPTH && level.length > 0 && looked < LOOKED_INTO; depth += 1) {
    const now = level.slice(0, LOOKED_INTO - looked);
    looked += now.length;
    const listings = await Promise.all(now.map(async (path) => ({ path, entries: await entriesOf(path) })));
    level = [];
    for (const { path, entries } of listings) {
      if (isBare(entries)) repositories.push(path);
      const isInObeyed = hasObeyedName(relative(folder, path));
      for (const entry of entries) {
        const at = join(path, entry.name);
        if (entry.name !== '.git' && !isInObeyed && hasObeyedName(entry.name)) obeyed.push(at);
        if (entry.name === '.git') repositories.push(at);
        else if (isSecret(at, entry.isDirectory() ? 'folder' : 'file')) secrets.push(at);
        else if (!entry.isDirectory()) continue;
        else if (!SKIPPED.test(entry.name)) level.push(at);
        else if (await isThere(join(at, '.git'))) repositories.push(join(at, '.git'));
      }
    }
  }
  return { repositories, obeyed, secrets };
}

/** Whether git would take the folder itself for a repository. */
const isBare = (entries: readonly Dirent[]): boolean =>
  OF_BARE.every((name) => entries.some((entry) => entry.name === name));

/**
 * Newly created paths that other programs load: such names, and repositories with hooks or with settings that run something.
 * Relative to the folder.
 */
export async function madeMeanwhile(folder: string, before: FolderFindings): Promise<string[]> {
  const there = await Promise.all(before.missing.map((name) => isThere(join(folder, name))));
  const { repositories, obeyed } = await search(folder, () => false);
  const fresh = repositories.filter((git) => !before.repositories.includes(git));
  const runs = await Promise.all(fresh.map(isObeyed));
  const known = new Set(before.obeyed);
  const made = [
    ...before.missing.filter((_, index) => there[index]),
    ...fresh.filter((_, index) => runs[index]).map((git) => relative(folder, git) || '.'),
    ...obeyed.filter((path) => !known.has(path)).map((path) => relative(folder, path)),
  ];
  return [...new Set(made)];
}

async function entriesOf(path: string): Promise<Dirent[]> {
  const listed = await listRegular(path, { root: path, maxEntries: MAX_ENTRIES });
  // If we cannot list a folder, a command cannot either.
  return isRefused(listed) ? [] : listed.entries;
}
