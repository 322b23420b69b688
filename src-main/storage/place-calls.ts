import type { Db } from '../base/sqlite/db';
import type { CallId, PlaceId, ProjectId } from '../contract/ids';
import { PlaceCall } from '../contract/places';
import { jsonField } from './json-columns';

/** Lines kept of one place or project; the oldest are dropped. */
const KEPT = 1_000;
/** UTF-16 units of a path or command. */
const TARGET_KEPT = 500;

export interface PlaceCalls {
  /** A call that ends again, as after a crash, stays one line. */
  add(owner: PlaceId | ProjectId, call: Omit<PlaceCall, 'title' | 'id'> & { callId: CallId }): void;
  /** Newest first. */
  list(owner: PlaceId | ProjectId): PlaceCall[];
}

export function openPlaceCalls(db: Db, kept = KEPT): PlaceCalls {
  const insert = db.prepare<[string, string, string, number, string, string, string]>(
    `INSERT INTO place_calls (owner, thread_id, call_id, at, operation, target, result) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (thread_id, call_id) DO UPDATE SET at = excluded.at, result = excluded.result`,
  );
  const drop = db.prepare<[string, string, number]>(
    `DELETE FROM place_calls WHERE owner = ? AND id <=
     (SELECT id FROM place_calls WHERE owner = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );
  const list = db.prepare<[string], unknown>(
    `SELECT c.id, c.thread_id AS threadId, c.at, c.operation, c.target, c.result, coalesce(${jsonField('t.info', '$.title')}, '') AS title
     FROM place_calls c JOIN threads t ON t.id = c.thread_id
     WHERE c.owner = ? AND t.deleted_at IS NULL ORDER BY c.id DESC`,
  );
  return {
    add: (owner, { threadId, callId, at, operation, target, result }) => {
      insert.run(owner, threadId, callId, at, operation, target.slice(0, TARGET_KEPT), result);
      drop.run(owner, owner, kept);
    },
    list: (owner) => list.all(owner).map((row) => PlaceCall.parse(row)),
  };
}
