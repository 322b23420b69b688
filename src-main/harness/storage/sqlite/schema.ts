import type { Db } from '../../../base/sqlite/db';

/** The checkpointer's tables, identical to the result of the app's migrations. */
export const CHECKPOINT_TABLES = `
CREATE TABLE saved_threads (key INTEGER PRIMARY KEY, thread_id TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE pieces (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  thread INTEGER NOT NULL,
  hash BLOB NOT NULL,
  text TEXT NOT NULL,
  bytes BLOB,
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
CREATE INDEX checkpoints_in_order ON checkpoints (thread, ns);
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
`;

/** The store's tables, identical to the result of the app's migrations. */
export const STORE_TABLES = `
CREATE TABLE store_items (
  ns TEXT NOT NULL,
  key TEXT NOT NULL,
  current INTEGER NOT NULL,
  live INTEGER NOT NULL,
  content_size INTEGER NOT NULL,
  modified_at TEXT NOT NULL,
  id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  large INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (ns, key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX store_items_by_id ON store_items (id);
CREATE INDEX store_items_large ON store_items (ns, key) WHERE large = 1;
CREATE TABLE store_log (
  seq INTEGER PRIMARY KEY,
  item INTEGER NOT NULL REFERENCES store_items (id),
  version INTEGER NOT NULL,
  before INTEGER,
  at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  author TEXT,
  thread_id TEXT,
  call_id TEXT,
  value TEXT
) STRICT;
CREATE INDEX store_log_by_call ON store_log (thread_id, call_id) WHERE call_id IS NOT NULL;
CREATE TABLE store_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  indexed INTEGER NOT NULL,
  dropped INTEGER NOT NULL
) STRICT;
INSERT INTO store_state VALUES (1, 0, 0);
CREATE TABLE store_vectors (
  item INTEGER NOT NULL REFERENCES store_items (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (item, part)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE store_text USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
`;

/** Creates the tables in a database without them. The app's database has them from its migrations. */
export function ensureTables(db: Db, tables: string, first: string): void {
  const find = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  const make = db.transaction(() => {
    if (find.get(first) === undefined) db.exec(tables);
  });
  // Two processes may open a new file at the same time. One of them creates the tables.
  if (find.get(first) === undefined) make.immediate();
}
