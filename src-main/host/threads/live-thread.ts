import type { Message, ThreadState } from '../../contract/conversation';
import type { NewThreadEvent, ThreadEvent } from '../../contract/events';
import type { ThreadId } from '../../contract/ids';
import { inCallOrder, reduce } from '../../contract/thread';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';

/** What is not saved: streamed text, until its message ends, and progress. */
const PROGRESS = new Set<NewThreadEvent['type']>(['message.delta', 'tool.progress', 'turn.writing']);

type TurnEnded = Extract<NewThreadEvent, { type: 'turn.ended' }>;

/** A thread in memory: the only place that numbers its events, saves them and publishes them, in this order. */
export class LiveThread {
  private current: ThreadState;
  /** What the database holds. It lags behind `current` while text streams and after a failed save. */
  private saved: ThreadState;
  /** A turn end that could not be saved. The next save includes it and its effects, such as expired approvals. */
  private unsavedEnd: TurnEnded | undefined;

  constructor(
    initial: ThreadState,
    private readonly storage: Storage,
    private readonly hub: Hub,
  ) {
    this.current = initial;
    this.saved = initial;
  }

  get id(): ThreadId {
    return this.current.thread.id;
  }

  get state(): ThreadState {
    return this.current;
  }

  /** See `Storage.now`. */
  now(): number {
    return this.storage.now();
  }

  /** Whether the database holds everything. */
  get isSaved(): boolean {
    return this.saved === this.current;
  }

  /** Takes over what another process has saved since. Only while nothing of the thread runs here. */
  refresh(): void {
    const { id, storage } = this;
    if (!this.isSaved || (storage.threads.seqOf(id) ?? 0) <= this.saved.seq) return;
    const state = readState(id, storage);
    if (state === null) return;
    this.current = state;
    this.saved = state;
  }

  /**
   * Saves the events before it publishes them, except streamed text, which is saved when its message ends, and progress. Throws the
   * database's error; then nothing has changed anywhere. Several events are saved together or not at all.
   */
  emit(...events: NewThreadEvent[]): void {
    this.tell(events);
  }

  /** Like `emit`, with a further write in the same transaction; `write` gets the event's number. */
  emitWith(event: NewThreadEvent, write: (seq: number) => void): void {
    this.tell([event], write);
  }

  private tell(events: readonly NewThreadEvent[], write?: (seq: number) => void): void {
    const before = this.current;
    let after = before;
    const numbered = events.map((event) => {
      const next = { ...event, threadId: this.id, seq: after.seq + 1 } as ThreadEvent;
      after = reduce(after, next);
      return next;
    });
    if (events.some(({ type }) => !PROGRESS.has(type))) {
      const ended = events.find((event) => event.type === 'turn.ended');
      this.save(after, ended ?? this.unsavedEnd, write);
    }
    this.current = after;
    this.hub.thread(...numbered);
    if (summaryChanged(before, after)) this.tellSummary();
  }

  /**
   * For the end of a turn that can no longer be saved: publish it anyway, so that nobody waits for it. The next save
   * includes it; until then the database says that the turn was interrupted, which is true.
   */
  emitUnsaved(event: NewThreadEvent): void {
    const numbered = { ...event, threadId: this.id, seq: this.current.seq + 1 } as ThreadEvent;
    this.current = reduce(this.current, numbered);
    if (event.type === 'turn.ended') this.unsavedEnd = event;
    this.hub.thread(numbered);
  }

  tellSummary(): void {
    const summary = this.storage.threads.summary(this.id);
    if (summary) this.hub.app({ type: 'summary.changed', summary });
  }

  /** Writes only what changed since the last save. */
  private save(current: ThreadState, ended: TurnEnded | undefined, write?: (seq: number) => void): void {
    const { id, saved: before, storage } = this;
    storage.transactionSoon(() => {
      if (current.messages !== before.messages) this.saveMessages(before.messages, current.messages);
      write?.(current.seq);
      if (ended !== undefined) {
        storage.approvals.clear(id);
        storage.activity.cutOff(id, current.seq);
      }
      const { seq, thread, turn, todos, usage, queue } = current;
      storage.threads.change(id, {
        seq,
        ...(thread === before.thread ? {} : { thread }),
        ...(turn === before.turn ? {} : { turn }),
        ...(todos === before.todos ? {} : { todos }),
        ...(usage === before.usage ? {} : { usage }),
        ...(queue === before.queue ? {} : { queue }),
        // The person already knows about a turn that they stopped.
        ...(ended === undefined || ended.reason === 'stopped' ? {} : { answeredAt: ended.at }),
      });
    });
    this.saved = current;
    this.unsavedEnd = undefined;
  }

  private saveMessages(before: readonly Message[], current: readonly Message[]): void {
    const { id, storage } = this;
    // Changes are near the end, and unchanged messages are the same objects.
    let same = 0;
    while (same < current.length && current[same] === before[same]) same++;
    const old = new Set(before.slice(same));
    const kept = new Set<string>();
    for (const message of current.slice(same)) {
      kept.add(message.id);
      if (!old.has(message)) storage.messages.save(id, message);
    }
    for (const message of old) if (!kept.has(message.id)) storage.messages.remove(id, message.id);
  }
}

function summaryChanged(before: ThreadState, after: ThreadState): boolean {
  return (
    before.thread !== after.thread ||
    before.turn.phase !== after.turn.phase ||
    before.approvals.length !== after.approvals.length
  );
}

/** Reads a thread from the database; null if it does not exist. */
export function loadThread(threadId: ThreadId, storage: Storage, hub: Hub): LiveThread | null {
  const state = readState(threadId, storage);
  return state && new LiveThread(state, storage, hub);
}

function readState(threadId: ThreadId, storage: Storage): ThreadState | null {
  const record = storage.threads.get(threadId);
  if (!record) return null;
  const messages = storage.messages.all(threadId);
  const approvals = inCallOrder(storage.approvals.waiting(threadId), messages);
  return { ...record, messages, approvals };
}
