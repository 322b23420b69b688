import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type HiddenPlace, placeAt } from './hidden';

/** Names at the top of the folder that other programs run or obey. They stay as they are. */
export const OBEYED = ['.vscode', '.cursor', '.idea', '.envrc', '.mcp.json', '.deepdesk'];
/** The same, in each repository's `.git`. */
const OBEYED_BY_GIT = ['config', 'config.worktree', 'hooks', 'modules', 'worktrees'];

/** Folders that hold what was downloaded or built, which is not looked into. */
const SKIPPED =
  /^(node_modules|\.git|\.hg|\.svn|\.venv|venv|target|dist|build|out|vendor|__pycache__|\.next|\.cache)$/;
/** Folders looked into, nearest first, and how deep: beyond that nested repositories and secrets are not found. */
const LOOKED_INTO = 400;
const DEPTH = 5;

export interface FolderFindings {
  /** `.git` folders: mounts of their own, so that none can be put aside and another put in its place. */
  repositories: string[];
  /** What nobody in the sandbox changes. */
  readOnly: string[];
  /** Files with the names of secrets. */
  secrets: HiddenPlace[];
  /** Of the names that others obey, those that were not there. */
  missing: string[];
}

/** What in the folder must not be changed or read by a command that nobody was asked about. */
export async function lookInto(folder: string, isSecret: (name: string) => boolean): Promise<FolderFindings> {
  const found: FolderFindings = { repositories: [], readOnly: [], secrets: [], missing: [] };
  const secrets: string[] = [];
  const gits: string[] = [];
  let level = [folder];
  let looked = 0;
  for (let depth = 0; depth < DEPTH && level.length > 0 && looked < LOOKED_INTO; depth += 1) {
    const now = level.slice(0, LOOKED_INTO - looked);
    looked += now.length;
    const listings = await Promise.all(now.map(async (path) => ({ path, entries: await entriesOf(path) })));
    level = [];
    for (const { path, entries } of listings)
      for (const entry of entries) {
        const at = join(path, entry.name);
        if (entry.name === '.git') gits.push(at);
        else if (entry.isDirectory() && !SKIPPED.test(entry.name)) level.push(at);
        else if (!entry.isDirectory() && isSecret(entry.name)) secrets.push(at);
      }
  }
  await Promise.all(gits.map((git) => protectRepository(git, found)));
  for (const name of OBEYED) {
    const at = join(folder, name);
    if (await isThere(at)) await keep(at, folder, found);
    else found.missing.push(name);
  }
  // A secret that others obey too cannot be read either.
  for (const place of await Promise.all(secrets.map(placeAt))) if (place !== null) found.secrets.push(place);
  return found;
}

async function protectRepository(git: string, found: FolderFindings): Promise<void> {
  const stats = await lstat(git);
  if (!stats.isDirectory()) {
    // A worktree's or submodule's `.git` file says where its repository is; a link could be pointed elsewhere.
    if (stats.isFile()) found.readOnly.push(git);
    return;
  }
  found.repositories.push(git);
  // What is not there cannot be kept: an empty folder of hooks is as good as none, and stays empty.
  await mkdir(join(git, 'hooks')).catch(() => undefined);
  for (const name of OBEYED_BY_GIT) if (await isThere(join(git, name))) found.readOnly.push(join(git, name));
  const hooks = await hooksPath(git);
  if (hooks !== null && (await isThere(hooks))) await keep(hooks, join(git, '..'), found);
}

/** A folder of the worktree that git is told to take hooks from. */
async function hooksPath(git: string): Promise<string | null> {
  const text = await readFile(join(git, 'config'), 'utf8').catch(() => '');
  const named = /^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(text)?.[1];
  if (named === undefined || named.startsWith('~') || named.startsWith('/')) return null;
  return join(git, '..', named);
}

/** Read-only with links followed, where that is inside: what is outside is read-only anyway. */
async function keep(path: string, folder: string, found: FolderFindings): Promise<void> {
  const place = await placeAt(path);
  if (place === null) return;
  const inside = relative(folder, place.path);
  if (inside !== '' && inside.split(sep)[0] !== '..') found.readOnly.push(place.path);
}

/** Settings by which git runs something, or takes others from elsewhere. */
const RUNS =
  /hooksPath|fsmonitor|sshCommand|editor|pager|askPass|textconv|process|clean|smudge|external|command|helper|include|alias/i;

/**
 * What others obey and what is there now though it was not before: names at the top, and repositories with hooks, or
 * with settings that run something. Relative to the folder.
 */
export async function madeMeanwhile(folder: string, before: FolderFindings): Promise<string[]> {
  const there = await Promise.all(before.missing.map((name) => isThere(join(folder, name))));
  const { repositories } = await lookInto(folder, () => false);
  const fresh = repositories.filter((git) => !before.repositories.includes(git));
  const obeyed = await Promise.all(fresh.map(isObeyed));
  return [
    ...before.missing.filter((_, index) => there[index]),
    ...fresh.filter((_, index) => obeyed[index]).map((git) => relative(folder, git)),
  ];
}

async function isObeyed(git: string): Promise<boolean> {
  const hooks = await entriesOf(join(git, 'hooks'));
  if (hooks.some(({ name }) => !name.endsWith('.sample'))) return true;
  return RUNS.test(await readFile(join(git, 'config'), 'utf8').catch(() => ''));
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const entriesOf = (path: string): Promise<Dirent[]> =>
  // A folder that cannot be listed by us cannot be by a command either.
  readdir(path, { withFileTypes: true }).catch(() => []);
