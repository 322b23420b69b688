/**
 * Words of messages. `indexed`: 1 if the index matches the message. Saving a message resets it to 0, and it is indexed
 * later, so that no turn waits for it. The index stores no texts, only the positions of words.
 */
export const messageIndex = `
ALTER TABLE messages ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX messages_pending ON messages (thread_id, position) WHERE indexed = 0;

CREATE TABLE message_texts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  UNIQUE (thread_id, message_id)
) STRICT;
CREATE VIRTUAL TABLE message_words USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER message_texts_forget AFTER DELETE ON message_texts BEGIN
  DELETE FROM message_words WHERE rowid = old.id;
END;
CREATE TRIGGER messages_forget AFTER DELETE ON messages BEGIN
  DELETE FROM message_texts WHERE thread_id = old.thread_id AND message_id = old.id;
END;
`;
