import { setTimeout as delay } from 'node:timers/promises';
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
import { type Failure, failure, isFailure } from './failure';
import { type FileData, fileDataReducer } from './protocol';
import type { StateFiles } from './state';

/** Milliseconds in which changes are gathered into one commit. */
const COALESCE_FOR = 50;
/** How often a batch is made again on top of what somebody else has committed. */
const MAX_REPLAYS = 3;

/**
 * A change as what is to be done, not as its outcome, so that it can be done again on top of another commit. Everything
 * it does to the files happens before it first waits.
 */
type Work<R> = (files: StateFiles) => Promise<R>;

interface Change {
  work: Work<unknown>;
  settle: (outcome: { answer: unknown } | { failed: Failure }) => void;
  /** For bugs: what the work threw. */
  reject: (thrown: unknown) => void;
}

/**
 * The files of a Hub repository as they are and will be: what was committed last, with what is being sent and what waits
 * for it on top. One worker sends one commit at a time; a commit that somebody else was faster with is made again from
 * theirs; a commit whose answer was lost is looked for before anything is done again, so no change is applied twice.
 */
export class HubWriter {
  private committed: HubTree | null = null;
  private pulling: Promise<HubTree | Failure> | null = null;
  private view: Record<string, FileData> = {};
  private waiting: Change[] = [];
  private sending: Change[] = [];
  private isWorking = false;

  constructor(
    private readonly client: () => Promise<HubClient>,
    private readonly identifier: string,
  ) {}

  /** The newest commit that is known here; pulled where none is. */
  async tree(): Promise<HubTree | Failure> {
    if (this.committed !== null) return this.committed;
    this.pulling ??= this.pull().finally(() => {
      this.pulling = null;
    });
    return this.pulling;
  }

  /** The files with all changes that were accepted so far. Only after `tree` has answered. */
  readonly files: StateFiles = {
    read: () => this.view,
    send: (update) => {
      this.view = fileDataReducer(this.view, update);
    },
  };

  /**
   * Does a change at once and answers when it is in the Hub; or at once where it changed nothing. To be called in the
   * same turn in which `tree` has answered, so that changes and reads keep the order of their calls.
   * Cancel: what is not on its way yet is undone and rejects with the signal's reason; of what is, the end is
   * waited for, so that what is said of it is true.
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
        this.committed = null;
        for (const change of batch) change.reject(thrown);
      }
      this.project();
    }
    this.isWorking = false;
  }

  /** Brings a batch into the Hub, or says why not; what it answers for each change is true of the commit that it is in. */
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
        this.committed = commit === null ? null : withChanges(base, changes, commit);
        return { answers };
      } catch (thrown) {
        this.committed = null;
        const head = await this.tree();
        const landed = isFailure(head) ? null : await hasLanded(client, this.identifier, base, changes, head);
        if (landed === true) return { answers };
        if (landed === null) return { failed: uncertain(thrown) };
        if (!isConflict(thrown) || replays >= MAX_REPLAYS) return { failed: hubFailure(thrown) };
      }
    }
  }

  private async pull(): Promise<HubTree | Failure> {
    try {
      this.committed = await pullTree(await this.client(), this.identifier);
      this.project();
      return this.committed;
    } catch (thrown) {
      return hubFailure(thrown);
    }
  }

  /** Rebuilds the view. In one go, so that no change comes between. */
  private project(): void {
    if (this.committed === null) return;
    const replayed = replay(this.committed.files, [...this.sending, ...this.waiting]);
    this.view = replayed.files;
    // What went wrong with a change is said when it is committed.
    for (const answer of replayed.answers) answer.catch(() => undefined);
  }
}

/** Changes one after the other on top of files. */
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
