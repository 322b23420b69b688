import { lstat, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { openNames, textOfLatin1 } from '../../../base/path-names';
import { MAX_TIMER } from '../../../base/timers';
import { isFailure, systemCode } from '../failure';
import { asDirectory } from '../paths';
import type { FileInfo, LsOptions, LsResult } from '../protocol';
import { ENTRY, NUMBERS } from '../search/scan/stats';
import { ScanWorkers } from '../search/scan/workers';
import type { HeldDirectory } from './guard';
import { isTemporaryName } from './temporaries';

/** Default number of entries in a listing. */
const LS_LIMIT = 10_000;
/** Maximum names listed of one folder. Beyond that, the last page is `truncated` and has no `nextOffset`. */
const MAX_NAMES = 200_000;
/** Names read in one batch, and sorted or merged before the loop yields. */
const RUN = 2_048;
/** Concurrent `lstat` calls. The file system has four threads. */
const CONCURRENCY = 64;
/** Folders with fewer names are simply read again. */
const WORTH_KEEPING = 5_000;
/** Milliseconds for which the names of the last large folder are kept, so that its pages do not read it each time. */
const KEPT_FOR = 30_000;
/** Milliseconds in which a folder may change again without its times showing it. */
const CLOCK_TICK = 50;

/** Fewer entries are described in this process: a worker would have to be started, or messaged. */
const WORTH_A_WORKER = 2_000;
/** Names sent to a worker at once. Turning its answer into entries takes a few milliseconds, besides their collection. */
const SENT = 2_500;
/** In milliseconds. The caller stops a listing that takes too long. */
const NO_TIMEOUT = MAX_TIMER;

interface Names {
  sorted: string[];
  /** The folder has more names than are listed. */
  cut: boolean;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Pages of folder entries, sorted by code unit. Keeps the names of the last large folder for its next page. */
export class DirectoryListings {
  private kept: { key: string; names: Names; timer: NodeJS.Timeout } | null = null;

  /** `workers` describe large numbers of entries. Default: the ones of this process. */
  constructor(private workers: ScanWorkers | null = null) {}

  /**
   * One page of a folder, without entries that were deleted in between and without our temporary files. Throws system
   * errors. Cancel: rejects with the signal's reason.
   */
  async page(held: HeldDirectory, folder: string, options: LsOptions): Promise<LsResult> {
    const isLong = (options.limit ?? LS_LIMIT) >= WORTH_A_WORKER;
    const onMany = () => (isLong ? this.workersNow().prepare() : undefined);
    const { sorted, cut } = await this.names(held, options.signal, onMany);
    const from = Math.max(0, Math.trunc(options.offset ?? 0));
    const to = Math.min(sorted.length, from + Math.max(0, Math.trunc(options.limit ?? LS_LIMIT)));
    const files = await this.describe(held, asDirectory(folder), sorted.slice(from, to), options.signal);
    if (cut)
      return to < sorted.length ? { files, truncated: true, nextOffset: to } : { files, truncated: true };
    const page: LsResult = { files, total: sorted.length };
    return to < sorted.length ? { ...page, truncated: true, nextOffset: to } : page;
  }

  private async describe(
    held: HeldDirectory,
    folder: string,
    names: string[],
    signal: AbortSignal | undefined,
  ): Promise<FileInfo[]> {
    if (names.length >= WORTH_A_WORKER) {
      const files = await describeInWorker(this.workersNow(), held, folder, names, signal);
      if (files !== null) return files;
    }
    return describeAll(held, folder, names, signal);
  }

  private workersNow(): ScanWorkers {
    this.workers ??= listingWorkers();
    return this.workers;
  }

  private async names(
    held: HeldDirectory,
    signal: AbortSignal | undefined,
    onMany: () => void,
  ): Promise<Names> {
    const { dev, ino, mtimeNs, ctimeNs } = await stat(held.path, { bigint: true });
    const key = `${dev}-${ino}-${mtimeNs}-${ctimeNs}`;
    if (this.kept?.key === key) return this.kept.names;
    const settled = Math.abs(Date.now() - Number(ctimeNs / 1_000_000n)) > CLOCK_TICK;
    const names = await readNames(held, MAX_NAMES, signal, onMany);
    if (names.sorted.length >= WORTH_KEEPING && settled) this.keep(key, names);
    return names;
  }

  private keep(key: string, names: Names): void {
    if (this.kept !== null) clearTimeout(this.kept.timer);
    const timer = setTimeout(() => {
      this.kept = null;
    }, KEPT_FOR);
    timer.unref();
    this.kept = { key, names, timer };
  }
}

/** `onMany` is called once there are enough names for a worker. */
async function readNames(
  held: HeldDirectory,
  most: number,
  signal: AbortSignal | undefined,
  onMany: () => void,
): Promise<Names> {
  let runs: string[][] = [];
  let run: string[] = [];
  let [count, cut] = [0, false];
  const directory = await openNames(held.path, RUN);
  try {
    for (let entry = await directory.read(); entry !== null; entry = await directory.read()) {
      const name = textOfLatin1(entry.name);
      if (isTemporaryName(name)) continue;
      if (count === most) {
        cut = true;
        break;
      }
      count += 1;
      if (count === WORTH_A_WORKER) onMany();
      run.push(name);
      if (run.length < RUN) continue;
      signal?.throwIfAborted();
      runs.push(run.sort());
      run = [];
    }
  } finally {
    await directory.close();
  }
  // No comparison function: the default sorts by code unit, as wanted, and is several times faster.
  runs.push(run.sort());
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let n = 0; n < runs.length; n += 2)
      merged.push(await merge(runs[n] ?? [], runs[n + 1] ?? [], signal));
    runs = merged;
  }
  return { sorted: runs[0] ?? [], cut };
}

async function merge(a: string[], b: string[], signal: AbortSignal | undefined): Promise<string[]> {
  if (b.length === 0) return a;
  const merged: string[] = [];
  for (let [i, j] = [0, 0]; i < a.length || j < b.length; ) {
    const [left, right] = [a[i], b[j]];
    if (right === undefined || (left !== undefined && left < right)) {
      merged.push(left ?? '');
      i += 1;
    } else {
      merged.push(right);
      j += 1;
    }
    if (merged.length % (4 * RUN) !== 0) continue;
    signal?.throwIfAborted();
    await turn();
  }
  return merged;
}

let shared: ScanWorkers | null = null;

/** Separate from the search workers, which may be busy for a long time. */
function listingWorkers(): ScanWorkers {
  shared ??= new ScanWorkers();
  return shared;
}

/** Null if there is no worker, or if describing an entry failed: this process then finds the reason. */
async function describeInWorker(
  workers: ScanWorkers,
  held: HeldDirectory,
  folder: string,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<FileInfo[] | null> {
  const files: FileInfo[] = [];
  let at = 0;
  const take = (chunk: Buffer): boolean => {
    const numbers = new Float64Array(chunk.buffer, chunk.byteOffset, chunk.length / 8);
    for (let n = 0; n < numbers.length; n += NUMBERS, at += 1) {
      const kind = numbers[n];
      const size = numbers[n + 1] ?? 0;
      if (kind === ENTRY.gone) continue;
      const path = folder + names[at];
      const modified_at = new Date(numbers[n + 2] ?? 0).toISOString();
      if (kind === ENTRY.folder) files.push({ path: `${path}/`, is_dir: true, size: 0, modified_at });
      else files.push({ path, is_dir: false, size, modified_at });
    }
    return false;
  };
  for (let from = 0; from < names.length; from += SENT) {
    const end = await workers.run({
      target: { kind: 'stats', names: names.slice(from, from + SENT) },
      place: { kind: 'folder', path: held.path, outerRules: '', hidden: 'all' },
      onChunk: take,
      timeoutMs: NO_TIMEOUT,
      signal,
    });
    if (isFailure(end) || at !== Math.min(from + SENT, names.length)) return null;
  }
  return files;
}

/**
 * Uses callbacks instead of promises, with as many concurrent calls as the system can use: half the time for a large folder.
 * Waits for pending calls before it rejects, since the folder is closed then.
 */
function describeAll(
  held: HeldDirectory,
  folder: string,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<FileInfo[]> {
  const found = new Array<FileInfo | null>(names.length).fill(null);
  return new Promise((resolve, reject) => {
    let [next, underWay] = [0, 0];
    let failed: Error | null = null;
    const go = () => {
      while (underWay < CONCURRENCY && next < names.length && failed === null && !signal?.aborted) {
        const n = next;
        const name = names[n] ?? '';
        next += 1;
        underWay += 1;
        lstat(held.child(name), (error, stat) => {
          underWay -= 1;
          if (error === null) found[n] = describe(folder + name, stat);
          // Deleted during the listing.
          else if (systemCode(error) !== 'ENOENT') failed ??= error;
          go();
        });
      }
      if (underWay > 0) return;
      if (signal?.aborted) reject(signal.reason);
      else if (failed !== null) reject(failed);
      else resolve(found.filter((info) => info !== null));
    };
    go();
  });
}

function describe(path: string, stat: Stats): FileInfo {
  const modified_at = stat.mtime.toISOString();
  return stat.isDirectory()
    ? { path: `${path}/`, is_dir: true, size: 0, modified_at }
    : { path, is_dir: false, size: stat.size, modified_at };
}
