import type { ThreadState } from '../contract/conversation';
import type { NewThreadEvent, ThreadEvent } from '../contract/events';
import type { ThreadId } from '../contract/ids';
import { reduce } from '../contract/thread';
import type { Storage } from '../storage';
import type { Hub } from './hub';

/** A thread in memory: the one place that numbers its events, keeps them and hands them on, in this order. */
export class LiveThread {
  private current: ThreadState;

  constructor(
    initial: ThreadState,
    private readonly storage: Storage,
    private readonly hub: Hub,
  ) {
    this.current = initial;
  }

  get id(): ThreadId {
    return this.current.thread.id;
  }

  get state(): ThreadState {
    return this.current;
  }

  /** Saved before anybody hears of it, except streamed text, which is saved when its message ends. */
  emit(event: NewThreadEvent): void {
    const before = this.current;
    const numbered = { ...event, threadId: this.id, seq: before.seq + 1 } as ThreadEvent;
    this.current = reduce(before, numbered);
    if (event.type !== 'message.delta') this.save(before, event.type === 'turn.ended');
    this.hub.thread(numbered);
    if (summaryChanged(before, this.current)) this.tellSummary();
  }

  tellSummary(): void {
    const summary = this.storage.threads.summary(this.id);
    if (summary) this.hub.app({ type: 'summary.changed', summary });
  }

  private save(before: ThreadState, ended: boolean): void {
    const { id, current, storage } = this;
    storage.transaction(() => {
      for (let index = current.messages.length - 1; index >= 0; index--) {
        const message = current.messages[index];
        if (message && message !== before.messages[index]) storage.messages.save(id, message);
      }
      if (current.messages.length < before.messages.length) {
        const kept = new Set(current.messages.map((message) => message.id));
        for (const { id: old } of before.messages) if (!kept.has(old)) storage.messages.remove(id, old);
      }
      if (ended) storage.approvals.clear(id);
      const { seq, thread, turn, todos, usage, queue } = current;
      storage.threads.change(id, {
        seq,
        ...(thread === before.thread ? {} : { thread }),
        ...(turn === before.turn ? {} : { turn }),
        ...(todos === before.todos ? {} : { todos }),
        ...(usage === before.usage ? {} : { usage }),
        ...(queue === before.queue ? {} : { queue }),
      });
    });
  }
}

function summaryChanged(before: ThreadState, after: ThreadState): boolean {
  return (
    before.thread !== after.thread ||
    before.turn.phase !== after.turn.phase ||
    before.approvals.length !== after.approvals.length
  );
}

/** Reads a thread back; null for one that is not there. */
export function loadThread(threadId: ThreadId, storage: Storage, hub: Hub): LiveThread | null {
  const record = storage.threads.get(threadId);
  if (!record) return null;
  const state: ThreadState = {
    ...record,
    messages: storage.messages.all(threadId),
    approvals: storage.approvals.waiting(threadId),
  };
  return new LiveThread(state, storage, hub);
}
