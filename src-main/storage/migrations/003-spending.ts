/**
 * What each request to a model cost, kept when its thread is deleted: a day's ceiling holds all the same. `cost` is in
 * micro-dollars, null where the price is not known; tokens are null where nobody told them.
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
