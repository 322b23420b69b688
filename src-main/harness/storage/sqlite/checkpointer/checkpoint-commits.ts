import type Database from 'better-sqlite3';
import type { Db } from '../../../../base/sqlite/db';
import { unsynced } from '../../../../base/sqlite/unsynced';

interface Job {
  /** Runs inside the transaction and returns a function that reports the commit. `isJoint`: with all pending jobs. */
  write(isJoint: boolean): () => void;
  reject(error: unknown): void;
}

/** Milliseconds in which the model request that follows the write is built and sent. */
const WAITS = 25;

/**
 * Joins all writes of one turn of the event loop into one transaction, because a graph step writes its tasks' results and
 * the next checkpoint right after each other. A killed process loses nothing that was resolved. It does not wait for the
 * disk (`synchronous=NORMAL`): what the person was told is saved in other transactions, which do wait and include these
 * writes. After a power cut, a thread may continue from an earlier step, and its journal prevents repeated work.
 */
export class CheckpointCommits {
  #jobs: Job[] = [];
  #next: NodeJS.Immediate | null = null;
  #later: NodeJS.Timeout | null = null;
  /** Created once: creating it costs as much as starting it. */
  readonly #writeAll: (jobs: readonly Job[], isJoint: boolean) => (() => void)[];
  readonly #commit: Database.Statement;
  readonly #rollBack: Database.Statement;

  constructor(
    private readonly db: Db,
    private readonly options: {
      /** Called after each transaction, committed or not. */
      onEnded: () => void;
      /** See `SaverOptions`. */
      begin?: (() => Promise<void> | undefined) | undefined;
    },
  ) {
    this.#commit = db.prepare('COMMIT');
    this.#rollBack = db.prepare('ROLLBACK');
    this.#writeAll = db.transaction((jobs: readonly Job[], isJoint: boolean) =>
      jobs.map((job) => job.write(isJoint)),
    ).immediate;
  }

  /**
   * Resolves with the result of `write` once it is committed; rejects with its error. `write` must be synchronous. It runs a
   * second time, not `isJoint`, if another job of its transaction failed. `mayWait`: commits with the next read or write, or
   * after a moment.
   */
  add<T>(write: (isJoint: boolean) => T, mayWait = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job: Job = {
        write: (isJoint) => {
          const answer = write(isJoint);
          return () => resolve(answer);
        },
        reject,
      };
      this.#jobs.push(job);
      if (mayWait) this.#later ??= setTimeout(() => this.#flushWhenFree(), WAITS);
      else this.#next ??= setImmediate(() => this.#flushWhenFree());
    });
  }

  #flushWhenFree(): void {
    const { begin } = this.options;
    if (begin === undefined || !this.db.open || this.#jobs.length === 0) {
      this.flush();
      return;
    }
    const free = unsynced(this.db, () => {
      const free = begin();
      if (this.db.inTransaction) this.#flush(true);
      return free;
    });
    if (free === undefined) this.flush();
    else void free.then(() => this.flush());
  }

  /** Commits pending jobs now, before a read. */
  flush(): void {
    this.#flush(false);
  }

  /** `isOpen`: in a transaction that has begun. */
  #flush(isOpen: boolean): void {
    if (this.#next !== null) clearImmediate(this.#next);
    if (this.#later !== null) clearTimeout(this.#later);
    this.#next = null;
    this.#later = null;
    const jobs = this.#jobs;
    this.#jobs = [];
    if (jobs.length === 0) return;
    const [only] = jobs;
    try {
      for (const resolve of isOpen ? this.#writeInOpen(jobs) : this.#write(jobs, true)) resolve();
    } catch (error) {
      if (jobs.length === 1) only?.reject(error);
      else for (const job of jobs) this.#alone(job);
    }
  }

  #alone(job: Job): void {
    try {
      for (const resolve of this.#write([job], false)) resolve();
    } catch (error) {
      job.reject(error);
    }
  }

  #write(jobs: readonly Job[], isJoint: boolean): (() => void)[] {
    try {
      return unsynced(this.db, () => this.#writeAll(jobs, isJoint));
    } finally {
      this.options.onEnded();
    }
  }

  #writeInOpen(jobs: readonly Job[]): (() => void)[] {
    try {
      const ended = jobs.map((job) => job.write(true));
      this.#commit.run();
      return ended;
    } finally {
      // Only an error leaves it open.
      if (this.db.inTransaction) this.#rollBack.run();
      this.options.onEnded();
    }
  }
}
