import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import { CallId, type ThreadId } from '../contract/ids';

/**
 * `started` with `isNew: false` means that the call was started before and its end was never saved. Whether it took effect
 * is unknown, so it must not simply run again.
 */
type JournalEntry =
  | { state: 'started'; isNew: boolean; digest: string }
  | { state: 'finished'; digest: string; result: string };

export interface Journal {
  /**
   * Saves the intent before a call runs. Returns the existing entry if there is one. The call waits for `Storage.onDisk`.
   */
  begin(threadId: ThreadId, callId: CallId, digest: string): JournalEntry;
  /** Removes the entry of a call that has no result, because it was not started after all. */
  forget(threadId: ThreadId, callId: CallId): void;
  /** Saves the result once. A second result for the same call is ignored. */
  finish(threadId: ThreadId, callId: CallId, resultJson: string): void;
  lookup(threadId: ThreadId, callId: CallId): JournalEntry | null;
  /** Calls that were started and not finished, oldest first. */
  unfinished(threadId: ThreadId): CallId[];
}

/** Records tool calls, first the intent and then the result, so that a call that ran before a crash never runs twice. */
export function openJournal(
  db: Db,
  commit: <T>(write: () => T) => T = (write) => write(),
  now: () => number = Date.now,
): Journal {
  const begin = db.prepare<[string, string, string, number]>(
    'INSERT INTO journal (thread_id, call_id, digest, begun_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const finish = db.prepare<[number, string, string, string]>(
    'UPDATE journal SET finished_at = ?, result = ? WHERE thread_id = ? AND call_id = ? AND finished_at IS NULL',
  );
  const get = db.prepare<[string, string], { digest: string; result: string | null }>(
    'SELECT digest, result FROM journal WHERE thread_id = ? AND call_id = ?',
  );
  const forget = db.prepare<[string, string]>(
    'DELETE FROM journal WHERE thread_id = ? AND call_id = ? AND finished_at IS NULL',
  );
  const unfinished = db.prepare<[string], { id: string }>(
    'SELECT call_id AS id FROM journal WHERE thread_id = ? AND finished_at IS NULL ORDER BY begun_at, rowid',
  );
  const lookup = (threadId: ThreadId, callId: CallId): JournalEntry | null => {
    const row = get.get(threadId, callId);
    if (!row) return null;
    return row.result === null
      ? { state: 'started', isNew: false, digest: row.digest }
      : { state: 'finished', digest: row.digest, result: row.result };
  };

  return {
    begin: (threadId, callId, digest) => {
      const isNew = commit(() => begin.run(threadId, callId, digest, now()).changes === 1);
      const entry = isNew ? null : lookup(threadId, callId);
      return entry ?? { state: 'started', isNew, digest };
    },
    finish: (threadId, callId, resultJson) => {
      // If a power failure loses this, the person is asked, as for any call with an unknown outcome.
      unsynced(db, () => finish.run(now(), resultJson, threadId, callId));
    },
    forget: (threadId, callId) => void forget.run(threadId, callId),
    lookup,
    unfinished: (threadId) => unfinished.all(threadId).map((row) => CallId.parse(row.id)),
  };
}
