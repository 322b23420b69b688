import type { Db } from '../../../base/sqlite/db';
import { unsynced } from '../../../base/sqlite/unsynced';

interface Job {
  /** Runs inside the transaction; answers how to tell that it is committed. `isJoint`: with all that waited. */
  write(isJoint: boolean): () => void;
  reject(error: unknown): void;
}

/** Milliseconds in which a request that what is written goes before is made and sent. */
const WAITS = 25;

/**
 * Joins what is written in one turn of the event loop into one transaction: a step of a graph writes what its tasks
 * made and the checkpoint after it right behind each other. A process that is killed loses nothing that was resolved.
 * The disk is not waited for (`synchronous=NORMAL`): what the person was told is saved elsewhere, in transactions that
 * do wait and take these along; after a power cut a thread may go on from an earlier step, and its journal sees to it
 * that nothing is repeated.
 */
export class CheckpointCommits {
  #jobs: Job[] = [];
  #next: NodeJS.Immediate | null = null;
  #later: NodeJS.Timeout | null = null;
  /** Made once: making one costs as much as beginning it. */
  readonly #writeAll: (jobs: readonly Job[], isJoint: boolean) => (() => void)[];

  constructor(
    private readonly db: Db,
    /** Told after each transaction, committed or not. */
    private readonly onEnded: () => void,
  ) {
    this.#writeAll = db.transaction((jobs: readonly Job[], isJoint: boolean) =>
      jobs.map((job) => job.write(isJoint)),
    ).immediate;
  }

  /**
   * Resolves with what `write` answers when that is committed; rejects with what it throws. `write` must not be
   * asynchronous, and is run a second time, not `isJoint`, where others of its transaction failed. `mayWait`: with whatever
   * is written or read next, or in a moment.
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
      if (mayWait) this.#later ??= setTimeout(() => this.flush(), WAITS);
      else this.#next ??= setImmediate(() => this.flush());
    });
  }

  /** Commits what waits, now: before anything is read. */
  flush(): void {
    if (this.#next !== null) clearImmediate(this.#next);
    if (this.#later !== null) clearTimeout(this.#later);
    this.#next = null;
    this.#later = null;
    const jobs = this.#jobs;
    this.#jobs = [];
    if (jobs.length === 0) return;
    const [only] = jobs;
    try {
      for (const resolve of this.#commit(jobs, true)) resolve();
    } catch (error) {
      if (jobs.length === 1) only?.reject(error);
      else for (const job of jobs) this.#alone(job);
    }
  }

  #alone(job: Job): void {
    try {
      for (const resolve of this.#commit([job], false)) resolve();
    } catch (error) {
      job.reject(error);
    }
  }

  #commit(jobs: readonly Job[], isJoint: boolean): (() => void)[] {
    try {
      return unsynced(this.db, () => this.#writeAll(jobs, isJoint));
    } finally {
      this.onEnded();
    }
  }
}
