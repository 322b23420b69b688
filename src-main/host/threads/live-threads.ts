import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';
import { type LiveThread, loadThread } from './live-thread';

/** Maximum number of unwatched threads in memory; the least recently used goes first. */
const KEPT_IDLE = 8;

/** What code that reads threads or emits events needs. */
export interface OpenThreads {
  /** The thread, loaded on first use. Errors: `not_found`. */
  thread(threadId: ThreadId): Result<LiveThread>;
  /** The thread if it is already in memory. */
  loaded(threadId: ThreadId): LiveThread | undefined;
}

/** The threads in memory: one object each for as long as anyone holds it, loaded on first use. */
export class LiveThreads {
  private readonly live = new Map<ThreadId, LiveThread>();
  /**
   * Evicted threads that someone may still hold, for example while a title is requested: a second object of the same thread
   * would number its events again and save an older state.
   */
  private readonly evicted = new Map<ThreadId, WeakRef<LiveThread>>();
  private readonly closed = new Set<ThreadId>();

  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
    /** Running threads are never evicted. */
    private readonly isRunning: (threadId: ThreadId) => boolean,
  ) {}

  /** Errors: `not_found` if it does not exist or was deleted. */
  get(threadId: ThreadId): Result<LiveThread> {
    if (this.closed.has(threadId)) return fail('not_found', 'thread_gone');
    const isKept = this.live.has(threadId);
    const found = this.loaded(threadId) ?? loadThread(threadId, this.storage, this.hub);
    if (!found) return fail('not_found', 'thread_gone');
    // Moves it to the end of the map: the most recently used.
    this.live.delete(threadId);
    this.live.set(threadId, found);
    this.evicted.delete(threadId);
    if (!isKept) this.evict();
    return ok(found);
  }

  /** The thread if it is in memory, without loading it. */
  loaded(threadId: ThreadId): LiveThread | undefined {
    const found = this.closed.has(threadId) ? undefined : this.inMemory(threadId);
    // The headless command or an editor may have run it since.
    if (found !== undefined && !this.isRunning(threadId)) found.refresh();
    return found;
  }

  /** Removes and returns the thread; it is `not_found` until it is opened again. */
  close(threadId: ThreadId): LiveThread | undefined {
    const live = this.inMemory(threadId);
    this.live.delete(threadId);
    this.evicted.delete(threadId);
    this.closed.add(threadId);
    return live;
  }

  open(threadId: ThreadId): void {
    this.closed.delete(threadId);
  }

  /** Deleted while it ran: start and publish nothing more. */
  isForgotten(live: LiveThread): boolean {
    return this.inMemory(live.id) !== live;
  }

  private inMemory(threadId: ThreadId): LiveThread | undefined {
    return this.live.get(threadId) ?? this.evicted.get(threadId)?.deref();
  }

  /** Evicts threads that neither run nor are watched; they are reloaded when needed. */
  private evict(): void {
    const idle = [...this.live.values()].filter(
      (live) => !this.isRunning(live.id) && !this.hub.isWatched(live.id) && live.isSaved,
    );
    for (const live of idle.slice(0, -KEPT_IDLE)) {
      this.live.delete(live.id);
      this.evicted.set(live.id, new WeakRef(live));
    }
    for (const [id, live] of this.evicted) if (live.deref() === undefined) this.evicted.delete(id);
  }
}
