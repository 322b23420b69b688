import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The hooks of a repository with a digest of all of them; null if there are none. */
export async function hooksOf(repository: Repository): Promise<Omit<GitHooks, 'allowed'> | null> {
  const folder = hooksFolder(repository);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => NAMES.has(entry.name) && !entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  if (names.length === 0) return null;
  const hash = createHash('sha256').update(folder);
  for (const name of names) {
    const bytes = await readRegular(join(folder, name), { root: folder, links: 'none', maxBytes: MAX_HOOK });
    // A hook that cannot be read is never the same as an allowed one.
    hash.update(`\0${name}\0`).update(isRefused(bytes) ? String(Math.random()) : bytes);
  }
  return { names, digest: hash.digest('hex') };
}
