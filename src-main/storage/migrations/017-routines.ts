/**
 * Routines and their runs. `next_at`: when a routine is due; null if it is off. `ran_at`: the last due time that was used up,
 * so that it is never used twice. A run without `thread_id` did not start.
 */
export const routines = `
CREATE TABLE routines (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  next_at INTEGER,
  ran_at INTEGER,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE routine_runs (
  id TEXT PRIMARY KEY,
  routine_id TEXT NOT NULL REFERENCES routines (id) ON DELETE CASCADE,
  thread_id TEXT REFERENCES threads (id) ON DELETE SET NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX routine_runs_of ON routine_runs (routine_id, at);
CREATE INDEX routine_runs_thread ON routine_runs (thread_id) WHERE thread_id IS NOT NULL;
`;
