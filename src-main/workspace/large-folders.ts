import { lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { systemPath } from '../base/path-names';
import type { FileEntry } from '../contract/app';
import { ok, type Result } from '../contract/result';
import { listingFailure } from './listing-failure';
import { inOrder, isShown, type Named, named } from './listing-order';

export interface LargePage {
  entries: FileEntry[];
  total: number;
}

/** Lists directories of many entries, where nobody waits for the thread: in a worker. */
export interface LargeLister {
  /**
   * Entries `begin` to `end` of `directory`, which is read as it stands; `shown` is the path that the answer names it by.
   * Errors: those of a listing.
   */
  page(directory: string, shown: string, begin: number, end: number): Promise<Result<LargePage>>;
}

/** Entries that the system is asked for at once. */
const BATCH_SIZE = 4_096;
/** Milliseconds for which the names of a directory serve its further pages. */
const KEPT_FOR = 60_000;

interface Kept {
  directory: string;
  /** When the directory was last changed (ns). */
  changedAt: bigint;
  readAt: number;
  names: Named[];
}

/** The work itself. The names of the directory that was read last are kept for its further pages. */
export class LargeFolders implements LargeLister {
  private kept: Kept | null = null;

  async page(directory: string, shown: string, begin: number, end: number): Promise<Result<LargePage>> {
    try {
      const names = this.names(directory, begin > 0);
      const entries = names.slice(begin, end).map((one) => entryOf(directory, shown, one));
      return ok({ entries, total: names.length });
    } catch (error) {
      return listingFailure(shown, error);
    }
  }

  /** The first page is always read again: who asks for it has heard of a change. */
  private names(directory: string, mayKeep: boolean): Named[] {
    const changedAt = lstatSync(systemPath(directory), { bigint: true }).mtimeNs;
    const { kept } = this;
    const isFresh =
      kept?.directory === directory &&
      kept.changedAt === changedAt &&
      performance.now() - kept.readAt < KEPT_FOR;
    if (mayKeep && isFresh) return kept.names;
    const names = inOrder(readNames(directory));
    this.kept = { directory, changedAt, readAt: performance.now(), names };
    return names;
  }
}

/** Not `readdirSync`, which sorts by the rules of the system's language before we sort. */
function readNames(directory: string): Named[] {
  const names: Named[] = [];
  // The types forget that it takes bytes as every other function does.
  const open = opendirSync(systemPath(directory) as string, { bufferSize: BATCH_SIZE, encoding: 'latin1' });
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync())
      if (isShown(entry.name)) names.push(named(entry));
  } finally {
    open.closeSync();
  }
  return names;
}

function entryOf(directory: string, shown: string, { name, kind }: Named): FileEntry {
  const path = join(shown, name);
  if (kind === 'directory') return { path, name, kind };
  try {
    const { size, mtimeMs } = lstatSync(systemPath(join(directory, name)));
    return { path, name, kind, size, modifiedAt: mtimeMs };
  } catch {
    // Gone since the directory was read: still listed, the watcher tells of it in a moment.
    return { path, name, kind };
  }
}
