import type { ThreadId } from '../../../contract/ids';
import type { Result } from '../../../contract/result';
import type { FileStamps } from '../../project/changes/file-stamps';
import type { LiveThread } from '../../threads/live-thread';
import type { Run } from './run';

/** Maximum number of threads with a prepared run. */
const MAX_RUNS = 2;
/** Milliseconds before an unused one is dropped. */
const KEPT_FOR = 10 * 60_000;
/** Milliseconds after a turn, so that its follow-up, such as drawing the answer, goes first. */
const AFTER_TURN = 150;

/** Milliseconds for which a thread is shown before its run is prepared: the thread is drawn first. */
const SHOWN_FOR = 120;

/** Milliseconds from sending a message to the start of its turn; after that, check again. */
const CHECKED_FOR = 250;

/** A run and everything that it was created from. */
export interface ReadyRun {
  run: Run;
  /** The relevant state of the database and the app, as one text. */
  stamp: string;
  files: FileStamps;
  /** Whether the servers' tools are unchanged, if there are servers. */
  hasSameTools: (signal: AbortSignal) => Promise<boolean>;
}

export interface ReadyRunsOptions {
  thread(threadId: ThreadId): Result<LiveThread>;
  /** Whether the thread has an active run. */
  isRunning(threadId: ThreadId): boolean;
  /** The present state that runs of the thread depend on, apart from files. Null if none is possible. */
  stampOf(live: LiveThread): string | null;
  /** Refreshes what all runs share, and checks that the project's folder exists. */
  refresh(live: LiveThread): Promise<boolean>;
  /** Loads the code that runs of the thread need, in pieces between which the event loop is free. */
  load(threadId: ThreadId): Promise<void>;
  /** Whether the thread is so short that preparing a run without need costs nearly nothing. */
  isShort(threadId: ThreadId): boolean;
  /** Null if none is possible, or if it could become outdated unnoticed. */
  make(live: LiveThread, signal: AbortSignal): Promise<ReadyRun | null>;
  report: (error: unknown) => void;
}

interface Kept {
  live: LiveThread;
  made: Promise<ReadyRun | null>;
  timer: NodeJS.Timeout;
  /** Whether everything is unchanged; checked for a message that is being sent. */
  checked?: { at: number; isSame: Promise<boolean> };
}

/**
 * Runs prepared before there is a message: while the person writes it, and after a turn. Each is used once, and only if
 * everything it was created from is unchanged, which is checked again with the message; otherwise a new run is created.
 */
export class ReadyRuns {
  private readonly kept = new Map<ThreadId, Kept>();
  private readonly soon = new Map<ThreadId, NodeJS.Timeout>();
  private readonly closing = new AbortController();
  private shown: NodeJS.Timeout | undefined;
  private loading: Promise<void> | undefined;

  constructor(private readonly options: ReadyRunsOptions) {}

  /**
   * The person started to write. Does nothing if a valid run exists; resolves when that is known. Never rejects: errors are
   * reported.
   */
  async begin(threadId: ThreadId): Promise<void> {
    const { thread, isRunning, stampOf, report } = this.options;
    clearTimeout(this.soon.get(threadId));
    this.soon.delete(threadId);
    if (this.closing.signal.aborted || isRunning(threadId)) return;
    try {
      const found = thread(threadId);
      const live = found.ok ? found.value : undefined;
      const stamp = live === undefined ? null : stampOf(live);
      if (live === undefined || stamp === null) return;
      const known = this.kept.get(threadId);
      if (known?.live === live) {
        const ready = await known.made;
        if (ready?.stamp === stamp && (await ready.files.areSame())) return;
        if (this.kept.get(threadId) !== known || this.closing.signal.aborted) return;
      }
      this.drop(threadId);
      this.keep(live);
    } catch (error) {
      report(error);
    }
  }

  /** A window shows the thread: the person may send a message soon, which should not wait for code that is loaded once. */
  opened(threadId: ThreadId): void {
    if (this.closing.signal.aborted) return;
    clearTimeout(this.shown);
    const shown = setTimeout(() => {
      this.loading ??= this.options.load(threadId).catch((error: unknown) => {
        if (!this.closing.signal.aborted) this.options.report(error);
      });
      void this.loading.then(() => {
        // Another thread may be shown by now.
        if (this.shown === shown && this.options.isShort(threadId)) void this.begin(threadId);
      });
    }, SHOWN_FOR).unref();
    this.shown = shown;
  }

  /** A turn has ended or waits for the person. */
  atRest(threadId: ThreadId): void {
    if (this.closing.signal.aborted) return;
    clearTimeout(this.soon.get(threadId));
    this.soon.set(threadId, setTimeout(() => void this.begin(threadId), AFTER_TURN).unref());
  }

  /** Whether the thread has a prepared run; resolves when that is known. */
  async has(threadId: ThreadId): Promise<boolean> {
    return ((await this.kept.get(threadId)?.made) ?? null) !== null;
  }

  /** Takes the thread's prepared run. Null if there is no usable one. */
  async take(live: LiveThread, signal: AbortSignal): Promise<Run | null> {
    clearTimeout(this.soon.get(live.id));
    this.soon.delete(live.id);
    const kept = this.kept.get(live.id);
    if (kept === undefined) return null;
    this.drop(live.id);
    if (kept.live !== live) return null;
    const { checked } = kept;
    const isFresh = checked !== undefined && performance.now() - checked.at < CHECKED_FOR;
    const isSame = await (isFresh ? checked.isSame : this.isSame(kept, signal));
    const ready = await kept.made;
    return isSame && ready?.stamp === this.options.stampOf(live) ? ready.run : null;
  }

  /** A message is being sent: checks its prepared run while the message is saved. False if there is none. */
  check(threadId: ThreadId): boolean {
    const kept = this.kept.get(threadId);
    if (kept === undefined) return false;
    const isSame = this.isSame(kept, this.closing.signal);
    isSame.catch(() => undefined);
    kept.checked = { at: performance.now(), isSame };
    return true;
  }

  private async isSame({ live, made }: Kept, signal: AbortSignal): Promise<boolean> {
    const ready = await made;
    if (ready === null) return false;
    const checked = [this.options.refresh(live), ready.files.areSame(), ready.hasSameTools(signal)];
    return (await Promise.all(checked)).every((isSame) => isSame);
  }

  /** Resolves when no run is being prepared. */
  async close(): Promise<void> {
    this.closing.abort();
    clearTimeout(this.shown);
    this.shown = undefined;
    for (const timer of this.soon.values()) clearTimeout(timer);
    this.soon.clear();
    await this.loading;
    const made = [...this.kept.values()].map((kept) => kept.made);
    for (const threadId of [...this.kept.keys()]) this.drop(threadId);
    await Promise.all(made);
  }

  private keep(live: LiveThread): void {
    for (const [oldest] of [...this.kept].slice(0, Math.max(0, this.kept.size - MAX_RUNS + 1)))
      this.drop(oldest);
    const made = this.options.make(live, this.closing.signal).catch((error: unknown) => {
      // The next attempt, with a message, reports it to the person.
      if (!this.closing.signal.aborted) this.options.report(error);
      return null;
    });
    const timer = setTimeout(() => this.drop(live.id), KEPT_FOR).unref();
    this.kept.set(live.id, { live, made, timer });
  }

  private drop(threadId: ThreadId): void {
    clearTimeout(this.kept.get(threadId)?.timer);
    this.kept.delete(threadId);
  }
}
