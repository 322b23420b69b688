/** The changes to a folder's files: who changed what, from which state to which. States are JSON of the contract. */
export const fileChanges = `
CREATE TABLE file_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL,
  thread_id TEXT,
  call_id TEXT,
  at INTEGER NOT NULL,
  path TEXT NOT NULL,
  author TEXT NOT NULL,
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  -- 1: the contents went because the disk budget was used up.
  dropped INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX file_changes_by_path ON file_changes (project_id, path, id);
CREATE INDEX file_changes_by_thread ON file_changes (thread_id, id) WHERE thread_id IS NOT NULL;
CREATE INDEX file_changes_kept ON file_changes (id) WHERE dropped = 0;

-- Calls that may be changing files now; one that is found at a start was cut off.
CREATE TABLE changing_calls (
  project_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY (thread_id, call_id)
) STRICT;

-- Written before the first file is touched; one that is found at a start is carried out to its end.
CREATE TABLE file_reverts (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  steps TEXT NOT NULL,
  done INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX file_reverts_open ON file_reverts (project_id) WHERE done = 0;
`;
