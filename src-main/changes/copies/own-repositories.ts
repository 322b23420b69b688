import { chmod, lstat, realpath, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { gitFolderOf, MAX_CONFIG, MAX_LINK, textOf } from '../../base/git-folder';
import { isBelow } from '../../base/is-below';
import { readRegular } from '../../base/open-regular';
import { systemPath } from '../../base/path-names';
import { isRefused } from '../../base/regular-file';
import { Copier, type CopyOptions, movedTarget } from './copier';
import type { Found } from './walk';

/** What the working trees of a repository share, at the top of its folder. */
const SHARED = new Set(
  'objects refs reftable packed-refs config description shallow info hooks logs lfs modules rr-cache'.split(
    ' ',
  ),
);
/** What each working tree has of its own in there. */
const OF_ONE = /^(logs\/HEAD|(logs\/)?refs\/(bisect|worktree|rewritten)|modules)(\/|$)/;
/** What a working tree's own folder says about where it is. */
const PLACES = new Set(['commondir', 'gitdir', 'locked']);

/** Where a working tree's repository is: its own part, and the one that it shares with others. */
interface Elsewhere {
  own: string;
  shared: string;
}

/**
 * Makes the repositories in a copy its own: a linked worktree or a submodule names the repository of the original, whose
 * branches and index a commit in the copy would change.
 */
export async function ownRepositories(copier: Copier, options: CopyOptions): Promise<void> {
  const { from, to } = options;
  for (const path of copier.references) {
    if (basename(path) !== '.git') await rewrite(join(to, path), (text) => movedPlaces(text, path, options));
    else if (!(await isInside(path, from))) await takeRepository(path, copier, options);
    else
      await rewrite(join(to, path), (text) =>
        text.replace(/^gitdir: (.+)/, (_, target: string) => `gitdir: ${moved(target, options)}`),
      );
  }
}

/** Whether a `.git` file names a folder of the original. */
async function isInside(path: string, from: string): Promise<boolean> {
  const target = /^gitdir: (.+)/.exec(textOf(join(from, path), from, MAX_LINK) ?? '')?.[1]?.trim() ?? '';
  const named = resolve(join(from, dirname(path)), target);
  return isBelow(await realpath(named).catch(() => named), from);
}

/** The repository outside of a folder that a `.git` file in it names, and that confirms it; null if there is none. */
export async function repositoryOutside(from: string, path: string): Promise<Elsewhere | null> {
  if (await isInside(path, from)) return null;
  const own = gitFolderOf(join(from, dirname(path)));
  if (own === null) return null;
  const common = textOf(join(own, 'commondir'), own, MAX_LINK)?.trim();
  const [real, shared] = await Promise.all([realpath(own), realpath(resolve(own, common ?? '.'))]);
  return { own: real, shared };
}

/** What a copy leaves out of the shared part: other working trees, and what is private to one. */
export const leavesOf =
  ({ own, shared }: Elsewhere) =>
  ({ path, stats }: Pick<Found, 'path' | 'stats'>): boolean => {
    const [top = ''] = path.split('/');
    if (own !== shared) return !SHARED.has(top) || OF_ONE.test(path);
    // A submodule's repository: its files at the top are its own.
    return !SHARED.has(top) && (top !== path || stats.isDirectory());
  };

/** Puts the repository into the copy, without its other working trees. One that does not confirm the copy's is left out. */
async function takeRepository(path: string, copier: Copier, options: CopyOptions): Promise<void> {
  const { from, to } = options;
  const target = join(to, path);
  const found = await repositoryOutside(from, path);
  await unlink(systemPath(target));
  if (found === null) {
    copier.done.skipped += 1;
    return;
  }
  const { own, shared } = found;
  const take = (part: string, leaves: ReturnType<typeof leavesOf>) =>
    new Copier({ ...options, from: part, to: target, ignored: true, repository: { leaves } }).run();
  await take(shared, leavesOf(found));
  if (own !== shared) await take(own, ({ path }) => PLACES.has(path));
  for (const name of ['config', 'config.worktree'])
    await rewrite(join(target, name), (text) =>
      text
        .replace(/^[ \t]*worktree[ \t]*=.*\n?/gim, '')
        .replace(/^([ \t]*bare[ \t]*=[ \t]*)true[ \t]*$/gim, '$1false'),
    );
}

/** Where a repository names folders of the original: `core.worktree`, and where its other working trees are. */
function movedPlaces(text: string, path: string, options: CopyOptions): string {
  if (basename(path) === 'gitdir') return moved(text, options);
  return text.replace(
    /^([ \t]*worktree[ \t]*=[ \t]*)(.+)$/gim,
    (_, key: string, value: string) => `${key}${moved(value, options)}`,
  );
}

/** `target`: a character for each byte. */
const moved = (target: string, { from, to }: CopyOptions): string =>
  movedTarget(target, bytesOf(from), bytesOf(to));

function bytesOf(path: string): string {
  const place = systemPath(path);
  return (Buffer.isBuffer(place) ? place : Buffer.from(place)).toString('latin1');
}

async function rewrite(path: string, change: (text: string) => string): Promise<void> {
  const bytes = await readRegular(path, { root: dirname(path), links: 'none', maxBytes: MAX_CONFIG });
  if (isRefused(bytes)) return;
  // Names need not be UTF-8.
  const text = bytes.toString('latin1');
  const changed = change(text);
  if (changed === text) return;
  const place = systemPath(path);
  const { mode } = await lstat(place);
  await chmod(place, mode | 0o600);
  await writeFile(place, changed, 'latin1');
  await chmod(place, mode & 0o7777);
}
