/**
 * Listing the store from an index alone, indexing texts some writes later (so that a write does not wait for it), and
 * vectors. `content_size` is -1 for items without content, which are not files. `indexed`: 0 not yet, 1 yes, 2 too large.
 */
export const storeIndexes = `
DROP INDEX store_items_unindexed;
UPDATE store_items SET indexed = 2 WHERE indexed = 0;
CREATE INDEX store_items_pending ON store_items (ns, key) WHERE indexed = 0;
CREATE INDEX store_items_large ON store_items (ns, key) WHERE indexed = 2;
UPDATE store_items SET content_size = (
  SELECT CASE
    WHEN NOT json_valid(v.value) THEN -1
    WHEN json_extract(v.value, '$.encoding') = 'base64'
      THEN length(rtrim(json_extract(v.value, '$.content'), '=')) * 3 / 4
    WHEN json_type(v.value, '$.content') IN ('text', 'array', 'object') THEN content_size
    ELSE -1 END
  FROM store_versions v WHERE v.item = store_items.id AND v.version = store_items.version
) WHERE live = 1;
CREATE INDEX store_items_listing ON store_items (ns, key, content_size, modified_at) WHERE live = 1;

-- A vector of numbers (32-bit floats) for each text of an item that is found by meaning.
CREATE TABLE store_vectors (
  item INTEGER NOT NULL REFERENCES store_items (id) ON DELETE CASCADE,
  part INTEGER NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (item, part)
) STRICT, WITHOUT ROWID;
`;
