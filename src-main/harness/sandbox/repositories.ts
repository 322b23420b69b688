import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isBelow } from '../../base/is-below';
import { listRegular, readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { isRunning, pathsNamed, readGitConfig } from './git-config';
import { isHeld, type Placeholder } from './placeholders';

/**
 * Entries of a repository folder that git runs, or from which it loads programs, settings or history. If one is missing, a
 * placeholder that means nothing to git takes its name. `commondir` must name the repository itself.
 */
const HELD: readonly { name: string; content: string | null }[] = [
  { name: 'hooks', content: null },
  { name: 'info', content: null },
  { name: 'modules', content: null },
  { name: 'worktrees', content: null },
  { name: 'config', content: '# Placeholder of the sandbox while a command runs.\n' },
  { name: 'config.worktree', content: '# Placeholder of the sandbox while a command runs.\n' },
  { name: 'commondir', content: '././.\n' },
];
/** The same, but only compared if missing: git loads no program from them. */
const COMPARED = ['branches', 'remotes', 'gitdir', 'objects/info/alternates', 'objects/info/http-alternates'];
/** Steps of a rebase that continues with the person's next command; `exec` steps run something. */
const TODO = 'rebase-merge/git-rebase-todo';
const MAX_TODO = 256 * 1024;

/** What a command must leave unchanged in the folder. Paths are absolute; those in `readOnly` contain no link. */
export interface Protection {
  /** Repository folders and the parents of protected paths: they cannot be renamed, so nothing can replace them. */
  pinned: Set<string>;
  readOnly: Set<string>;
  /** Created while a command runs, and read-only then. Parents first. */
  placeholders: Placeholder[];
  /** Links on the path to protected places. */
  links: Set<string>;
  /**
   * Folders that contain those links. They are read-only as a whole: nothing can be mounted over a link, and whoever can
   * write to its folder can replace it.
   */
  closed: Set<string>;
  /** Compared before and after, in addition to read-only paths. */
  compared: Set<string>;
}

export const noProtection = (): Protection => ({
  pinned: new Set(),
  readOnly: new Set(),
  placeholders: [],
  links: new Set(),
  closed: new Set(),
  compared: new Set(),
});

/** Adds the repository at `git`: a folder, a file that names one, or a link to either. */
export async function protectRepository(git: string, folder: string, found: Protection): Promise<void> {
  const stats = await lstat(git).catch(() => null);
  if (stats === null) return;
  pinAbove(git, folder, found);
  if (stats.isSymbolicLink()) {
    await closeWay(git, folder, found);
    const real = await realpath(git).catch(() => null);
    if (real === null || !isBelow(real, folder) || real === folder) return;
    pinAbove(real, folder, found);
    if ((await lstat(real)).isDirectory()) await protectGitFolder(real, dirname(git), folder, found);
    else found.readOnly.add(real);
  } else if (stats.isDirectory()) await protectGitFolder(git, dirname(git), folder, found);
  // The `.git` file of a worktree or submodule names its repository.
  else if (stats.isFile()) {
    found.readOnly.add(git);
    await protectNamedFolder(git, folder, found);
  }
}

async function protectGitFolder(
  git: string,
  worktree: string,
  folder: string,
  found: Protection,
): Promise<void> {
  if (git !== folder) found.pinned.add(git);
  const names = [...HELD.map(({ name }) => name), ...COMPARED];
  const heldBefore = new Set(names.filter((name) => isHeld(join(git, name))));
  const all = await Promise.all(names.map((name) => lstat(join(git, name)).catch(() => null)));
  const stats = new Map(names.map((name, index) => [name, all[index] ?? null]));
  for (const { name, content } of HELD) {
    const path = join(git, name);
    const there = stats.get(name) ?? null;
    if (there === null || heldBefore.has(name) || isHeld(path)) found.placeholders.push({ path, content });
    else if (there.isSymbolicLink()) await protectPath(path, folder, found, { content });
    else found.readOnly.add(path);
  }
  for (const name of COMPARED) {
    const path = join(git, name);
    if (stats.get(name) !== null) await protectPath(path, folder, found);
    found.compared.add(path);
  }
  found.compared.add(join(git, TODO));
  const configs = ['config', 'config.worktree'].filter((name) => stats.get(name) !== null);
  await Promise.all(configs.map((name) => protectNamed(join(git, name), worktree, folder, found)));
}

/** Adds what a configuration names in the folder: hooks, more configuration, scripts. */
export async function protectNamed(
  config: string,
  worktree: string,
  folder: string,
  found: Protection,
): Promise<void> {
  const { settings, included } = await readGitConfig(config);
  for (const path of included) await protectPath(path, folder, found, { content: '' });
  for (const setting of settings.filter(isRunning))
    for (const path of pathsNamed(setting, worktree))
      if (setting.key === 'core.hookspath') await protectPath(path, folder, found, { content: null });
      // A word of a command may match a folder's name by chance.
      else if (await isFile(path)) await protectPath(path, folder, found);
}

/** Adds a repository inside the folder that a `.git` file names, such as a submodule's or a worktree's. */
async function protectNamedFolder(file: string, folder: string, found: Protection): Promise<void> {
  const path = await pathInGitFile(file);
  if (path === null) return;
  await closeWay(path, folder, found);
  const named = await realpath(path).catch(() => null);
  if (named === null || !isBelow(named, folder) || named === folder) return;
  pinAbove(named, folder, found);
  // Everything below `.git/modules` and `.git/worktrees` is read-only anyway.
  await protectGitFolder(named, dirname(file), folder, found);
}

/** The target of a `.git` file or folder, links resolved; null if there is none. */
export async function gitFolderOf(git: string): Promise<string | null> {
  const stats = await lstat(git).catch(() => null);
  if (stats === null) return null;
  const path = stats.isFile() ? await pathInGitFile(git) : git;
  return path === null ? null : realpath(path).catch(() => null);
}

/** The path in a `.git` file; null if it has none. */
async function pathInGitFile(file: string): Promise<string | null> {
  const read = await readRegularText(file, { root: dirname(file), maxBytes: 4_096, cut: true });
  // As git reads it: only line ends at the end are not part of the path.
  const [, named] = isRefused(read) ? [] : (/^gitdir: ([^\0]*[^\0\r\n])/.exec(read.text) ?? []);
  if (named === undefined) return null;
  // Not normalized: the target of a link decides where `..` leads.
  return named.startsWith('/') ? named : `${dirname(file)}/${named}`;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );

/** Keeps a link from being replaced. */
function closeAround(link: string, folder: string, found: Protection): void {
  const above = dirname(link);
  if (!isBelow(above, folder)) return;
  found.links.add(link);
  found.compared.add(link);
  found.closed.add(above);
  pinAbove(above, folder, found);
}

/** The kernel's limit. */
const MAX_LINKS = 40;

/** The links that the kernel follows on a path, and where it ends, whether or not something exists there. */
async function wayTo(path: string): Promise<{ links: string[]; end: string }> {
  const links: string[] = [];
  const left = path.split('/');
  let end = '/';
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const next = join(end, name);
    const isName = name !== '' && name !== '.' && name !== '..';
    const target = isName && links.length < MAX_LINKS ? await readlink(next).catch(() => null) : null;
    if (target === null) {
      end = next;
      continue;
    }
    links.push(next);
    left.unshift(...target.split('/'));
    if (target.startsWith('/')) end = '/';
  }
  return { links, end };
}

/** Keeps all links on a path from being replaced. Returns where it leads. */
async function closeWay(path: string, folder: string, found: Protection): Promise<string> {
  const { links, end } = await wayTo(path);
  for (const link of links) closeAround(link, folder, found);
  return end;
}

/** Makes a path read-only with links resolved, if it is inside: everything outside is read-only anyway. */
export async function protectPath(
  path: string,
  folder: string,
  found: Protection,
  /** The placeholder if nothing exists there. */
  missing?: { content: string | null },
): Promise<void> {
  const wasHeld = isHeld(path);
  const real = await realpath(path).catch(() => null);
  const end = real === path ? path : await closeWay(path, folder, found);
  const at = real ?? end;
  if (at === folder || !isBelow(at, folder)) return;
  if (real !== null && (wasHeld || isHeld(real))) {
    if (missing !== undefined) found.placeholders.push({ path: real, content: missing.content });
  } else if (real !== null) {
    found.readOnly.add(real);
    pinAbove(real, folder, found);
  } else if (missing !== undefined) {
    // Parent folders are missing too: the placeholder takes the name of the first.
    const way = await firstMissing(end, folder);
    if (way !== null) found.placeholders.push({ path: way, content: way === end ? missing.content : null });
  }
}

/** The uppermost missing part of the path; null if a link on the way leads out. */
async function firstMissing(path: string, folder: string): Promise<string | null> {
  let missing = path;
  for (let above = dirname(path); isBelow(above, folder); above = dirname(above)) {
    const real = await realpath(above).catch(() => null);
    if (real !== null && !isHeld(real)) return isBelow(real, folder) ? join(real, basename(missing)) : null;
    missing = above;
  }
  return null;
}

function pinAbove(path: string, folder: string, { pinned }: Protection): void {
  for (let above = dirname(path); above !== folder && isBelow(above, folder); above = dirname(above))
    pinned.add(above);
}

/** Whether the person's next git command there would run or load something that a command planted. */
export async function isObeyed(git: string): Promise<boolean> {
  const at = await gitFolderOf(git);
  if (at === null) return false;
  const hooks = await listRegular(join(at, 'hooks'), { root: at, maxEntries: 1_000 });
  if (!isRefused(hooks) && hooks.entries.some(({ name }) => !name.endsWith('.sample'))) return true;
  for (const name of ['commondir', 'hooks']) {
    const stats = await lstat(join(at, name)).catch(() => null);
    if (stats !== null && (name === 'commondir' || stats.isSymbolicLink())) return true;
  }
  for (const config of ['config', 'config.worktree']) {
    const { settings } = await readGitConfig(join(at, config));
    if (settings.some(isRunning)) return true;
  }
  return runsSteps(join(at, TODO));
}

/** Whether a pending rebase would run a program. */
export async function runsSteps(todo: string): Promise<boolean> {
  const read = await readRegularText(todo, { root: dirname(todo), maxBytes: MAX_TODO, cut: true });
  return !isRefused(read) && /^[ \t]*(x|exec)\s/m.test(read.text);
}

export const isTodo = (path: string): boolean => path.endsWith(`/${TODO}`);
