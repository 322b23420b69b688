import { z } from 'zod';
import type { Db } from '../../../../base/sqlite/db';
import { isSqliteError } from '../../../../base/sqlite/sqlite-error';
import { yieldToEventLoop } from '../../../../base/yield-to-event-loop';
import type { StoreTables } from './store-tables';

/** Total bytes of all versions above which old ones are dropped. */
export const BUDGET = 256 * 1024 * 1024;
/** Writes between two checks of the budget. */
const PRUNE_EVERY = 256;
/** Log rows to check for droppable versions before yielding to the event loop. */
const PRUNE_BATCH = 500;
/** Items to index together: about 5 ms. */
const INDEX_BATCH = 64;
/** Versions that may wait while writes keep coming. Searching through them takes a few milliseconds. */
const MAX_PENDING = 2_048;
/** UTF-16 units of a value that count as one more version, because searching through them takes as long. */
const UNITS_PER_VERSION = 2_048;
/** Versions to index while writes keep coming before index segments are merged anyway. */
const MERGE_EVERY = 4_096;
/** Index pages to merge together: about 3 ms. */
const MERGE_BATCH = 8;
/** WAL pages from which a checkpoint runs when no writes come. */
const MAX_PAGES = 1_000;
/** Milliseconds without a write before pending work is done. */
const IDLE = 50;

export interface UpkeepOptions {
  /** The text of a value's JSON. */
  textOf: (json: string) => string | null;
  /** Called on each write if something else checkpoints the WAL. */
  wrote?: () => void;
}

/**
 * The store's work after writes rather than during them: it updates the text index, merges its segments, enforces the budget
 * and checkpoints the WAL. It runs a few milliseconds at a time once no write has come for a moment; the index is also
 * updated when much is pending. Nothing depends on it: work that fails (a full disk, another process that writes) is retried
 * after later writes.
 */
export function openStoreUpkeep(db: Db, tables: StoreTables, { textOf, wrote }: UpkeepOptions) {
  /** Pending log entries, as far as this process knows. */
  let pending = 0;
  let writes = 0;
  let pruned = 0;
  let isMerged = false;
  let unmerged = 0;
  /** Whether anything interrupted the current work since it started. */
  let isDisturbed = false;
  let idle: NodeJS.Timeout | null = null;

  /** True: there is more to index. */
  const indexSome = (): boolean => {
    let more = false;
    attempt(db, () => {
      more = tables.indexPending(INDEX_BATCH, textOf);
    });
    pending = more ? tables.countPending() : 0;
    isMerged = false;
    return more;
  };
  /** True: there is more to merge. */
  const mergeSome = (): boolean => {
    if (isMerged) return false;
    isMerged = true;
    attempt(db, () => {
      isMerged = !tables.mergeIndex(MERGE_BATCH);
    });
    unmerged = 0;
    return !isMerged;
  };
  /** True: there may be more to drop. */
  const pruneSome = (): boolean => {
    if (writes < PRUNE_EVERY) return false;
    let next: number | null = null;
    attempt(db, () => {
      next = tables.prune(BUDGET, pruned, PRUNE_BATCH);
    });
    pruned = next ?? 0;
    if (next === null) writes = 0;
    return next !== null;
  };
  const step = () => {
    if (!db.open || isDisturbed) return;
    if (db.inTransaction || indexSome() || mergeSome() || pruneSome()) setImmediate(step).unref();
    else if (wrote === undefined) writeBack(db);
    else wrote();
  };
  const work = () => {
    isDisturbed = false;
    step();
  };
  const whenIdle = () => {
    isDisturbed = true;
    idle = idle?.refresh() ?? setTimeout(work, IDLE).unref();
  };

  return {
    /** Call this after each write, with the length of its value (UTF-16 units of JSON). */
    wrote: (units: number): void => {
      pending += 1 + Math.floor(units / UNITS_PER_VERSION);
      writes += 1;
      wrote?.();
      whenIdle();
    },
    /** Call this on searches, since another process may have left work undone. */
    searched: whenIdle,
    /** Whether so much is pending that searches would take longer. */
    isBehind: (): boolean => pending >= MAX_PENDING,
    /** Works until nothing is pending. */
    catchUp: async (): Promise<void> => {
      unmerged += pending;
      const merges = unmerged >= MERGE_EVERY;
      while (indexSome() || (merges && mergeSome())) await yieldToEventLoop();
    },
  };
}

export type StoreUpkeep = ReturnType<typeof openStoreUpkeep>;

/** Takes about 10 ms, which would slow down a write otherwise. It runs alongside other processes and waits for none. */
function writeBack(db: Db): void {
  const pages = z.tuple([z.object({ log: z.number(), checkpointed: z.number() })]);
  const [{ log, checkpointed }] = pages.parse(db.pragma('wal_checkpoint(NOOP)'));
  if (log - checkpointed >= MAX_PAGES) db.pragma('wal_checkpoint(PASSIVE)');
}

/** Runs a transaction that does not wait for another process. Ignores SQLite errors. */
function attempt(db: Db, work: () => void): void {
  const timeout = Number(db.pragma('busy_timeout', { simple: true }));
  db.pragma('busy_timeout = 0');
  try {
    db.transaction(work).immediate();
  } catch (thrown) {
    if (!isSqliteError(thrown)) throw thrown;
  } finally {
    db.pragma(`busy_timeout = ${timeout}`);
  }
}
