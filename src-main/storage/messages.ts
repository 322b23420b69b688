import type { Db } from '../base/sqlite/db';
import { Message } from '../contract/conversation';
import type { MessageId, ThreadId } from '../contract/ids';
import { withDisplays } from './displays';
import { type OnUnreadable, readBodies } from './json-columns';

export interface Messages {
  /** Replaces the message with that id in its position, or appends it. */
  save(threadId: ThreadId, message: Message): void;
  remove(threadId: ThreadId, id: MessageId): void;
  /** The whole conversation in order. */
  all(threadId: ThreadId): Message[];
  /**
   * The last `limit` messages, or the last `limit` before position `before`, oldest first. Use the returned `before` for the
   * previous page; it is null at the start.
   */
  page(
    threadId: ThreadId,
    page: { limit: number; before?: number },
  ): { messages: Message[]; before: number | null };
  /** Position of a message; null if the id is unknown. */
  position(threadId: ThreadId, id: MessageId): number | null;
  /** Number of messages before a position. */
  countBefore(threadId: ThreadId, position: number): number;
  /** Messages from position `from` up to but not including `before`, oldest first, at most the last `limit`. */
  between(threadId: ThreadId, range: { from: number; before: number; limit: number }): Message[];
  /** The messages as stored, JSON of the contract: `limit` after position `after`. */
  bodies(
    threadId: ThreadId,
    page: { after: number; limit: number },
  ): { id: string; position: number; body: string }[];
}

export function openMessages(db: Db, onUnreadable: OnUnreadable): Messages {
  type Row = { id: string; position: number; body: string };
  const save = db.prepare<[string, string, string, string]>(
    `INSERT INTO messages (thread_id, position, id, body)
     VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM messages WHERE thread_id = ?), ?, ?)
     ON CONFLICT (thread_id, id) DO UPDATE SET body = excluded.body, indexed = 0`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM messages WHERE thread_id = ? AND id = ?');
  const all = db.prepare<[string], Row>(
    'SELECT id, position, body FROM messages WHERE thread_id = ? ORDER BY position',
  );
  const page = db.prepare<[string, number, number], Row>(
    `SELECT id, position, body FROM messages WHERE thread_id = ? AND position < ? ORDER BY position DESC LIMIT ?`,
  );
  const place = db.prepare<[string, string], { position: number }>(
    'SELECT position FROM messages WHERE thread_id = ? AND id = ?',
  );
  const count = db.prepare<[string, number], { n: number }>(
    'SELECT count(*) AS n FROM messages WHERE thread_id = ? AND position < ?',
  );
  const between = db.prepare<[string, number, number, number], Row>(
    `SELECT id, position, body FROM messages WHERE thread_id = ? AND position >= ? AND position < ?
     ORDER BY position DESC LIMIT ?`,
  );
  const after = db.prepare<[string, number, number], Row>(
    'SELECT id, position, body FROM messages WHERE thread_id = ? AND position > ? ORDER BY position LIMIT ?',
  );
  const read = (rows: Row[]) => readBodies('messages', Message, rows, onUnreadable).map(withDisplays);

  return {
    save: (threadId, message) => {
      save.run(threadId, threadId, message.id, JSON.stringify(message));
    },
    remove: (threadId, id) => {
      remove.run(threadId, id);
    },
    all: (threadId) => read(all.all(threadId)),
    page: (threadId, { limit, before }) => {
      // One more than requested, to know whether there are earlier ones.
      const rows = page.all(threadId, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const shown = rows.slice(0, limit).reverse();
      const first = shown[0];
      return { messages: read(shown), before: rows.length > limit && first ? first.position : null };
    },
    position: (threadId, id) => place.get(threadId, id)?.position ?? null,
    countBefore: (threadId, position) => count.get(threadId, position)?.n ?? 0,
    between: (threadId, { from, before, limit }) =>
      read(between.all(threadId, from, before, limit).reverse()),
    bodies: (threadId, page) => after.all(threadId, page.after, page.limit),
  };
}
