/** The agent's latest calls at the paths of a place, or of a project with rules about paths. */
export const placeCalls = `
CREATE TABLE place_calls (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Id of the place or the project.
  owner TEXT NOT NULL,
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  call_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  operation TEXT NOT NULL,
  target TEXT NOT NULL,
  result TEXT NOT NULL,
  UNIQUE (thread_id, call_id)
) STRICT;
CREATE INDEX place_calls_by_owner ON place_calls (owner, id);
`;
