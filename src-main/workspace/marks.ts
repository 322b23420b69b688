import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readRegularSync } from '../base/open-regular-sync';
import { systemPath } from '../base/path-names';
import { isRefused } from '../base/regular-file';
import type { FileMark } from '../contract/commands/files';
import { isBlob, isUnchanged, readIndex, repositoryOf } from './git-index';

export interface Marks {
  repository: boolean;
  /** Relative to the folder, with `/`. A deleted file is marked under its name. */
  marks: { path: string; mark: FileMark }[];
  cut: boolean;
}

/** Files after which other requests to this thread get a turn. */
const TURN = 1_000;
/** Maximum files whose times are checked: a second or two of work. */
const MAX_LOOKED_AT = 300_000;
const MAX_MARKS = 20_000;
/** Maximum size in bytes of a file that is read when its times are inconclusive. */
const MAX_READ = 2 * 1024 * 1024;
/** Maximum bytes read in total. */
const MAX_READ_ALL = 200 * 1024 * 1024;

/**
 * Marks files that differ from git's index, and those of `files` (relative, not ignored) that are not in it. Does not run
 * git, because a folder's settings could make it run any program. Files that are staged and unchanged since have no mark.
 */
export async function marksOf(folder: string, files: Iterable<string> | null): Promise<Marks> {
  const repository = repositoryOf(folder);
  const entries = repository === null ? null : readIndex(repository);
  if (repository === null || entries === null)
    return { repository: repository !== null, marks: [], cut: false };
  const prefix = relative(repository.top, folder).split(sep).filter(Boolean).join('/');
  const marks: Marks['marks'] = [];
  const known = new Set<string>();
  let cut = entries.length > MAX_LOOKED_AT;
  let left = MAX_READ_ALL;
  const looked = cut ? [] : entries;
  let done = 0;
  for (const entry of entries) {
    const path = within(entry.path, prefix);
    if (path !== null) known.add(path);
  }
  for (const entry of looked) {
    done += 1;
    if (done % TURN === 0) await setImmediate();
    const path = within(entry.path, prefix);
    if (path === null || entry.isPutAside) continue;
    if (marks.length >= MAX_MARKS) {
      cut = true;
      break;
    }
    if (entry.stage > 0) {
      if (marks.at(-1)?.path !== path) marks.push({ path, mark: 'conflict' });
      continue;
    }
    // Submodules and folders of a sparse index are not files.
    if ((entry.mode & 0o170000) === 0o160000 || (entry.mode & 0o170000) === 0o040000) continue;
    const host = join(folder, path);
    const stat = lstatSync(systemPath(host), { bigint: true, throwIfNoEntry: false });
    let same = stat === undefined ? false : isUnchanged(entry, stat);
    if (same === null && stat !== undefined) {
      const size = Number(stat.size);
      same = size <= Math.min(MAX_READ, left) && isSameBlob(folder, host, entry.hash);
      left -= size;
    }
    if (same === false) marks.push({ path, mark: 'changed' });
  }
  for (const file of files ?? []) {
    done += 1;
    if (done % TURN === 0) await setImmediate();
    if (known.has(file)) continue;
    if (marks.length >= MAX_MARKS) {
      cut = true;
      break;
    }
    marks.push({ path: file, mark: 'untracked' });
  }
  return { repository: true, marks, cut };
}

function isSameBlob(folder: string, host: string, hash: string): boolean {
  const bytes = readRegularSync(host, { root: folder, links: 'none', maxBytes: MAX_READ });
  return !isRefused(bytes) && isBlob(bytes, hash);
}

/** Anybody may have written the index, so a name that leads out of the folder is skipped. */
function within(path: string, prefix: string): string | null {
  if (path.startsWith('/') || path.split('/').some((name) => name === '..' || name === '')) return null;
  if (prefix === '') return path;
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : null;
}
