/**
 * The person's choices about memories for a thread, and the memories its turns were shown, by the message that started each.
 */
export const memoryChoices = `
CREATE TABLE memory_choices (
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  choice TEXT NOT NULL,
  PRIMARY KEY (thread_id, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE memory_uses (
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (thread_id, message_id)
) STRICT, WITHOUT ROWID;
`;
