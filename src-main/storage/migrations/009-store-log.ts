/**
 * The store as a log of versions with items that point into it. Adding a memory touches three pages of the file, changing
 * one touches two, and reading one takes two lookups. `current` is the item's version in the log, which contains its value.
 * `before` is the previous version, until that was dropped. `upto`: bytes of all versions ever, including this one. Log
 * entries after `indexed` are not in the text index yet. Existing items keep their ids, which their texts and vectors use. A
 * new item gets the number of its first version, and those start above all ids.
 */
export const storeLog = `
DROP INDEX store_items_pending;
DROP INDEX store_items_large;
DROP INDEX store_items_listing;
DROP INDEX store_versions_by_call;
DROP INDEX store_versions_by_age;
ALTER TABLE store_items RENAME TO old_items;
ALTER TABLE store_vectors RENAME TO old_vectors;

CREATE TABLE store_items (
  ns TEXT NOT NULL,
  key TEXT NOT NULL,
  current INTEGER NOT NULL,
  live INTEGER NOT NULL,
  content_size INTEGER NOT NULL,
  modified_at TEXT NOT NULL,
  id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  -- 1: too large for the index of texts, so read in every search.
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
  -- Bytes of the versions that were dropped.
  dropped INTEGER NOT NULL
) STRICT;

CREATE TABLE store_vectors (
  item INTEGER NOT NULL REFERENCES store_items (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (item, part)
) STRICT, WITHOUT ROWID;

-- By age, but last what waits to be indexed.
CREATE TABLE store_order (item INTEGER, version INTEGER, seq INTEGER, upto INTEGER, waits INTEGER, PRIMARY KEY (item, version))
  WITHOUT ROWID;
INSERT INTO store_order
  SELECT item, version, (SELECT coalesce(max(id), 0) FROM old_items) + row_number() OVER sorted, sum(size) OVER sorted, waits
  FROM (
    SELECT v.item, v.version, v.at, v.size, i.indexed = 0 AND v.version = i.version AS waits
    FROM store_versions v JOIN old_items i ON i.id = v.item
  ) WINDOW sorted AS (ORDER BY waits, at, item, version ROWS UNBOUNDED PRECEDING);
INSERT INTO store_state
  SELECT 1, coalesce(max(seq) FILTER (WHERE waits = 0), (SELECT coalesce(max(id), 0) FROM old_items)), 0 FROM store_order;
INSERT INTO store_items
  SELECT i.ns, i.key, o.seq, i.live, i.content_size, i.modified_at, i.id, i.version, i.indexed = 2, i.created_at, i.updated_at
  FROM old_items i JOIN store_order o ON o.item = i.id AND o.version = i.version;
INSERT INTO store_log
  SELECT o.seq, v.item, v.version, b.seq, v.at, v.size, o.upto, v.author, v.thread_id, v.call_id, v.value
  FROM store_order o JOIN store_versions v ON v.item = o.item AND v.version = o.version
  LEFT JOIN store_order b ON b.item = o.item AND b.version = o.version - 1 ORDER BY o.seq;
INSERT INTO store_vectors SELECT item, part, vector FROM old_vectors WHERE item IN (SELECT id FROM store_items);

DROP TABLE store_order;
DROP TABLE old_vectors;
DROP TABLE store_versions;
DROP TABLE old_items;
`;
