import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import { CallId, type ThreadId } from '../contract/ids';

/**
 * `started` with `isNew: false` means that the call was started before and its end was never written: whether it had its
 * effect is unknown, so it must not simply be run again.
 */
type JournalEntry =
  | { state: 'started'; isNew: boolean; digest: string }
  | { state: 'finished'; digest: string; result: string };

export interface Journal {
  /** Writes the intent to run a call, before it runs; answers what was there where it is not the first time. */
  begin(threadId: ThreadId, callId: CallId, digest: string): JournalEntry;
  /** Takes `begin` back, where nothing came of it yet: the call was not started after all. */
  forget(threadId: ThreadId, callId: CallId): void;
  /** Writes what came of it, once: a second result for the same call is ignored. */
  finish(threadId: ThreadId, callId: CallId, resultJson: string): void;
  lookup(threadId: ThreadId, callId: CallId): JournalEntry | null;
  /** Calls that were started and never finished, oldest first. */
  unfinished(threadId: ThreadId): CallId[];
}

/** Tool calls, intent then result, so that what ran before a crash is never run a second time. */
export function openJournal(db: Db, now: () => number = Date.now): Journal {
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
      const isNew = begin.run(threadId, callId, digest, now()).changes === 1;
      const entry = isNew ? null : lookup(threadId, callId);
      return entry ?? { state: 'started', isNew, digest };
    },
    finish: (threadId, callId, resultJson) => {
      // What a power cut takes of it is asked about, as after any call whose end is not known.
      unsynced(db, () => finish.run(now(), resultJson, threadId, callId));
    },
    forget: (threadId, callId) => void forget.run(threadId, callId),
    lookup,
    unfinished: (threadId) => unfinished.all(threadId).map((row) => CallId.parse(row.id)),
  };
}
