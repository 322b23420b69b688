import type { ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';
import { type LiveThread, loadThread } from './live-thread';

/** Threads kept in memory that nobody watches; opening another lets the one used longest ago go. */
const KEPT_IDLE = 8;

/** What looks at threads, or says something in them, is given. */
export interface OpenThreads {
  /** The thread, loaded when it is first asked for. Errors: `not_found`. */
  thread(threadId: ThreadId): Result<LiveThread>;
  /** The thread where it is in memory already. */
  loaded(threadId: ThreadId): LiveThread | undefined;
}

/** The threads in memory: one object for each, loaded when it is first asked for. */
export class LiveThreads {
  private readonly live = new Map<ThreadId, LiveThread>();
  private readonly closed = new Set<ThreadId>();

  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
    /** Those that run are never let go of. */
    private readonly isRunning: (threadId: ThreadId) => boolean,
  ) {}

  /** Errors: `not_found` where there is none, or none any more. */
  get(threadId: ThreadId): Result<LiveThread> {
    if (this.closed.has(threadId)) return fail('not_found', 'thread_gone');
    const known = this.live.get(threadId);
    const found = known ?? loadThread(threadId, this.storage, this.hub);
    if (!found) return fail('not_found', 'thread_gone');
    // Last in the map is used last.
    this.live.delete(threadId);
    this.live.set(threadId, found);
    if (!known) this.evict();
    return ok(found);
  }

  /** The thread where it is in memory, without loading it. */
  loaded(threadId: ThreadId): LiveThread | undefined {
    return this.closed.has(threadId) ? undefined : this.live.get(threadId);
  }

  /** Forgets the thread and answers what it was; it is `not_found` until it is opened again. */
  close(threadId: ThreadId): LiveThread | undefined {
    const live = this.live.get(threadId);
    this.live.delete(threadId);
    this.closed.add(threadId);
    return live;
  }

  open(threadId: ThreadId): void {
    this.closed.delete(threadId);
  }

  /** Deleted while it ran: nothing more may be started or told. */
  isForgotten(live: LiveThread): boolean {
    return this.live.get(live.id) !== live;
  }

  /** Lets go of threads that neither run nor are watched; what is saved is read again when it is asked for. */
  private evict(): void {
    const idle = [...this.live.values()].filter(
      (live) => !this.isRunning(live.id) && !this.hub.isWatched(live.id) && live.isSaved,
    );
    for (const live of idle.slice(0, -KEPT_IDLE)) this.live.delete(live.id);
  }
}
