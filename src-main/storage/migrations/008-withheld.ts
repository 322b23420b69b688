/** What is known of values that were withheld in a thread: their numbers, kinds, places and keyed digests, no value. */
export const withheld = `
CREATE TABLE withheld (
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (thread_id, number)
) STRICT, WITHOUT ROWID;
`;
