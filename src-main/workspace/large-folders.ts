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

/** Lists directories with many entries in a worker, where nobody waits for the thread. */
export interface LargeLister {
  /**
   * Entries `begin` to `end` of `directory`, which is read as written. `shown` is the path used in the result. Errors: those
   * of a listing.
   */
  page(directory: string, shown: string, begin: number, end: number): Promise<Result<LargePage>>;
}

/** Entries requested from the system in one call. */
const BATCH_SIZE = 4_096;
/** Milliseconds for which the names of a directory are reused for further pages. */
const KEPT_FOR = 60_000;

interface Kept {
  directory: string;
  /** When the directory last changed (ns). */
  changedAt: bigint;
  readAt: number;
  names: Named[];
}

/** Lists large directories. Keeps the names of the last directory for its further pages. */
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

  /** The first page is always read again, because its caller has been notified of a change. */
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

/** `readdirSync` is not used because it sorts by locale before we sort. */
function readNames(directory: string): Named[] {
  const names: Named[] = [];
  // The types do not declare that it accepts bytes, as every other function does.
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
    // The entry is gone since the directory was read. It is still listed, and the watcher reports the change shortly.
    return { path, name, kind };
  }
}
