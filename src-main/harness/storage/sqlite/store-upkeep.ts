import { z } from 'zod';
import type { Db } from '../../../base/sqlite/db';
import { isSqliteError } from '../../../base/sqlite/sqlite-error';
import { yieldToEventLoop } from '../../../base/yield-to-event-loop';
import type { StoreTables } from './store-tables';

/** Bytes of all versions together above which old ones go. */
export const BUDGET = 256 * 1024 * 1024;
/** Writes between two looks at the budget. */
const PRUNE_EVERY = 256;
/** Rows of the log that are looked at for what can be dropped before the event loop gets its turn. */
const PRUNE_AT_ONCE = 500;
/** Items indexed together: about 5 ms. */
const INDEX_AT_ONCE = 64;
/** Versions that may wait while one write follows another; to look through them in a search takes a few milliseconds. */
const MOST_PENDING = 2_048;
/** UTF-16 units of a value that count as one more version: it takes as long to look through them. */
const UNITS_OF_VERSION = 2_048;
/** Versions indexed while one write follows another before the pieces of the index are merged all the same. */
const MERGE_EVERY = 4_096;
/** Pages of the index that are merged together: about 3 ms. */
const MERGE_AT_ONCE = 8;
/** Pages of the database's log from which on they are written back when no write comes. */
const MOST_PAGES = 1_000;
/** Milliseconds without a write after which the work that waits is done. */
const IDLE = 50;

export interface UpkeepOptions {
  /** The text of a value's JSON. */
  textOf: (json: string) => string | null;
  /** Told of whatever is written, where somebody else writes the database's log back. */
  wrote?: () => void;
}

/**
 * What the store does after writes rather than in them: it brings the index of texts up to date, merges its pieces, keeps
 * to the budget and writes the database's log back, a few milliseconds at a time, once no write has come for a moment;
 * the index at the latest when much waits. Nothing depends on it: what it cannot do (a full disk, another process that
 * writes) is tried again after later writes.
 */
export function openStoreUpkeep(db: Db, tables: StoreTables, { textOf, wrote }: UpkeepOptions) {
  /** Of the log, as far as this process knows. */
  let pending = 0;
  let writes = 0;
  let pruned = 0;
  let isMerged = false;
  let unmerged = 0;
  /** Since the work began that is being done. */
  let isDisturbed = false;
  let idle: NodeJS.Timeout | null = null;

  /** True: there is more to index. */
  const indexSome = (): boolean => {
    let more = false;
    attempt(db, () => {
      more = tables.indexPending(INDEX_AT_ONCE, textOf);
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
      isMerged = !tables.mergeIndex(MERGE_AT_ONCE);
    });
    unmerged = 0;
    return !isMerged;
  };
  /** True: there may be more to drop. */
  const pruneSome = (): boolean => {
    if (writes < PRUNE_EVERY) return false;
    let next: number | null = null;
    attempt(db, () => {
      next = tables.prune(BUDGET, pruned, PRUNE_AT_ONCE);
    });
    pruned = next ?? 0;
    if (next === null) writes = 0;
    return next !== null;
  };
  const goOn = () => {
    if (!db.open || isDisturbed) return;
    if (db.inTransaction || indexSome() || mergeSome() || pruneSome()) setImmediate(goOn).unref();
    else if (wrote === undefined) writeBack(db);
    else wrote();
  };
  const work = () => {
    isDisturbed = false;
    goOn();
  };
  const whenIdle = () => {
    isDisturbed = true;
    idle = idle?.refresh() ?? setTimeout(work, IDLE).unref();
  };

  return {
    /** To be told of each write that is done, and how long its value is (UTF-16 units of JSON). */
    wrote: (units: number): void => {
      pending += 1 + Math.floor(units / UNITS_OF_VERSION);
      writes += 1;
      wrote?.();
      whenIdle();
    },
    /** To be told of searches, for which the work may have been left by another process. */
    searched: whenIdle,
    /** Whether so much waits that searches would take longer. */
    isBehind: (): boolean => pending >= MOST_PENDING,
    /** Works until nothing waits. */
    catchUp: async (): Promise<void> => {
      unmerged += pending;
      const merges = unmerged >= MERGE_EVERY;
      while (indexSome() || (merges && mergeSome())) await yieldToEventLoop();
    },
  };
}

export type StoreUpkeep = ReturnType<typeof openStoreUpkeep>;

/** Takes about 10 ms, which a write would take longer otherwise. It goes on beside other processes and waits for none. */
function writeBack(db: Db): void {
  const pages = z.tuple([z.object({ log: z.number(), checkpointed: z.number() })]);
  const [{ log, checkpointed }] = pages.parse(db.pragma('wal_checkpoint(NOOP)'));
  if (log - checkpointed >= MOST_PAGES) db.pragma('wal_checkpoint(PASSIVE)');
}

/** A transaction that does not wait for another process; what SQLite says against it is no error of whoever asked. */
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
