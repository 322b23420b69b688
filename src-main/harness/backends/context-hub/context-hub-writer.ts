import { setTimeout as delay } from 'node:timers/promises';
import { type Failure, failure, isFailure } from '../failure';
import { type FileData, fileDataReducer } from '../protocol';
import type { StateFiles } from '../state';
import {
  changesBetween,
  type HubClient,
  type HubTree,
  hasLanded,
  hubFailure,
  isConflict,
  pullTree,
  pushChanges,
  withChanges,
} from './context-hub-repository';

/** Milliseconds during which changes are gathered into one commit. */
const COALESCE_FOR = 50;
/** How often a batch is replayed on top of somebody else's commit. */
const MAX_REPLAYS = 3;

/**
 * A change as an operation, not as its outcome, so that it can be replayed on top of another commit. It changes the files
 * only before its first await.
 */
type Work<R> = (files: StateFiles) => Promise<R>;

interface Change {
  work: Work<unknown>;
  settle: (outcome: { answer: unknown } | { failed: Failure }) => void;
  /** For bugs: the error that the work threw. */
  reject: (thrown: unknown) => void;
}

/**
 * The current files of a Hub repository: the last commit, with the changes being sent and the waiting ones on top. One
 * worker sends one commit at a time. If somebody else committed first, the batch is replayed on their commit. If an answer
 * was lost, the worker looks for the commit before it retries, so no change is applied twice.
 */
export class HubWriter {
  private committed: HubTree | null = null;
  private pulling: Promise<HubTree | Failure> | null = null;
  private view: Record<string, FileData> = {};
  private waiting: Change[] = [];
  private sending: Change[] = [];
  private isWorking = false;
  /** Of `performance.now()`: when `committed` was the newest commit. */
  private knownAt = 0;
  /** Counts what was learned. */
  private generation = 0;

  constructor(
    private readonly client: () => Promise<HubClient>,
    private readonly identifier: string,
    private readonly maxAgeMs = Number.POSITIVE_INFINITY,
  ) {}

  /** The newest known commit. Pulls if there is none, or if it is too old and nothing is being sent. */
  async tree(): Promise<HubTree | Failure> {
    const isOld = !this.isWorking && performance.now() - this.knownAt > this.maxAgeMs;
    if (this.committed !== null && !isOld) return this.committed;
    if (this.pulling !== null) return this.pulling;
    const pulling = this.pull();
    this.pulling = pulling;
    try {
      return await pulling;
    } finally {
      if (this.pulling === pulling) this.pulling = null;
    }
  }

  /** What is in the Hub now; null: unknown. An older pull that still runs no longer counts. */
  private know(tree: HubTree | null): void {
    this.committed = tree;
    this.knownAt = performance.now();
    this.generation += 1;
    this.pulling = null;
  }

  /** The files with all changes accepted so far. Valid only after `tree` has resolved. */
  readonly files: StateFiles = {
    read: () => this.view,
    send: (update) => {
      this.view = fileDataReducer(this.view, update);
    },
  };

  /**
   * Applies a change locally and resolves once it is in the Hub, or immediately if it changed nothing. Call it in the same
   * tick in which `tree` resolved, so that changes and reads keep the order of their calls. Cancel: a change that is not
   * being sent yet is undone and rejects with the signal's reason. A change on its way is waited for, so that its result is
   * true.
   */
  async submit<R>(work: Work<R>, signal?: AbortSignal): Promise<R | Failure> {
    signal?.throwIfAborted();
    const before = this.view;
    const first = work(this.files);
    if (this.view === before) return first;
    return new Promise<R | Failure>((resolve, reject) => {
      const withdraw = () => {
        if (!this.waiting.includes(change)) return;
        this.waiting = this.waiting.filter((one) => one !== change);
        this.project();
        reject(signal?.reason);
      };
      const done = () => signal?.removeEventListener('abort', withdraw);
      const change: Change = {
        work,
        settle: (outcome) => {
          done();
          resolve('failed' in outcome ? outcome.failed : (outcome.answer as R));
        },
        reject: (thrown) => {
          done();
          reject(thrown);
        },
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      this.waiting.push(change);
      if (!this.isWorking) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.isWorking = true;
    while (this.waiting.length > 0) {
      await delay(COALESCE_FOR);
      [this.sending, this.waiting] = [this.waiting, []];
      const batch = this.sending;
      try {
        const outcome = await this.commit(batch);
        this.sending = [];
        for (const [nth, change] of batch.entries())
          change.settle('failed' in outcome ? outcome : { answer: outcome.answers[nth] });
      } catch (thrown) {
        this.sending = [];
        this.know(null);
        for (const change of batch) change.reject(thrown);
      }
      this.project();
    }
    this.isWorking = false;
  }

  /** Commits a batch to the Hub, or says why it failed. Each change's result is true of the commit that contains it. */
  private async commit(batch: Change[]): Promise<{ answers: unknown[] } | { failed: Failure }> {
    const client = await this.client();
    for (let replays = 0; ; replays += 1) {
      const base = await this.tree();
      if (isFailure(base)) return { failed: base };
      const replayed = replay(base.files, batch);
      const answers = await Promise.all(replayed.answers);
      const changes = changesBetween(base.files, replayed.files);
      if (Object.keys(changes).length === 0) return { answers };
      try {
        const commit = await pushChanges(client, this.identifier, base, changes);
        this.know(commit === null ? null : withChanges(base, changes, commit));
        return { answers };
      } catch (thrown) {
        this.know(null);
        const head = await this.tree();
        const landed = isFailure(head) ? null : await hasLanded(client, this.identifier, base, changes, head);
        if (landed === true) return { answers };
        if (landed === null) return { failed: uncertain(thrown) };
        if (!isConflict(thrown) || replays >= MAX_REPLAYS) return { failed: hubFailure(thrown) };
      }
    }
  }

  private async pull(): Promise<HubTree | Failure> {
    const { generation } = this;
    try {
      const pulled = await pullTree(await this.client(), this.identifier);
      if (generation !== this.generation) return this.committed ?? (await this.tree());
      this.know(pulled);
      this.project();
      return pulled;
    } catch (thrown) {
      return hubFailure(thrown);
    }
  }

  /** Rebuilds the view synchronously, so that no change comes between. */
  private project(): void {
    if (this.committed === null) return;
    const replayed = replay(this.committed.files, [...this.sending, ...this.waiting]);
    this.view = replayed.files;
    // A change's error is reported when it is committed.
    for (const answer of replayed.answers) answer.catch(() => undefined);
  }
}

/** Applies changes to files, one after another. */
function replay(files: Record<string, FileData>, changes: readonly Change[]) {
  let now = files;
  const scratch: StateFiles = {
    read: () => now,
    send: (update) => {
      now = fileDataReducer(now, update);
    },
  };
  const answers = changes.map(({ work }) => work(scratch));
  return { files: now, answers };
}

function uncertain(thrown: unknown): Failure {
  const { kind, error } = hubFailure(thrown);
  return failure(
    kind,
    `${error} It is not known whether the change was stored: read again before repeating it.`,
  );
}
