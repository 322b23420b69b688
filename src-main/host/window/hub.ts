import type { AppEvent, ThreadEvent } from '../../contract/events';
import type { ThreadId } from '../../contract/ids';

/** Hands events to whoever listens. Every subscription returns its undo. */
export class Hub {
  private readonly appListeners = new Set<(event: AppEvent) => void>();
  private readonly threadListeners = new Map<ThreadId, Set<(event: ThreadEvent) => void>>();

  onApp(listen: (event: AppEvent) => void): () => void {
    this.appListeners.add(listen);
    return () => this.appListeners.delete(listen);
  }

  onThread(threadId: ThreadId, listen: (event: ThreadEvent) => void): () => void {
    const listeners = this.threadListeners.get(threadId) ?? new Set();
    this.threadListeners.set(threadId, listeners.add(listen));
    return () => {
      listeners.delete(listen);
      if (listeners.size === 0 && this.threadListeners.get(threadId) === listeners) {
        this.threadListeners.delete(threadId);
      }
    };
  }

  isWatched(threadId: ThreadId): boolean {
    return this.threadListeners.has(threadId);
  }

  /** Connections of windows, the one that the person looked at last at the end. */
  private readonly windows = new Set<string>();

  /** The person looks at this window now, or it has come up. */
  toFront(connectionId: string): void {
    this.windows.delete(connectionId);
    this.windows.add(connectionId);
  }

  leave(connectionId: string): void {
    this.windows.delete(connectionId);
  }

  /** Whether this is the window that the person looked at last: what wants to be shown is shown there, and only there. */
  isFront(connectionId: string): boolean {
    return [...this.windows].at(-1) === connectionId;
  }

  app(event: AppEvent): void {
    for (const listen of this.appListeners) listen(event);
  }

  thread(event: ThreadEvent): void {
    for (const listen of this.threadListeners.get(event.threadId) ?? []) listen(event);
  }
}
