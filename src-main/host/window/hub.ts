import type { AppEvent, ThreadEvent } from '../../contract/events';
import type { ThreadId } from '../../contract/ids';

/** Publishes events to subscribers. Every subscription returns a function that cancels it. */
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

  /** Connections of windows, the last active one at the end. */
  private readonly windows = new Set<string>();

  /** This window became active or has just opened. */
  toFront(connectionId: string): void {
    this.windows.delete(connectionId);
    this.windows.add(connectionId);
  }

  leave(connectionId: string): void {
    this.windows.delete(connectionId);
  }

  /** Whether this is the last active window: requested content is shown only there. */
  isFront(connectionId: string): boolean {
    return [...this.windows].at(-1) === connectionId;
  }

  app(event: AppEvent): void {
    this.publish([() => tellAll(this.appListeners, event)]);
  }

  thread(...events: ThreadEvent[]): void {
    this.publish(events.map((event) => () => tellAll(this.threadListeners.get(event.threadId) ?? [], event)));
  }

  private readonly due: (() => void)[] = [];
  private isPublishing = false;

  /**
   * Every subscriber gets the events in the order in which they were published. Electron runs microtasks while it posts a message to a
   * window, so that further events can be published before the current one has reached everybody.
   */
  private publish(deliveries: readonly (() => void)[]): void {
    this.due.push(...deliveries);
    if (this.isPublishing) return;
    this.isPublishing = true;
    const errors: unknown[] = [];
    for (let next = this.due.shift(); next !== undefined; next = this.due.shift()) {
      try {
        next();
      } catch (error) {
        errors.push(error);
      }
    }
    this.isPublishing = false;
    if (errors.length > 0) throw errors[0];
  }
}

function tellAll<E>(listeners: Iterable<(event: E) => void>, event: E): void {
  for (const listen of listeners) listen(event);
}
