import type { Db } from '../base/sqlite/db';
import { Approval, Decision } from '../contract/approvals';
import type { ApprovalId, ThreadId } from '../contract/ids';
import { fail, ok, type Result } from '../contract/result';
import { withDisplay } from './displays';
import { type OnUnreadable, readBodies, readBody } from './json-columns';

interface TakenApproval {
  approval: Approval;
  decision: Decision;
}

export interface Approvals {
  /** Returns false and changes nothing if this id already has a decision: asking again does not reopen it. */
  insert(approval: Approval): boolean;
  /**
   * Takes the only decision on a pending call and keeps it until `clear`, so that it survives if Deepdesk exits before the
   * call ran. Errors: `not_found` for an id that is unknown, used or of another thread; `stale` if `digest` is not the one
   * shown.
   */
  take(
    threadId: ThreadId,
    id: ApprovalId,
    digest: string,
    decision: Decision,
    at: number,
  ): Result<TakenApproval>;
  /** Pending approvals in the order they were requested. */
  waiting(threadId: ThreadId): Approval[];
  /** Pending approvals of all threads that are not deleted. */
  allWaiting(): Approval[];
  /** Decisions that were taken and not cleared yet. */
  taken(threadId: ThreadId): TakenApproval[];
  /** Makes a decided approval pending again, because its decision took no effect. */
  reopen(threadId: ThreadId, id: ApprovalId): void;
  /** Withdraws a pending approval whose call was decided without it. */
  drop(threadId: ThreadId, id: ApprovalId): void;
  /** Withdraws all pending approvals and returns them. */
  withdraw(threadId: ThreadId): Approval[];
  /** Deletes all approvals of the thread's batch, because its turn continued or finished. */
  clear(threadId: ThreadId): void;
}

export function openApprovals(db: Db, onUnreadable: OnUnreadable): Approvals {
  type Row = { id: string; body: string };
  const insert = db.prepare<[string, string, string, number, string]>(
    `INSERT INTO approvals (id, thread_id, digest, at, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, at = excluded.at, body = excluded.body
     WHERE taken_at IS NULL AND thread_id = excluded.thread_id`,
  );
  const find = db.prepare<[string, string], Row & { digest: string }>(
    'SELECT id, body, digest FROM approvals WHERE id = ? AND thread_id = ? AND taken_at IS NULL',
  );
  const mark = db.prepare<[number, string, string]>(
    'UPDATE approvals SET taken_at = ?, decision = ? WHERE id = ? AND taken_at IS NULL',
  );
  const waiting = db.prepare<[string], Row>(
    'SELECT id, body FROM approvals WHERE thread_id = ? AND taken_at IS NULL ORDER BY rowid',
  );
  const allWaiting = db.prepare<[], Row>(
    `SELECT a.id, a.body FROM approvals a JOIN threads t ON t.id = a.thread_id
     WHERE a.taken_at IS NULL AND t.deleted_at IS NULL ORDER BY a.rowid`,
  );
  const taken = db.prepare<[string], Row & { decision: string }>(
    'SELECT id, body, decision FROM approvals WHERE thread_id = ? AND taken_at IS NOT NULL ORDER BY rowid',
  );
  const reopen = db.prepare<[string, string]>(
    'UPDATE approvals SET taken_at = NULL, decision = NULL WHERE thread_id = ? AND id = ?',
  );
  const withdraw = db.prepare<[string]>('DELETE FROM approvals WHERE thread_id = ? AND taken_at IS NULL');
  const drop = db.prepare<[string, string]>(
    'DELETE FROM approvals WHERE thread_id = ? AND id = ? AND taken_at IS NULL',
  );
  const clear = db.prepare<[string]>('DELETE FROM approvals WHERE thread_id = ?');
  const read = (rows: Row[]) => readBodies('approvals', Approval, rows, onUnreadable).map(withDisplay);

  const take = db.transaction(
    (
      threadId: ThreadId,
      id: ApprovalId,
      digest: string,
      decision: Decision,
      at: number,
    ): Result<TakenApproval> => {
      const row = find.get(id, threadId);
      const approval = row ? read([row])[0] : undefined;
      if (!row || !approval) return fail('not_found', 'call_not_pending_nothing_ran');
      if (row.digest !== digest) return fail('stale', 'call_changed');
      mark.run(at, JSON.stringify(decision), id);
      return ok({ approval, decision });
    },
  );
  const withdrawAll = db.transaction((threadId: ThreadId): Approval[] => {
    const open = read(waiting.all(threadId));
    withdraw.run(threadId);
    return open;
  });

  return {
    insert: (approval) =>
      insert.run(approval.id, approval.threadId, approval.digest, approval.at, JSON.stringify(approval))
        .changes === 1,
    take: (threadId, id, digest, decision, at) => take.immediate(threadId, id, digest, decision, at),
    waiting: (threadId) => read(waiting.all(threadId)),
    allWaiting: () => read(allWaiting.all()),
    taken: (threadId) =>
      taken.all(threadId).flatMap((row) => {
        const approval = read([row])[0];
        const decision = readBody(Decision, row.decision);
        if (decision === null) onUnreadable('approvals', row.id);
        return approval && decision ? [{ approval, decision }] : [];
      }),
    reopen: (threadId, id) => {
      reopen.run(threadId, id);
    },
    drop: (threadId, id) => {
      drop.run(threadId, id);
    },
    withdraw: (threadId) => withdrawAll.immediate(threadId),
    clear: (threadId) => {
      clear.run(threadId);
    },
  };
}
