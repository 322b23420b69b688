import type { ThreadId } from '../../contract/ids';
import type { Result } from '../../contract/result';
import type { FileStamps } from '../project/file-stamps';
import type { LiveThread } from '../threads/live-thread';
import type { Run } from './run';

/** Threads that a run is kept ready for. */
const MAX_RUNS = 2;
/** Milliseconds until one that is not used is let go. */
const KEPT_FOR = 10 * 60_000;
/** Milliseconds after a turn: what follows it, such as the answer that is drawn, goes first. */
const AFTER_TURN = 150;

/** Milliseconds from a message that is sent until its turn begins; later it is looked again. */
const LOOKED_FOR = 250;

/** A run, and all that it was made by. */
export interface ReadyRun {
  run: Run;
  /** What the database and the app's own state say, as one text. */
  stamp: string;
  files: FileStamps;
  /** Whether the servers' tools are still the same, where there are servers. */
  hasSameTools: (signal: AbortSignal) => Promise<boolean>;
}

export interface ReadyRunsOptions {
  thread(threadId: ThreadId): Result<LiveThread>;
  /** Whether a run of the thread is under way. */
  isRunning(threadId: ThreadId): boolean;
  /** What runs of the thread are made by now, apart from files. Null where none can be made. */
  stampOf(live: LiveThread): string | null;
  /** Brings up to date what all runs share, and looks whether the project's folder is there. */
  refresh(live: LiveThread): Promise<boolean>;
  /** Null where none can be made, or nothing would tell that it is out of date. */
  make(live: LiveThread, signal: AbortSignal): Promise<ReadyRun | null>;
  report: (error: unknown) => void;
}

interface Kept {
  live: LiveThread;
  made: Promise<ReadyRun | null>;
  timer: NodeJS.Timeout;
  /** Whether all is as it was, as it is being looked at for a message that is just sent. */
  looked?: { at: number; isSame: Promise<boolean> };
}

/**
 * Runs that are made before there is a message for them: while the person writes it, and after a turn. One is used once,
 * and only where everything that it was made by is as it was, which is checked again when the message is there;
 * otherwise the run is made then, as ever.
 */
export class ReadyRuns {
  private readonly kept = new Map<ThreadId, Kept>();
  private readonly soon = new Map<ThreadId, NodeJS.Timeout>();
  private readonly closing = new AbortController();

  constructor(private readonly options: ReadyRunsOptions) {}

  /**
   * The person begins to write. Does nothing where one is kept that holds; resolves when that is known. Rejects with nothing:
   * what goes wrong is reported.
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

  /** A turn has ended, or waits for the person. */
  atRest(threadId: ThreadId): void {
    if (this.closing.signal.aborted) return;
    clearTimeout(this.soon.get(threadId));
    this.soon.set(threadId, setTimeout(() => void this.begin(threadId), AFTER_TURN).unref());
  }

  /** Whether a run is kept for the thread; resolves when that is known. */
  async has(threadId: ThreadId): Promise<boolean> {
    return ((await this.kept.get(threadId)?.made) ?? null) !== null;
  }

  /** The run that is ready for the thread, which is the caller's then. Null where there is none that may be used. */
  async take(live: LiveThread, signal: AbortSignal): Promise<Run | null> {
    clearTimeout(this.soon.get(live.id));
    this.soon.delete(live.id);
    const kept = this.kept.get(live.id);
    if (kept === undefined) return null;
    this.drop(live.id);
    if (kept.live !== live) return null;
    const { looked } = kept;
    const isFresh = looked !== undefined && performance.now() - looked.at < LOOKED_FOR;
    const isSame = await (isFresh ? looked.isSame : this.isSame(kept, signal));
    const ready = await kept.made;
    return isSame && ready?.stamp === this.options.stampOf(live) ? ready.run : null;
  }

  /** A message is sent: looks whether the run for it still holds while the message is saved. False where there is none. */
  look(threadId: ThreadId): boolean {
    const kept = this.kept.get(threadId);
    if (kept === undefined) return false;
    const isSame = this.isSame(kept, this.closing.signal);
    isSame.catch(() => undefined);
    kept.looked = { at: performance.now(), isSame };
    return true;
  }

  private async isSame({ live, made }: Kept, signal: AbortSignal): Promise<boolean> {
    const ready = await made;
    if (ready === null) return false;
    const looked = [this.options.refresh(live), ready.files.areSame(), ready.hasSameTools(signal)];
    return (await Promise.all(looked)).every((isSame) => isSame);
  }

  /** Resolves when nothing is being made any more. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const timer of this.soon.values()) clearTimeout(timer);
    this.soon.clear();
    const made = [...this.kept.values()].map((kept) => kept.made);
    for (const threadId of [...this.kept.keys()]) this.drop(threadId);
    await Promise.all(made);
  }

  private keep(live: LiveThread): void {
    for (const [oldest] of [...this.kept].slice(0, Math.max(0, this.kept.size - MAX_RUNS + 1)))
      this.drop(oldest);
    const made = this.options.make(live, this.closing.signal).catch((error: unknown) => {
      // Whoever makes it next, with a message, tells the person.
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
