/** Metadata of values that were redacted in a thread: their numbers, kinds, places and keyed digests, but no values. */
export const withheld = `
CREATE TABLE withheld (
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (thread_id, number)
) STRICT, WITHOUT ROWID;
`;
