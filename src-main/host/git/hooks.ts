import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import type { GitHooks } from '../../contract/git';
import { hooksFolder, type Repository } from './repository';

/** The hooks that a commit, a switch or a push runs. */
const NAMES = new Set([
  'applypatch-msg',
  'commit-msg',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'prepare-commit-msg',
  'reference-transaction',
]); // prettier-ignore
const MAX_HOOK = 4 * 1024 * 1024;
/** Maximum number of files beside the hooks. */
const MAX_BESIDE = 200;

/** The hooks of a repository with a digest of them and of the scripts beside them; null if there are none. */
export async function hooksOf(repository: Repository): Promise<Omit<GitHooks, 'allowed'> | null> {
  const folder = hooksFolder(repository);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => NAMES.has(entry.name) && !entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  if (names.length === 0) return null;
  const hash = createHash('sha256').update(folder);
  const files = await scriptsIn(folder);
  // Husky's hooks are in a folder of their own and run the scripts above it.
  if (basename(folder) === '_') files.push(...(await scriptsIn(dirname(folder))));
  for (const file of files.slice(0, MAX_BESIDE)) {
    const root = dirname(file);
    const bytes = await readRegular(file, { root, links: 'none', maxBytes: MAX_HOOK });
    // A hook that cannot be read is never the same as an allowed one.
    const unread = names.includes(basename(file)) ? String(Math.random()) : '';
    hash.update(`\0${file}\0`).update(isRefused(bytes) ? unread : bytes);
  }
  if (files.length > MAX_BESIDE) hash.update(String(Math.random()));
  return { names, digest: hash.digest('hex') };
}

/** The files in a folder, without git's samples. */
async function scriptsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.endsWith('.sample'))
    .map(({ name }) => join(folder, name))
    .toSorted();
}
