import type { Db } from '../../base/sqlite/db';
import { isBusyError } from '../../base/sqlite/sqlite-error';

/**
 * Milliseconds that a statement itself waits for another program's write, because nothing else happens in this process
 * meanwhile. Longer waits go through `WriteLock`.
 */
const BLOCKS_FOR = 250;
/** Milliseconds that the person waits for what they asked for. */
export const PERSON_WAITS = 5_000;
/** Milliseconds that the agent's work waits: an answer that cannot be saved would have to be paid for again. */
export const WORK_WAITS = 60_000;
/** Milliseconds between two checks while another program writes. */
const LOOKS_EVERY = 20;
/** Milliseconds after which the person is told. */
const TOLD_AFTER = 1_000;

export interface WriteLock {
  /** Whether another program is writing to the database right now. */
  isHeld(): boolean;
  /**
   * Undefined if no other program is writing to the database right now. Otherwise resolves when it is done, or after
   * `within` milliseconds, or when the signal aborts; never rejects. The event loop stays free. The write that follows still
   * has to expect `SQLITE_BUSY`.
   */
  wait(within: number, signal?: AbortSignal): Promise<void> | undefined;
  /** The same, but begins a transaction if no other program is writing: undefined means that the caller has to end it. */
  begin(within: number): Promise<void> | undefined;
  /** Called when another program has been writing for a second. */
  onHeld(tell: () => void): void;
}

export function openWriteLock(db: Db): WriteLock {
  const timeout = (ms: number) => db.prepare<[], number>(`PRAGMA busy_timeout = ${ms}`).pluck();
  const [none, usual] = [timeout(0), timeout(BLOCKS_FOR)];
  const [begin, end] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('ROLLBACK')];
  // SQLite sets this when it prepares the statement, and not at the first run, but at each later one.
  none.get();
  usual.get();
  let tell: () => void = () => undefined;
  let since: number | null = null;

  const isHeld = (keeps: boolean): boolean => {
    // Within a transaction of ours, nobody else can write.
    if (!db.open || db.inTransaction) return false;
    none.get();
    try {
      begin.run();
      if (!keeps) end.run();
    } catch (error) {
      // Whatever else is wrong, the write that follows reports it.
      if (isBusyError(error)) return true;
    } finally {
      usual.get();
    }
    since = null;
    return false;
  };

  /** `keeps`: stays in the transaction that it began to find out. */
  const look = (keeps = false): boolean => {
    if (!isHeld(keeps)) return false;
    const now = performance.now();
    since ??= now;
    if (now - since >= TOLD_AFTER) tell();
    return true;
  };

  const waiting: Waiter[] = [];

  const again = () => {
    const isFree = !look();
    const now = performance.now();
    // In the order in which they asked, so that two messages of the person keep theirs.
    const going = waiting.filter(({ until, signal }) => isFree || now >= until || signal?.aborted === true);
    const staying = waiting.filter((one) => !going.includes(one));
    waiting.splice(0, waiting.length, ...staying);
    for (const { resolve } of going) resolve();
    if (waiting.length > 0) setTimeout(again, LOOKS_EVERY);
  };

  const turn = (within: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      if (waiting.length === 0) setTimeout(again, LOOKS_EVERY);
      waiting.push({ until: performance.now() + within, signal, resolve });
    });

  return {
    isHeld: () => look(),
    wait: (within, signal) => (waiting.length === 0 && !look() ? undefined : turn(within, signal)),
    begin: (within) => (waiting.length === 0 && !look(true) ? undefined : turn(within, undefined)),
    onHeld: (told) => {
      tell = told;
    },
  };
}

interface Waiter {
  /** By `performance.now()`. */
  until: number;
  signal: AbortSignal | undefined;
  resolve: () => void;
}
