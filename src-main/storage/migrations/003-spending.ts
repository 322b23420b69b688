/**
 * The cost of each model request, kept when its thread is deleted, because it still counts toward the daily limit. `cost` is
 * in micro-dollars, null if the price is unknown. Token counts are null if nobody reported them.
 */
export const spending = `
CREATE TABLE spending (
  id INTEGER PRIMARY KEY,
  thread_id TEXT NOT NULL,
  day TEXT NOT NULL,
  at INTEGER NOT NULL,
  model TEXT NOT NULL,
  cost INTEGER,
  input INTEGER,
  output INTEGER,
  cache_read INTEGER,
  cache_write INTEGER,
  reasoning INTEGER
) STRICT;
CREATE INDEX spending_by_thread ON spending (thread_id, cost);
CREATE INDEX spending_by_day ON spending (day, cost);
`;
