/**
 * The files of a place before a call changes them, until its changes are recorded; a row that is found at a start belongs to
 * a call that was cut off. `before` is JSON: paths and states.
 */
export const placeWrites = `
CREATE TABLE place_writes (
  project_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  author TEXT NOT NULL,
  before TEXT NOT NULL,
  PRIMARY KEY (thread_id, call_id)
) STRICT;
`;
