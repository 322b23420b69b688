import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import { MessageId, ProjectId, ThreadId } from '../contract/ids';
import { jsonField } from './json-columns';

/** A matching message with its thread. */
export interface FoundMessage {
  threadId: ThreadId;
  projectId: ProjectId;
  messageId: MessageId;
  /** The message as stored: JSON of the contract. */
  body: string;
}

export interface MessageSearch {
  /** Indexes new messages for about `within` milliseconds. Returns whether some are left. */
  index(within: number): boolean;
  /** Number of messages that are not indexed yet, counted up to `most`. */
  pending(most: number): number;
  /**
   * Messages that contain all words, newest first, at most `limit`, without deleted threads and removed projects. The last
   * word may be the start of a word.
   */
  find(query: string, options: { limit: number; projectId?: ProjectId }): FoundMessage[];
}

/** UTF-16 units of a message that are searchable. */
const INDEXED_TEXT = 200_000;
/** Messages read from the table in one step. */
const BATCH = 100;

/** Characters that each stand for a word: their scripts do not separate words. */
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** The form in the index: ideographs are separated, and compatible forms are unified. */
const folded = (text: string) => text.normalize('NFKC').replace(IDEOGRAPH, ' $& ');

/** An FTS5 query in which nothing the person types is syntax; null if it contains no word. */
function matchOf(query: string): string | null {
  const words = query.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return null;
  const phrases = words.map((word) => `"${folded(word).replaceAll('"', '""').trim()}"`);
  return `${phrases.join(' ')} *`;
}

export function openMessageSearch(db: Db): MessageSearch {
  type Pending = { thread_id: string; id: string; role: string | null; text: string | null };
  const some = db.prepare<[number], Pending>(
    `SELECT thread_id, id, ${jsonField('body', '$.role')} AS role, ${jsonField('body', '$.text')} AS text
     FROM messages INDEXED BY messages_pending WHERE indexed = 0 LIMIT ?`,
  );
  const one = db.prepare<[string, string], { id: number }>(
    'SELECT id FROM message_texts WHERE thread_id = ? AND message_id = ?',
  );
  const add = db.prepare<[string, string]>('INSERT INTO message_texts (thread_id, message_id) VALUES (?, ?)');
  const forget = db.prepare<[number]>('DELETE FROM message_texts WHERE id = ?');
  const words = db.prepare<[number | bigint, string]>(
    'INSERT INTO message_words (rowid, text) VALUES (?, ?)',
  );
  const done = db.prepare<[string, string]>('UPDATE messages SET indexed = 1 WHERE thread_id = ? AND id = ?');
  const count = db.prepare<[number], { n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM messages INDEXED BY messages_pending WHERE indexed = 0 LIMIT ?)`,
  );
  const found = (where: string) =>
    `SELECT m.thread_id AS threadId, t.project_id AS projectId, m.message_id AS messageId, s.body
     FROM message_words w
     JOIN message_texts m ON m.id = w.rowid
     JOIN threads t ON t.id = m.thread_id AND t.deleted_at IS NULL
     JOIN projects p ON p.id = t.project_id AND p.removed_at IS NULL
     JOIN messages s ON s.thread_id = m.thread_id AND s.id = m.message_id
     WHERE message_words MATCH ? ${where} ORDER BY w.rowid DESC LIMIT ?`;
  type Found = { threadId: string; projectId: string; messageId: string; body: string };
  const everywhere = db.prepare<[string, number], Found>(found(''));
  const inProject = db.prepare<[string, string, number], Found>(found('AND t.project_id = ?'));

  const take = (row: Pending) => {
    const known = one.get(row.thread_id, row.id);
    if (known) forget.run(known.id);
    const text = row.role === 'user' || row.role === 'agent' ? (row.text ?? '') : '';
    if (text !== '') {
      const { lastInsertRowid } = add.run(row.thread_id, row.id);
      words.run(lastInsertRowid, folded(text.slice(0, INDEXED_TEXT)));
    }
    done.run(row.thread_id, row.id);
  };

  return {
    index: (within) => {
      if (some.get(1) === undefined) return false;
      const until = performance.now() + within;
      const takeSome = db.transaction(() => {
        for (;;) {
          const rows = some.all(BATCH);
          if (rows.length === 0) return false;
          for (const row of rows) {
            if (performance.now() > until) return true;
            take(row);
          }
        }
      });
      // What a power cut loses is indexed again.
      return unsynced(db, () => takeSome.immediate());
    },
    pending: (most) => count.get(most)?.n ?? 0,
    find: (query, { limit, projectId }) => {
      const match = matchOf(query);
      if (match === null) return [];
      const rows =
        projectId === undefined ? everywhere.all(match, limit) : inProject.all(match, projectId, limit);
      return rows.map((row) => ({
        threadId: ThreadId.parse(row.threadId),
        projectId: ProjectId.parse(row.projectId),
        messageId: MessageId.parse(row.messageId),
        body: row.body,
      }));
    },
  };
}
