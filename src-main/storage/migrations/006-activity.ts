/**
 * Every call that reached outside its conversation or read the folder, saved when it starts, and how much of a thread the
 * person has seen. `asked`: the person decided on it. Sequence numbers are those of the thread's events.
 */
export const activity = `
CREATE TABLE activity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  call_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  agent TEXT,
  tool TEXT NOT NULL,
  about TEXT NOT NULL,
  asked INTEGER NOT NULL,
  outside INTEGER NOT NULL,
  reason TEXT NOT NULL,
  rule_id TEXT,
  mode TEXT NOT NULL,
  step_cost INTEGER,
  started_seq INTEGER NOT NULL,
  ended_seq INTEGER,
  status TEXT NOT NULL,
  exit_code INTEGER,
  duration INTEGER,
  result TEXT,
  memory TEXT,
  -- The revert that took back what it did to files; the person may undo that one too.
  revert_id TEXT,
  UNIQUE (thread_id, call_id)
) STRICT;
CREATE INDEX activity_unasked ON activity (asked, outside, id);
CREATE INDEX activity_by_thread ON activity (thread_id, id);
CREATE INDEX activity_open ON activity (thread_id) WHERE ended_seq IS NULL;
CREATE INDEX activity_by_rule ON activity (rule_id, id) WHERE rule_id IS NOT NULL;
CREATE INDEX file_changes_by_call ON file_changes (thread_id, call_id) WHERE call_id IS NOT NULL;

CREATE TABLE seen (
  thread_id TEXT PRIMARY KEY REFERENCES threads (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  -- The last row of these tables at that time.
  file_change INTEGER NOT NULL,
  spending INTEGER NOT NULL
) STRICT;
`;
