/** The tables of the first release. A `body` is JSON in a shape of the contract. The other columns are for lookups. */
export const first = `
CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  folder TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  removed_at INTEGER,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX projects_by_folder ON projects (folder);

CREATE TABLE threads (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id),
  updated_at INTEGER NOT NULL,
  phase TEXT NOT NULL,
  seq INTEGER NOT NULL,
  deleted_at INTEGER,
  info TEXT NOT NULL,
  turn TEXT NOT NULL,
  todos TEXT NOT NULL,
  usage TEXT NOT NULL,
  queue TEXT NOT NULL
) STRICT;
CREATE INDEX threads_by_project ON threads (project_id, updated_at);
CREATE INDEX threads_by_phase ON threads (phase);
CREATE INDEX threads_deleted ON threads (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE messages (
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (thread_id, id),
  UNIQUE (thread_id, position)
) STRICT;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  digest TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  taken_at INTEGER,
  decision TEXT
) STRICT;
CREATE INDEX approvals_by_thread ON approvals (thread_id, taken_at);

CREATE TABLE journal (
  thread_id TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  call_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  begun_at INTEGER NOT NULL,
  finished_at INTEGER,
  result TEXT,
  PRIMARY KEY (thread_id, call_id)
) STRICT;

CREATE TABLE terminals (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  thread_id TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX terminals_by_time ON terminals (started_at);
CREATE INDEX terminals_by_thread ON terminals (thread_id);

-- Output in pieces; "start" and "length" count UTF-16 units since the terminal began.
CREATE TABLE terminal_output (
  terminal_id TEXT NOT NULL REFERENCES terminals (id) ON DELETE CASCADE,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  data TEXT NOT NULL,
  UNIQUE (terminal_id, start)
) STRICT;

CREATE TABLE settings (key TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT;

CREATE TABLE secrets (
  provider TEXT PRIMARY KEY,
  ciphertext BLOB NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE TABLE leases (
  thread_id TEXT PRIMARY KEY,
  owner_pid INTEGER NOT NULL,
  owner_start TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;

-- Checkpoints. A text is JSON in which a piece may stand elsewhere: newline, id of the piece, newline.
CREATE TABLE saved_threads (key INTEGER PRIMARY KEY, thread_id TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE pieces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread INTEGER NOT NULL,
  hash BLOB NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (thread, hash)
) STRICT;
CREATE TABLE piece_refs (id INTEGER PRIMARY KEY, refs INTEGER NOT NULL) STRICT;
CREATE TABLE checkpoints (
  thread INTEGER NOT NULL,
  ns TEXT NOT NULL,
  id TEXT NOT NULL,
  parent_id TEXT,
  root_id TEXT,
  reach INTEGER NOT NULL,
  head TEXT NOT NULL,
  channels TEXT NOT NULL,
  metadata TEXT NOT NULL,
  UNIQUE (thread, ns, id)
) STRICT;
CREATE INDEX checkpoints_below ON checkpoints (thread, root_id) WHERE root_id IS NOT NULL;
CREATE TABLE checkpoint_writes (
  seq INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL,
  ns TEXT NOT NULL,
  checkpoint_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  idx INTEGER NOT NULL,
  channel TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (thread, ns, checkpoint_id, task_id, idx)
) STRICT;

-- The store. An item without a version is deleted; its versions stay and can be brought back.
CREATE TABLE store_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ns TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  live INTEGER NOT NULL,
  -- Bytes of the value's content, and its modified_at: a listing reads no values.
  content_size INTEGER NOT NULL,
  modified_at TEXT NOT NULL,
  -- 0: its content is too large for the index and is read in a search.
  indexed INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (ns, key)
) STRICT;
CREATE TABLE store_versions (
  item INTEGER NOT NULL REFERENCES store_items (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  author TEXT,
  thread_id TEXT,
  call_id TEXT,
  value TEXT,
  UNIQUE (item, version)
) STRICT;
CREATE INDEX store_items_unindexed ON store_items (ns, key) WHERE indexed = 0;
CREATE INDEX store_versions_by_call ON store_versions (thread_id, call_id) WHERE call_id IS NOT NULL;
CREATE INDEX store_versions_by_age ON store_versions (at, size);
CREATE VIRTUAL TABLE store_text USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
`;
